// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Zoneinfo

extension Verb {
  static let list = Verb(
    name: "list", synopsis: "[flags]", summary: "list requests that are not on the screen yet, the next one first",
    flags: [
      Flag("delivered", nil, "list the notifications on the screen instead"),
      Flag("app", "APP", completing: .apps, "list only this app's requests"),
      Flag("search", "TEXT", "list only requests with this text in their id, title, subtitle or body"),
      Flag("limit", letter: "n", "N", "list at most N requests"),
      Flag("json", nil, "print an array of requests with 'next', 'due', 'missedDates', 'state', 'snoozed'"),
    ],
    examples: [
      "suzu list",
      "suzu list --app org.example.Tea -n 10",
      "suzu list --search dentist",
      "suzu list --json | jq -r '.[] | select(.every) | .id'",
    ]
  ) { arguments, loop in
    try arguments.refuseWords()
    let limit = try arguments.count("limit")
    let isDelivered = arguments.has("delivered")
    if try await HomeList(isDelivered: isDelivered).print(arguments, limit: limit, on: loop) { return EX_OK }
    let center = try await Center.connect(on: loop)
    let app = arguments.value("app") ?? ""
    let filter = ListingFilter(search: try arguments.search())
    // The due ones are at the front of the history; looking at all of it would take long.
    let recent = isDelivered ? [] : try await center.history(app: app, limit: ListingPrinter.page).rows
    let snoozed = SnoozedRequests(recent)
    let search = filter.search.flatMap(TextSearch.init)
    let due = Array(recent.filter { $0.state == .due && search?.finds($0) != false }.reversed())
    let near = NearDates.onTerminal
    let columns = ListCommand.columns(isDelivered: isDelivered, in: LocalTime.rulesForTables, near: near)
    var group: ((ListedRequest) -> String)?
    if let near { group = { ListCommand.group($0, isDelivered: isDelivered, near) } }
    var printer = ListingPrinter(columns, arguments, group: group)
    let isAny = try await printer.run(limit: limit) { cursor, limit in
      if isDelivered { return try await center.delivered(app: app, filter, after: cursor, limit: limit) }
      // One page with both, because the first page decides the widths of the columns.
      let rows = cursor == nil ? due : []
      let pending = try await center.pending(app: app, filter, after: cursor, limit: max(1, limit - rows.count))
      return ListedPage(rows + pending.map(snoozed.marked), next: pending.next)
    }
    guard Console.hasReader else { return EX_OK }
    // Programs see the empty output, so the remarks are only for a terminal.
    if !isAny, let text = filter.search {
      let what = isDelivered ? "notification on the screen" : "pending request"
      Console.remark("nothing found: no \(what) has the text '\(PrintableText.line(text, atMost: 60))'")
    } else if !isAny {
      Console.remark(isDelivered ? "nothing is on the screen" : "no pending requests")
    }
    if due.contains(where: { $0.held != nil }), !arguments.has("json"), let report = try? await center.quiet(),
      let end = report.end
    {
      Console.remark("quiet \(QuietText(time: .current()).until(end)); see 'suzu quiet'")
    }
    if due.contains(where: { $0.held == nil }) && !arguments.has("json") {
      Console.remark("due requests wait for the notification server; see 'suzu doctor'")
    }
    return EX_OK
  }
}

/// `suzu list`: the columns of its table.
enum ListCommand {
  static func columns(
    isDelivered: Bool, in rules: ZoneRules, near: NearDates? = nil, database: ZoneDatabase = .system,
    time: LocalTime = .current()
  ) -> [ListingPrinter.Column] {
    let remaining = RemainingDates(time: time)
    let date = ListingPrinter.Column(isDelivered ? "DUE" : "NEXT", least: 24, rank: 2) { row in
      if !isDelivered, row.state == .pending, row.next == nil, let condition = condition(of: row) {
        return "when \(condition)"
      }
      let text = isDelivered ? row.due : row.next ?? row.due
      return near?.time(text) ?? rules.tableText(text)
    }
    return [
      date,
      ListingPrinter.Column("STATE", least: 7, rank: 2, isOptional: true) { row in
        isDelivered
          ? "" : row.state == .due ? (row.held == nil ? "due" : "held") : SnoozedRequests.isMarked(row) ? "snoozed" : ""
      },
      ListingPrinter.Column("AGAIN", least: 24, rank: 2, isOptional: true) { row in
        isDelivered ? rules.tableText(row.again) : ""
      },
      ListingPrinter.Column("APP", least: 13, rank: 3, usual: NotificationRequest.defaultApp) { $0.app },
      ListingPrinter.Column("ID", least: 10, rank: 1) { $0.id },
      ListingPrinter.Column("TITLE", least: 8, fair: 24, rank: 0) { $0.title },
      ListingPrinter.Column("REPEATS", least: 10, rank: 4) { row in
        let left = isDelivered ? nil : remaining.count(of: row)
        return repetition(row) + (left.map { ", \($0) left" } ?? "")
      },
      ListingPrinter.Column("THERE", least: 12, rank: 5, isOptional: true) { row in
        guard case .text(let zone)? = row.words["zone"] else { return "" }
        return there(isDelivered ? row.due : row.next ?? row.due, zone, rules, database)
      },
    ]
  }

  /// The heading of a row: its day.
  static func group(_ row: ListedRequest, isDelivered: Bool, _ near: NearDates) -> String {
    near.day(isDelivered ? row.due : row.next ?? row.due)
      ?? (condition(of: row) == nil ? "Without a date" : "Waiting for a condition")
  }

  /// The date in the zone of the request, since the other columns are in the machine's: `07:00 in America/New_York`.
  static func there(_ date: String?, _ zone: String, _ here: ZoneRules, _ database: ZoneDatabase) -> String {
    guard let instant = date.flatMap({ Instant(rfc3339: $0) }), let rules = database.knownZone(zone)?.rules else {
      return "in \(zone)"
    }
    let text = rules.shortText(instant)
    let isSameDay = text.prefix(14) == here.shortText(instant).prefix(14)
    return "\(isSameDay ? text.dropFirst(15) : text[...]) in \(zone)"
  }

  /// The condition that a row waits for; nil if it waits for a date.
  static func condition(of row: ListedRequest) -> String? {
    if case .text(let condition) = row.words["on"] { condition } else { nil }
  }

  /// The repetition, as the request says it.
  private static func repetition(_ row: ListedRequest) -> String {
    func text(_ word: String) -> String? {
      if case .text(let text) = row.words[word] { text } else { nil }
    }
    if let text = text("every") ?? text("rule") { return text }
    guard row.words["repeat"] == .flag(true) else { return "" }
    if condition(of: row) != nil { return "each time" }
    if case .dictionary(let parts) = row.words["match"] {
      return parts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.json)" }.joined(separator: ",")
    }
    return text("in") ?? ""
  }
}

extension ListingPrinter {
  init(_ columns: [Column], _ arguments: Arguments, group: ((ListedRequest) -> String)? = nil) {
    self.init(
      columns, isJSON: arguments.has("json"), width: Console.columns, ink: .output, group: group, print: Console.print)
  }
}

extension LocalTime {
  /// Falls back to UTC: a table is useful even if the zone's file cannot be read.
  static var rulesForTables: ZoneRules { (try? current().rules(nil)) ?? .utc }
}

extension ZoneRules {
  /// A time from the center, as this machine's clock shows it.
  func tableText(_ text: String?) -> String {
    guard let text else { return "" }
    return Instant(rfc3339: text).map { shortText($0) } ?? text
  }
}
