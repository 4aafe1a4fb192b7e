// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Zoneinfo

extension Verb {
  static let why = Verb(
    name: "why", synopsis: "ID|TITLE [flags]", summary: "say why a notification was shown, was late or was not shown",
    flags: [
      Flag(
        "app", "APP", completing: .apps,
        "name the app that owns it (default: \(NotificationRequest.defaultApp), or the only app that has it)"),
      Flag("count", letter: "n", "N", "print at most N of its dates (default: 10)"),
      Flag("json", nil, "print an array of objects with 'state', 'due', 'shown', 'late' (seconds) and 'why'"),
    ],
    words: [.pastIDs, .nothing],
    examples: [
      "suzu why backup",
      "suzu why alarm --json | jq -r '.[0].why'",
    ]
  ) { arguments, loop in
    guard let id = arguments.words.first else { throw CommandError.usage("an id is missing") }
    try arguments.refuseWords(after: 1)
    let app = arguments.value("app") ?? NotificationRequest.defaultApp
    guard let count = Int(arguments.value("count") ?? "10"), count > 0 else {
      throw CommandError.usage("'--count' needs a positive integer")
    }
    let center = try await Center.connect(on: loop)
    let rows = try await WhyCommand(center: center, app: app, isAppGiven: arguments.has("app"))
      .reasons(of: id, limit: count)
    if arguments.has("json") {
      Console.print("[" + rows.map { PlainValue.dictionary(WhyCommand.words($0)).json }.joined(separator: ",\n ") + "]")
    } else {
      let rules = LocalTime.rulesForTables
      Console.print(
        rows.map { PrintableText.line(WhyCommand.line($0, in: rules), atMost: 1000) }.joined(separator: "\n"))
      let search = StoredRequestSearch(center: center)
      if let row = rows.first, let remark = await search.remarkOnCopy(of: row, in: rules) { Console.remark(remark) }
    }
    return EX_OK
  }
}

/// `suzu why`: finds the dates of a request, and what it prints about each.
private struct WhyCommand {
  let center: Center
  let app: String
  let isAppGiven: Bool

  /// The dates of the request with that id or, if there is none, of the only one with that title; of another app, if
  /// the user named none and only one has it.
  func reasons(of text: String, limit: Int) async throws -> [ListedRequest] {
    let rows = try await center.reasons(text, app: app, limit: limit)
    if !rows.isEmpty { return rows }
    let search = StoredRequestSearch(center: center)
    for place in [StoredRequestSearch.Place.pending, .delivered, .history] {
      let titled = try await search.titled([text], app: app, in: place)
      // The dates of one request are several rows of the history.
      var ids: Set<Identifier> = []
      let distinct = titled.filter { ids.insert(Identifier($0.id)).inserted }
      if distinct.count > 1 { throw StoredRequestSearch.ambiguous(text, distinct) }
      if let row = distinct.first { return try await center.reasons(row.id, app: app, limit: limit) }
    }
    if let other = try await search.elsewhere(text, for: "why", isAppGiven: isAppGiven) {
      Console.remark("app: \(PrintableText.line(other.app, atMost: 255))")
      return try await center.reasons(other.id, app: other.app, limit: limit)
    }
    throw await search.missing(text, app: app, verb: "why")
  }

  static func line(_ row: ListedRequest, in rules: ZoneRules) -> String {
    if row.state != .pending, let end = HistoryCommand.moment(of: row), let due = row.due, end != due {
      // What was cancelled long before its date has not happened on that date.
      return "\(rules.tableText(end)): \(row.why ?? ""); it was due on \(rules.tableText(due))"
    }
    let date = row.state == .pending ? row.next : row.due
    return (date.map { rules.tableText($0) } ?? "now") + ": " + (row.why ?? "")
  }

  /// For programs: what the reason is made of, without the request.
  static func words(_ row: ListedRequest) -> [String: PlainValue] {
    let keys: [ListingKey] = [
      .state, .why, .late, .next, .due, .noticed, .shown, .closed, .reason, .missedDates, .event, .holds, .obstacle,
      .again, .held, .heldBy,
      .showings, .shownCount, .pushes,
    ]
    return row.words.filter { word in keys.contains { $0.rawValue == word.key } }
  }
}
