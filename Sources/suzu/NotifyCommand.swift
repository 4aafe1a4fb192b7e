// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu
internal import Triggers
internal import Zoneinfo

extension Verb {
  static let notify = Verb(
    name: "notify", synopsis: "TITLE [BODY] [flags]", summary: "show a notification, now or later",
    flags: NotifyCommand.flags,
    examples: [
      "suzu notify 'Tea is ready' --in 4m",
      "suzu notify 'Standup' --every 'Mon..Fri 09:25' --zone Europe/Paris --url https://example.org/room",
      "suzu notify 'Rent' --rule 'FREQ=MONTHLY;BYMONTHDAY=-1' --from '2026-11-30 09:00'",
      "suzu notify 'Get up' --every 'Mon,Tue,Thu 07:30' --style alert --missed skip --grace 30m",
      "suzu notify 'Deploy?' 'Version 2.4 to production' --action yes=Deploy --action no='Not now' --wait",
      "suzu notify 'The minutes are online' --url https://example.org/minutes",
      "suzu notify --file reminders.plist",
    ]
  ) { arguments, loop in
    try await NotifyCommand(arguments).run(on: loop)
  }
}

/// `suzu notify`: flags and files to requests, and requests to the center.
struct NotifyCommand {
  private let requests: [[String: PlainValue]]
  /// Whether they came as a list; all or none of them are taken.
  private let isList: Bool
  private let waits: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    guard arguments.words.count <= 2 else {
      throw .usage("'\(arguments.words[2])' is one word too many; put the title and the body in quotes")
    }
    var words = try Self.words(arguments)
    if let title = arguments.words.first { words["title"] = .text(title) }
    if arguments.words.count > 1 { words["body"] = .text(arguments.words[1]) }
    waits = arguments.has("wait")
    guard let file = arguments.value("file") else {
      if words["title"] == nil { throw .usage("a title is missing") }
      // The center checks it, in one place for everybody.
      (requests, isList) = ([words], false)
      return
    }
    (requests, isList) = try Self.requests(fromFile: file, words)
    guard isList else { return }
    if waits { throw .usage("'--wait' is for one request; the file has a list") }
    if requests.count > 1, words["id"] != nil { throw .usage("'--id' is for one request; the file has several") }
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let center = try await Center.connect(on: loop)
    if isList {
      // At once: a page of lines is one write.
      Console.print(try await center.notify(requests).joined(separator: "\n"))
      return EX_OK
    }
    // Listening first: the answer may be faster than the id.
    let events = waits ? try await center.events() : nil
    let understood = understood()
    let id = try await center.notify(requests[0])
    if let understood { Console.remark(understood) }
    if let events { return await answer(to: id, in: events, on: loop) }
    Console.print(id)
    return EX_OK
  }

  /// How its time was understood, for a person who may have meant another; what cannot be understood the center refuses.
  private func understood() -> String? {
    guard Console.hasReader, let request = try? NotificationRequest(requests[0]), !request.when.isEmpty,
      let time = try? LocalTime.current(),
      let trigger = try? request.when.trigger(made: time.now, rules: time.rules),
      let rules = try? time.rules(trigger.zone), let first = trigger.first(in: rules)
    else { return nil }
    return Self.remark(on: first, of: trigger, in: rules)
  }

  static func remark(on first: Trigger.Occurrence, of trigger: Trigger, in rules: ZoneRules) -> String {
    (trigger.repeats ? "first on " : "on ") + rules.text(first.instant) + (trigger.zone.map { " (\($0))" } ?? "")
      + (first.note(in: rules).map { "; \($0)" } ?? "")
  }

  // MARK: The answer

  /// How long after the close a click may still come: some servers tell of the close first.
  private static let graceAfterClose: Duration = .milliseconds(500)

  private func answer(to id: String, in events: AsyncStream<CenterEvent>, on loop: EventLoop) async -> Int32 {
    let (answers, continuation) = AsyncStream<Response?>.makeStream()
    let app = if case .text(let app) = requests[0]["app"] { app } else { NotificationRequest.usualApp }
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
