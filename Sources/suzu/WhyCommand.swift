// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu
internal import Zoneinfo

extension Verb {
  static let why = Verb(
    name: "why", synopsis: "ID [flags]", summary: "tell why a request came, came late or did not come",
    flags: [
      Flag("app", "APP", completing: .apps, "name the app that owns it (default: \(NotificationRequest.defaultApp))"),
      Flag("count", letter: "n", "N", "tell about this many of its dates at most (default: 10)"),
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
    let rows = try await center.reasons(id, app: app, limit: count)
    guard !rows.isEmpty else { throw await StoredRequestSearch(center: center).missing(id, app: app) }
    if arguments.has("json") {
      Console.print("[" + rows.map { PlainValue.dictionary(words($0)).json }.joined(separator: ",\n ") + "]")
    } else {
      let rules = LocalTime.rulesForTables
      Console.print(rows.map { PrintableText.line(line($0, in: rules), atMost: 1000) }.joined(separator: "\n"))
    }
    return EX_OK
  }

  private static func line(_ row: ListedRequest, in rules: ZoneRules) -> String {
    let date = row.state == .pending ? row.next : row.due
    return (date.map { rules.tableText($0) } ?? "now") + ": " + (row.why ?? "")
  }

  /// For programs: what the reason is made of, without the request.
  private static func words(_ row: ListedRequest) -> [String: PlainValue] {
    let keys: [ListingKey] = [
      .state, .why, .late, .next, .due, .noticed, .shown, .closed, .reason, .missedDates, .event, .holds, .obstacle,
    ]
    return row.words.filter { word in keys.contains { $0.rawValue == word.key } }
  }
}
