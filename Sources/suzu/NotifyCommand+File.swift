// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers

extension NotifyCommand {
  /// Reads the requests of a file and applies the flags to them. All requests are checked before any is sent, and errors
  /// name their place in the file.
  static func requests(
    fromFile name: String, _ words: [String: PlainValue], _ keys: TypedKeys
  ) throws(CommandError) -> (requests: [[String: PlainValue]], isList: Bool) {
    let bytes = try Console.read(name)
    let file = name == "-" ? "standard input" : name
    if CalendarComponent.recognizes(bytes) {
      throw .data("\(file) is a calendar; its alarms become requests with 'suzu import \(name)'")
    }
    let document: RequestDocument
    do throws(DocumentError) { document = try RequestDocument(bytes) } catch {
      throw .data(file + (error.place == nil ? ": " : ", ") + error.description)
    }
    let requests = document.requests.map { merge($0, words) }
    let time = LocalTime.current()
    for (number, request) in requests.enumerated() {
      do {
        let checked = try document.check(request, number: number)
        do throws(RequestError) { try TextChecks.check(request) } catch {
          throw error.about((document.isList ? "[\(number)]." : "") + error.key)
        }
        guard !checked.schedule.isNow else { continue }
        _ = try checked.schedule.trigger(made: time.now, rules: time.rules)
      } catch let error as RequestError {
        throw complaint(error, in: document, file, words, keys) { error.about($0).description }
      } catch let error as TriggerError {
        if let problem = time.problem { throw problem }
        let wrong = document.error(about: error.key, number: number)
        throw complaint(wrong, in: document, file, words, keys) { error.about($0).description }
      } catch {
        throw error as? CommandError ?? .data("\(file): \(error)")
      }
    }
    return (requests, document.isList)
  }

  private static func complaint(
    _ error: RequestError, in document: RequestDocument, _ file: String, _ words: [String: PlainValue],
    _ keys: TypedKeys, _ text: (_ key: String) -> String
  ) -> CommandError {
    // `[3].actions[1].url` is of `actions`.
    let word = error.key.split { "[].".contains($0) }.dropFirst(document.isList ? 1 : 0).first.map(String.init)
    // A flag has no place in the file, and applies to every request in it.
    if let word, words[word] != nil {
      return .data(keys.text(text(document.isList ? String(error.key.drop { $0 != "." }.dropFirst()) : error.key)))
    }
    let place = document.place(of: error).map { ", \($0)" } ?? ""
    return .data("\(file)\(place): \(text(error.key))")
  }
}
