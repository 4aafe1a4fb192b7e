// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Zoneinfo

extension Verb {
  static let mute = Verb(
    name: "mute", synopsis: "ID DURATION|TIME|off | --list",
    summary: "do not show a notification for a while",
    flags: [
      Flag(
        "app", "APP", completing: .apps, "set the app that owns it (default: \(NotificationRequest.defaultApp))"),
      Flag("list", nil, "list what is muted, and until when"),
      Flag("json", nil, "with --list: print an array of objects with 'app', 'id', 'until'"),
    ],
    words: [.ids, .words(["15m", "1h", "8h", "tomorrow 08:00", "off"])],
    notes: [
      "Until then, notifications with this id are only recorded in the history, as 'muted'; one that is on the screen",
      "stays there. After the time, or 'off', new ones are shown again. No request needs to have the id yet.",
    ],
    examples: [
      "suzu mute backup 1h",
      "suzu mute backup 'tomorrow 08:00'",
      "suzu mute backup off",
      "suzu mute --list",
    ]
  ) { arguments, loop in
    if arguments.has("list") {
      try arguments.refuseWords()
      return try await MuteCommand.list(arguments, on: loop)
    }
    if arguments.has("json") { throw CommandError.usage("'--json' needs '--list'") }
    try await MuteCommand(arguments).run(on: loop)
    return EX_OK
  }
}

/// `suzu mute`: keeps the notifications of a request away for a while.
struct MuteCommand {
  private let app: AppID
  private let id: RequestID
  /// When it ends; nil if it ends now.
  private let end: Instant?

  init(_ arguments: Arguments, time: LocalTime = .current()) throws(CommandError) {
    guard let id = arguments.words.first else { throw .usage("an id is missing") }
    guard arguments.words.count > 1 else {
      throw .usage("a time is missing: suzu mute \(CommandWords.quoted(id)) 1h, or 'off'")
    }
    try arguments.refuseWords(after: 2)
    do throws(RequestError) {
      self.id = try RequestID(id)
      app = try AppID(arguments.value("app") ?? NotificationRequest.defaultApp)
    } catch {
      throw .data(
        "'\(PrintableText.line(error.key == "app" ? arguments.value("app") ?? "" : id, atMost: 60))' \(error.problem)")
    }
    end =
      arguments.words[1] == "off"
      ? nil
      : try TypedEnd.moment(
        arguments.words[1], time, mustBe: "a duration such as 1h, a time such as 'tomorrow 08:00', or off")
  }

  func run(on loop: EventLoop) async throws {
    let center = try await Center.connect(on: loop)
    if let end {
      try await center.mute(Mute(id, of: app, until: end.seconds))
      if Console.hasReader, let rules = try? LocalTime.current().rules(nil) {
        Console.remark("muted until " + rules.text(end))
      }
    } else {
      guard try await center.mutes().contains(where: { $0.id == id && $0.app == app }) else {
        throw CommandError.data("'\(PrintableText.line(id.text, atMost: 60))' is not muted")
      }
      try await center.unmute(id, of: app)
    }
  }

  // MARK: The list

  static func list(_ arguments: Arguments, on loop: EventLoop) async throws -> Int32 {
    var mutes = try await Center.connect(on: loop).mutes()
    if let app = arguments.value("app") { mutes = mutes.filter { $0.app.text.isIdentical(to: app) } }
    let rules = try LocalTime.current().rules(nil)
    if arguments.has("json") {
      let rows = mutes.map { mute in
        let end = PlainValue.text(Timestamp.text(time_t(mute.until)))
        return PlainValue.dictionary(mute.plain.merging(["until": end]) { $1 }).json
      }
      Console.print("[" + rows.joined(separator: ",\n ") + "]")
      return EX_OK
    }
    guard !mutes.isEmpty else {
      if Console.hasReader { Console.remark("nothing is muted") }
      return EX_OK
    }
    let rows = mutes.map { mute in
      [
        rules.text(Instant(mute.until)), PrintableText.line(mute.app.text, atMost: 100),
        PrintableText.line(mute.id.text, atMost: 255),
      ]
    }
    let columns = [
      Table.Column("UNTIL", least: 12, rank: 0), Table.Column("APP", least: 8, rank: 2),
      Table.Column("ID", least: 8, rank: 1),
    ]
    Console.print(Table(columns, rows: rows, width: Console.columns).text(rows, .output))
    return EX_OK
  }
}
