// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu

extension Verb {
  static let notify = Verb(
    name: "notify", synopsis: "TITLE [BODY] [flags]", summary: "show a notification, now or later",
    flags: [
      Flag("action", "ID=TITLE", "a button; may be repeated"),
      Flag("url", "URL", "what a click on the notification itself opens"),
      Flag("in", "DURATION", "show it later: 90s, 10m, 1h30m, 2d"),
      Flag("wait", nil, "wait for the answer and print the action's id (status 1: there was none)"),
      Flag("file", "FILE", "take the request from a JSON file, or from standard input (-)"),
      Flag("app", "APP", "whose it is: a desktop-entry id"),
      Flag("id", "ID", "its name; the same id replaces"),
      Flag("subtitle", "TEXT", "a second headline"),
      Flag("icon", "ICON", "a name of the icon theme, a path or a file URL"),
      Flag("image", "IMAGE", "a picture: a name, a path or a file URL"),
      Flag("progress", "0-100", "draws a bar, where the server can"),
      Flag("level", "LEVEL", "passive, active, timeSensitive or critical"),
      Flag("style", "STYLE", "banner, or alert, which stays until it is answered"),
      Flag("expires", "DURATION", "when it goes by itself; or 'never'"),
      Flag("user-info", "KEY=VALUE", "handed to whatever a button runs; may be repeated"),
    ],
    examples: [
      "suzu notify 'Tea is ready' --in 4m",
      "suzu notify 'Deploy?' 'Version 2.4 to production' --action yes=Deploy --action no='Not now' --wait",
      "suzu notify 'The minutes are online' --url https://example.org/minutes",
    ]
  ) { arguments, loop in
    try await NotifyCommand(arguments).run(on: loop)
  }
}

/// `suzu notify`: flags and files to a request, and a request to the center.
struct NotifyCommand {
  private let request: [String: PlainValue]
  private let waits: Bool
  private var app: String {
    if case .text(let app) = request["app"] { app } else { NotificationRequest.usualApp }
  }

  init(_ arguments: Arguments) throws(CommandError) {
    var request = try arguments.value("file").map { name throws(CommandError) in try Self.readFile(name) } ?? [:]
    guard arguments.words.count <= 2 else {
      throw .usage("'\(arguments.words[2])' is one word too many; put the title and the body in quotes")
    }
    if let title = arguments.words.first { request["title"] = .text(title) }
    if arguments.words.count > 1 { request["body"] = .text(arguments.words[1]) }
    if request["title"] == nil && !arguments.has("file") { throw .usage("a title is missing") }
    // The other keys are flags of the same name; the center checks their values, in one place for everybody.
    for key in ["app", "id", "subtitle", "icon", "image", "level", "style", "expires", "url", "in"] {
      if let value = arguments.value(key) { request[key] = .text(value) }
    }
    if let progress = arguments.value("progress") {
      request["progress"] = Int64(progress).map { .integer($0) } ?? .text(progress)
    }
    let actions = arguments.all("action")
    if !actions.isEmpty { request["actions"] = .list(try actions.map(Self.action)) }
    let userInfo = arguments.all("user-info")
    if !userInfo.isEmpty { request["userInfo"] = try Self.userInfo(userInfo) }
    self.request = request
    waits = arguments.has("wait")
  }

  private static func readFile(_ name: String) throws(CommandError) -> [String: PlainValue] {
    let text = try Console.read(name)
    let shownName = name == "-" ? "standard input" : name
    let value: PlainValue
    do throws(DocumentError) { value = try JSONReader.read(text) } catch { throw .data("\(shownName), \(error)") }
    guard case .dictionary(let request) = value else {
      throw .data("\(shownName): a request must be a dictionary: { … }")
    }
    return request
  }

  private static func action(_ text: String) throws(CommandError) -> PlainValue {
    let (id, title) = try pair(text, "action", "ID=TITLE")
    return .dictionary(["id": .text(id), "title": .text(title)])
  }

  private static func userInfo(_ texts: [String]) throws(CommandError) -> PlainValue {
    var values: [String: PlainValue] = [:]
    for text in texts {
      let (key, value) = try pair(text, "user-info", "KEY=VALUE")
      values[key] = .text(value)
    }
    return .dictionary(values)
  }

  private static func pair(
    _ text: String, _ flag: String, _ form: String
  ) throws(CommandError) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { throw .usage("'--\(flag) \(text)' must be \(form)") }
    return (String(parts[0]), String(parts[1]))
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let center = try await Center.connect(on: loop)
    if !waits {
      Console.print(try await center.notify(request))
      return EX_OK
    }
    // Listening first: the answer may be faster than the id.
    let events = try await center.events()
    let id = try await center.notify(request)
    return await answer(to: id, in: events, on: loop)
  }

  /// How long after the close a click may still come: some servers tell of the close first.
  private static let graceAfterClose: Duration = .milliseconds(500)

  private func answer(to id: String, in events: AsyncStream<CenterEvent>, on loop: EventLoop) async -> Int32 {
    let (answers, continuation) = AsyncStream<Response?>.makeStream()
    let app = app
    let reading = Task(executorPreference: loop) {
      for await event in events {
        switch event {
        // Another app may use the same id.
        case .responded(let response) where response.id == id && response.app == app: continuation.yield(response)
        case .closed(app, id, _):
          loop.perform { _ = loop.schedule(after: Self.graceAfterClose) { continuation.yield(nil) } }
        default: break
        }
      }
      continuation.finish()
    }
    defer { reading.cancel() }
    for await answer in answers {
      guard let answer else { return 1 }
      Console.print(answer.action)
      if let reply = answer.reply { Console.print(reply) }
      return EX_OK
    }
    Console.complain("notify: the center ended before there was an answer")
    return EX_UNAVAILABLE
  }
}
