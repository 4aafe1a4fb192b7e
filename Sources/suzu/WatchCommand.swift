// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let watch = Verb(
    name: "watch", synopsis: "[--json]", summary: "print events as they happen",
    flags: [Flag("json", nil, "print one JSON object per line")],
    examples: [
      "suzu watch",
      "suzu watch --json | jq -r --unbuffered .event",
    ]
  ) { arguments, loop in
    try arguments.refuseWords()
    let center = try await Center.connect(on: loop)
    let format = arguments.has("json") ? WatchCommand.json : WatchCommand.line
    for await event in try await center.events() {
      Console.print(format(event, Timestamp.now))
    }
    throw CommandError.unavailable("the center ended")
  }
}

/// `suzu watch`: prints one line per event.
enum WatchCommand {
  @Sendable static func line(_ event: CenterEvent, _ at: String) -> String {
    let what =
      switch event {
      case .delivered(let app, let id, let due, let missed, _): "delivered \(app) \(id)" + dates(due, missed)
      case .responded(let response):
        "responded \(response.app) \(response.id): \(response.action)" + (response.reply.map { " \"\($0)\"" } ?? "")
          + " (response \(response.number))" + dates(response.due, response.missed)
      case .closed(let app, let id, let reason): "closed \(app) \(id): \(reason.rawValue)"
      case .outcome(let response, let outcome): "outcome of response \(response): \(outcome)"
      }
    // Sanitize text from other programs.
    return PrintableText.line("\(at) \(what)", atMost: 4096)
  }

  private static func dates(_ due: String?, _ missed: Int) -> String {
    (due.map { ", due \($0)" } ?? "") + (missed > 0 ? ", \(missed) missed before" : "")
  }

  @Sendable static func json(_ event: CenterEvent, _ at: String) -> String {
    var fields: [String: PlainValue] = ["at": .text(at)]
    switch event {
    case .delivered(let app, let id, let due, let missed, _):
      fields["event"] = .text("delivered")
      fields["due"] = due.map { .text($0) }
      if missed > 0 { fields["missedDates"] = .integer(Int64(missed)) }
      fields["app"] = .text(app)
      fields["id"] = .text(id)
    case .responded(let response):
      fields["event"] = .text("responded")
      fields["app"] = .text(response.app)
      fields["id"] = .text(response.id)
      fields["action"] = .text(response.action)
      fields["response"] = .integer(Int64(clamping: response.number))
      fields["reply"] = response.reply.map { .text($0) }
      fields["due"] = response.due.map { .text($0) }
      if response.missed > 0 { fields["missedDates"] = .integer(Int64(response.missed)) }
      if !response.event.isEmpty { fields["details"] = .dictionary(response.event.mapValues { .text($0) }) }
    case .closed(let app, let id, let reason):
      fields["event"] = .text("closed")
      fields["app"] = .text(app)
      fields["id"] = .text(id)
      fields["reason"] = .text(reason.rawValue)
    case .outcome(let response, let outcome):
      fields["event"] = .text("outcome")
      fields["response"] = .integer(Int64(clamping: response))
      fields["outcome"] = .text(outcome.description)
    }
    return PlainValue.dictionary(fields).json
  }
}
