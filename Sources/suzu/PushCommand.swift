// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let push = Verb(
    name: "push", synopsis: "FILE|- [flags]",
    summary: "show a payload of Apple's push service",
    flags: [
      Flag(
        "app", "APP", completing: .apps,
        "set the app that it is for (default: that of the file, or \(NotificationRequest.defaultApp))"),
      Flag("id", "ID", "name the push: a second one with this id, within 7 days, is not shown"),
      Flag("collapse", "ID", "set the id of the notification: it replaces the one before it"),
      Flag("expires", "DURATION", "do not show it after this time"),
    ],
    words: [.file],
    notes: [
      "The file is JSON with a dictionary 'aps', as for 'xcrun simctl push'; 'Simulator Target Bundle' names the app. The",
      "id of the notification is printed. The buttons are those of the category on this machine that 'category' names;",
      "own keys become 'userInfo'. A payload with 'content-available' and no text goes to the app, and is not shown.",
    ],
    examples: [
      "suzu push tea.apns",
      "suzu push tea.apns --app org.example.Tea --collapse tea",
      "echo '{\"aps\": {\"alert\": \"Tea is ready\"}}' | suzu push -",
    ]
  ) { arguments, loop in
    try await PushCommand(arguments).run(on: loop)
    return EX_OK
  }
}

/// `suzu push`: a payload from a file to the center.
struct PushCommand {
  /// The file as errors name it.
  private let name: String
  private let document: PushDocument
  private let app: AppID
  private let delivery: PushDelivery

  init(_ arguments: Arguments, now: Int64 = Int64(time(nil))) throws(CommandError) {
    guard let path = arguments.words.first else { throw .usage("a file is missing: suzu push FILE, or '-'") }
    try arguments.refuseWords(after: 1)
    name = path == "-" ? "standard input" : path
    var delivery = PushDelivery()
    do throws(RequestError) {
      delivery.id = try arguments.value("id").map { text throws(RequestError) in try RequestID(text).text }
      delivery.collapse = try arguments.value("collapse").map { text throws(RequestError) in
        do throws(RequestError) { return try RequestID(text) } catch { throw error.about("collapse") }
      }
      delivery.expires = try arguments.value("expires").map { text throws(RequestError) in
        do throws(RequestError) { return now + (try Duration.parse(text)).components.seconds } catch {
          throw error.about("expires")
        }
      }
    } catch {
      throw .data("'--\(error.key)' \(error.problem)")
    }
    self.delivery = delivery
    let bytes = try Console.read(path)
    do throws(DocumentError) { document = try PushDocument(bytes) } catch { throw .data(error.line(about: name)) }
    if let flag = arguments.value("app") {
      do throws(RequestError) {
        try AppID.checkAsNew(flag)
        app = try AppID(flag)
      } catch {
        throw .data("'--app' \(error.problem)")
      }
    } else {
      app = document.app ?? .suzu
    }
    do throws(RequestError) {
      // The center knows which categories are registered, and the schemes that the user allows.
      var terms = PushTerms()
      if let scheme = document.payload.scheme { terms.schemes.insert(scheme) }
      _ = try document.payload.push(for: app, id: delivery.collapse, under: terms) { _ in true }
    } catch {
      throw complaint(error)
    }
  }

  private func complaint(_ error: RequestError) -> CommandError {
    let place = document.place(of: error).map { ", \($0)" } ?? ""
    return .data("\(name)\(place): \(error.description)")
  }

  func run(on loop: EventLoop) async throws {
    let center = try await Center.connect(on: loop)
    do throws(SuzuError) {
      Console.print(try await center.push(document.payload, to: app, delivery).text)
    } catch {
      // The center's errors about the payload begin with the key.
      guard error.code == .invalidRequest, error.message.hasPrefix("'aps"),
        let key = error.message.dropFirst().split(separator: "'").first
      else { throw error }
      let place = document.place(of: RequestError(String(key), "")).map { ", \($0)" } ?? ""
      throw CommandError.data("\(name)\(place): \(error.message)")
    }
  }
}
