// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Zoneinfo

extension Verb {
  static let history = Verb(
    name: "history", synopsis: "[ID|TITLE] [flags]",
    summary: "list past notifications and their outcomes, the latest first",
    flags: [
      Flag("app", "APP", completing: .apps, "list only this app's requests"),
      Flag("search", "TEXT", "list only those with this text in their id, title, subtitle or body"),
      Flag(
        "since", "TIME", "list only what happened since then: 2h, today, yesterday, 'mon 07:30', '2026-11-21 07:30'"),
      Flag(
        "state", "STATE", completing: .words(HistoryCommand.states + HistoryCommand.reasons),
        "list only: "
          + HistoryCommand.states.map { $0 == "expired" ? "expired (too late)" : $0 }.joined(separator: ", ")
          + "; or any WHY"),
      Flag("limit", letter: "n", "N", "list at most N requests"),
      Flag("json", nil, "print an array of requests with 'due', 'missedDates', 'state', 'outcome'"),
    ] + HistoryClearing.flags,
    words: [.pastIDs, .nothing],
    examples: [
      "suzu history -n 20",
      "suzu history backup --since yesterday",
      "suzu history --search invoice --since 7d",
      "suzu history --state failed",
      "suzu history --app org.example.Backup",
      "suzu history --clear --before 7d",
      "suzu history --json | jq -r '.[] | select(.outcome != \"done\") | .title'",
    ]
  ) { arguments, loop in
    if let clearing = try HistoryClearing(arguments, time: LocalTime.current()) {
      return try await clearing.run(on: try await Center.connect(on: loop))
    }
    try arguments.refuseWords(after: 1)
    let limit = try arguments.count("limit")
    let filter = try HistoryFilter(arguments, time: LocalTime.current())
    let center = try await Center.connect(on: loop)
    let app = arguments.value("app") ?? ""
    let near = NearDates.onTerminal
    var group: ((ListedRequest) -> String)?
    if let near { group = { near.day(HistoryCommand.moment(of: $0)) ?? "Without a date" } }
    let columns = HistoryCommand.columns(in: LocalTime.rulesForTables, near: near)
    var printer = ListingPrinter(columns, arguments, group: group)
    let listing = ListingFilter(since: filter.since.map { max(0, $0.seconds) }, search: filter.search)
    let isAny = try await printer.run(limit: limit, where: filter.selection) { cursor, limit in
      try await center.history(app: app, listing, after: cursor, limit: limit)
    }
    if !isAny, let remark = try await HistoryCommand.absence(filter, app: app, center) { Console.remark(remark) }
    return EX_OK
  }
}

/// `suzu history`: the columns of its table.
enum HistoryCommand {
  /// The states that a row of the history can have.
  static let states = [
    ListedRequest.State.due, .delivered, .unanswered, .closed, .expired, .skipped, .folded, .failed,
  ].map(\.rawValue)

  /// The words of the column WHY that are not also states. `answered` stands for each button.
  static let reasons =
    RequestEnd.allCases.map(\.listedText).filter { !states.contains($0) }
    + ["edited", "answered", ListedRequest.onScreen, ListedRequest.waits]

  /// A line about an empty listing: alone, it would not say whether the filter is right. Nil if there is no reader for
  /// it; throws if no request has the id or title.
  static func absence(_ filter: HistoryFilter, app: String, _ center: Center) async throws -> String? {
    if let text = filter.search, filter.id == nil {
      return "nothing found: the history has no such notification with the text "
        + "'\(PrintableText.line(text, atMost: 60))'"
    }
    if filter.isEmpty {
      guard Console.hasReader else { return nil }
      let name = PrintableText.line(app, atMost: 60)
      return app.isEmpty ? "the history is empty" : "nothing found: the history has no notification of '\(name)'"
    }
    guard let id = filter.id else { return "nothing found: the history has no such notification" }
    let name = PrintableText.line(id, atMost: 60)
    let search = StoredRequestSearch(center: center)
    let found = try await search.find(id, app: app)
    var isPending = found.pending != nil && found.delivered == nil
    if found.first == nil { isPending = try await !search.titled([id], app: app, in: .pending).isEmpty }
    // With another filter, its dates may be in the history all the same.
    if isPending, filter.since == nil, filter.search == nil, filter.state == nil {
      return "nothing found: '\(name)' is scheduled; see 'suzu show \(CommandWords.quoted(id))'"
    }
    var isKnown = isPending || found.first != nil
    if !isKnown { isKnown = try await !search.titled([id], app: app, in: .history).isEmpty }
    guard isKnown else {
      throw await search.missing(
        [id], app: app, what: "no request", in: StoredRequestSearch.Place.all, see: "suzu history",
        verb: "history")
    }
    return "nothing found: '\(name)' has no such date in the history"
  }

  static func columns(in rules: ZoneRules, near: NearDates? = nil) -> [ListingPrinter.Column] {
    [
      ListingPrinter.Column("WHEN", least: 24, rank: 2) {
        near?.time(moment(of: $0)) ?? rules.tableText(moment(of: $0))
      },
      ListingPrinter.Column("SHOWN", least: 5, rank: 2) { $0.shown == nil ? "no" : "yes" },
      ListingPrinter.Column("WHY", least: 9, rank: 1, column),
      ListingPrinter.Column("APP", least: 13, rank: 5, usual: NotificationRequest.defaultApp) { $0.app },
      // 'suzu show' needs it.
      ListingPrinter.Column("ID", least: 10, rank: 2) { $0.id },
      ListingPrinter.Column("TITLE", least: 8, fair: 24, rank: 0) { $0.title },
      ListingPrinter.Column("ASKED BY", least: 8, rank: 4, isOptional: true) { $0.askedBy ?? "" },
      ListingPrinter.Column("HELD BY", least: 8, rank: 4, isOptional: true) { $0.heldBy.map(holder) ?? "" },
      ListingPrinter.Column("OUTCOME", least: 12, rank: 3) { $0.outcome?.description ?? "" },
    ]
  }

  /// When it happened: at its date or, if it was cancelled or edited before that, then. The history is in this order,
  /// and a date of the future would hide that.
  static func moment(of row: ListedRequest) -> String? {
    guard row.shown == nil, case .text(let closed)? = row.words["closed"], let end = Instant(rfc3339: closed),
      let due = row.due.flatMap({ Instant(rfc3339: $0) }), end < due
    else { return row.due }
    return closed
  }

  /// What has held a notification.
  private static func holder(_ holder: ListedRequest.Holder) -> String {
    switch holder {
    case .quiet: "quiet hours"
    case .delivery: "delivery times"
    case .away: "absence"
    default: PrintableText.line(holder.rawValue, atMost: 20)
    }
  }

  /// The text of the column WHY.
  static func column(_ row: ListedRequest) -> String {
    [row.shownReason, snoozedUntil(row), row.missed > 0 ? "\(row.missed) missed" : nil].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// What the user has chosen of the times of a button.
  private static func snoozedUntil(_ row: ListedRequest) -> String? {
    guard let pressed = row.action, case .text(let time)? = row.words["reply"],
      case .list(let actions)? = row.words["actions"]
    else { return nil }
    for case .dictionary(let action) in actions where action["id"] == .text(pressed) {
      if case .list? = action["snooze"] { return PrintableText.line(time, atMost: 40) }
    }
    return nil
  }
}
