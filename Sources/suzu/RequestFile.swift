// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import NotificationModel
internal import Triggers

/// The requests of `--file`, with the flags applied to them. All requests are checked before any is sent, and errors
/// name their place in the file.
struct RequestFile {
  /// The file as errors name it.
  let name: String
  let requests: [[String: PlainValue]]
  private let document: RequestDocument
  /// The values that flags gave.
  private let words: [String: PlainValue]
  private let keys: TypedKeys

  var isList: Bool { document.isList }

  init(_ path: String, _ words: [String: PlainValue], _ keys: TypedKeys) throws(CommandError) {
    let bytes = try Console.read(path)
    name = path == "-" ? "standard input" : path
    (self.words, self.keys) = (words, keys)
    if CalendarComponent.recognizes(bytes) {
      throw .data("\(name) is a calendar; its alarms become requests with 'suzu import \(path)'")
    }
    do throws(DocumentError) { document = try RequestDocument(bytes) } catch {
      throw .data(error.line(about: name))
    }
    if words["title"] == nil, words["body"] == nil,
      let problem = Self.categories(in: document, bytes, path, name)
    {
      throw .data(problem)
    }
    requests = document.requests.map { NotifyCommand.merge($0, words) }
    // One id for all is an error of the command line.
    do throws(RequestError) {
      if words["id"] == nil { try RepeatedIDs.check(requests, path: { "[\($0)].id" }, place: document.place) }
    } catch {
      throw complaint(error) { _ in error.description }
    }
    let time = LocalTime.current()
    for (number, request) in requests.enumerated() {
      do {
        let checked = try document.check(request, number: number)
        do throws(RequestError) {
          try TextChecks.check(request)
          try TextChecks.checkVisible(request)
          try TextChecks.checkDate(request)
        } catch {
          throw error.about((document.isList ? "[\(number)]." : "") + error.key)
        }
        guard !checked.schedule.isNow else { continue }
        _ = try checked.schedule.trigger(made: time.now, rules: time.rules)
      } catch let error as RequestError {
        let better = TypedKeys.correction(of: error, in: request)
        throw complaint(error) { (better ?? error).about($0).description }
      } catch let error as TriggerError {
        if let problem = time.problem { throw problem }
        throw complaint(document.error(about: error.key, number: number)) { error.about($0).description }
      } catch {
        throw error as? CommandError ?? .data("\(name): \(error)")
      }
    }
  }

  /// The error for a file of categories; nil if it is another file.
  private static func categories(
    in document: RequestDocument, _ bytes: [UInt8], _ path: String, _ name: String
  ) -> String? {
    // A request has a title, and a category has none.
    guard document.requests.allSatisfy({ $0["title"] == nil && $0["body"] == nil }),
      let categories = try? CategoryDocument(bytes).categories, categories.contains(where: { !$0.actions.isEmpty })
    else { return nil }
    let path = CommandWords.quoted(path)
    let (check, set) = ("suzu category check \(path)", "suzu category set --file \(path)")
    return "\(name) is a file of categories, not of requests; check it with \(CommandWords.shown(check)), and register "
      + "them with \(CommandWords.shown(set))"
  }

  private func complaint(_ error: RequestError, _ text: (_ key: String) -> String) -> CommandError {
    // `[3].actions[1].url` is of `actions`.
    let word = error.key.split { "[].".contains($0) }.dropFirst(document.isList ? 1 : 0).first.map(String.init)
    // A flag has no place in the file, and applies to every request in it.
    if let word, words[word] != nil {
      return .data(keys.text(text(document.isList ? String(error.key.drop { $0 != "." }.dropFirst()) : error.key)))
    }
    let place = document.place(of: error).map { ", \($0)" } ?? ""
    return .data("\(name)\(place): \(text(error.key))")
  }

  /// An error of the center, which begins with the key: `'category' names …`, and in a list `[3]: 'category' names …`.
  func complaint(_ message: String) -> CommandError {
    let index = message.first == "[" ? message.prefix { $0 != "]" } + "]" : ""
    let text = index.isEmpty ? message[...] : message.dropFirst(index.count + 2)
    guard text.first == "'", let end = text.dropFirst().firstIndex(of: "'") else {
      return .data("\(name): \(message)")
    }
    let key = (index.isEmpty ? "" : index + ".") + text[..<end].dropFirst()
    return complaint(RequestError(String(key), "")) { "'\($0)'" + text[text.index(after: end)...] }
  }
}
