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
    let search = StoredRequestSearch(center: try await Center.connect(on: loop))
    var rows = [try await search.find(id, app: app).pending].compactMap { $0 }
    rows += try await search.past(id, app: app, count: count)
    guard !rows.isEmpty else { throw await search.missing(id, app: app) }
    let reasons = rows.map { Reason($0) }
    if arguments.has("json") {
      Console.print("[" + reasons.map { PlainValue.dictionary($0.words).json }.joined(separator: ",\n ") + "]")
    } else {
      let rules = LocalTime.rulesForTables
      Console.print(reasons.map { PrintableText.line($0.line(in: rules), atMost: 1000) }.joined(separator: "\n"))
    }
    return EX_OK
  }
}

/// Why a date of a request was shown, late or not shown, in a sentence.
struct Reason {
  private let row: ListedRequest
  private let occasions: Schedule.Occasions?

  /// Less than this is not called late.
  private static let punctual: Int64 = 60

  init(_ row: ListedRequest) {
    self.row = row
    occasions = (try? row.request())?.schedule.occasions
  }

  func line(in rules: ZoneRules) -> String {
    let date = row.state == .pending ? row.next : row.due
    return (date.map { rules.tableText($0) } ?? "now") + ": " + text
  }

  /// For programs.
  var words: [String: PlainValue] {
    var words: [String: PlainValue] = ["state": .text(row.state.rawValue), "why": .text(text)]
    for key in [ListingKey.next, .due, .noticed, .shown, .closed, .reason, .missedDates, .event, .holds, .obstacle] {
      words[key.rawValue] = row.words[key.rawValue]
    }
    if let late { words["late"] = .integer(late) }
    return words
  }

  // MARK: Sentences

  private var text: String {
    switch row.state {
    case .pending: pending
    case .due:
      "has come" + cause + ", and waits until the notification server accepts it or you allow its app; see "
        + "'suzu doctor' and 'suzu apps'"
    case .expired: "did not come: it was later than its 'grace' allows" + noticed
    case .skipped: "did not come: it was missed, and its 'missed' is 'skip'" + noticed
    case .folded: "came as a part of a digest: too many notifications of its app came at once"
    case .failed: "did not come: " + (row.reason ?? "the notification server rejected it")
    default: row.shown == nil ? unseen : seen
    }
  }

  private var pending: String {
    guard let occasions else { return row.next == nil ? "waits: its next date is not known" : "will come then" }
    if let obstacle = row.obstacle {
      return "waits for \(occasions.condition.text): nothing is known, because \(obstacle)"
    }
    let state = row.holds.map { $0 ? ", which is true now" : ", which is false now" } ?? ""
    let isLate =
      row.holds == true && occasions.condition.edge == .enter
      || row.holds == false
        && occasions.condition.edge == .leave
    let must = isLate && occasions.condition.hold == nil ? " and must change back first" : ""
    let never = row.met == nil ? "; that has not happened yet" : ""
    return "waits for '\(occasions.condition.text)'" + state + must + never
  }

  private var seen: String {
    var text = "came" + cause
    if let late, late >= Self.punctual {
      text += ", \(Duration.seconds(late).text) late" + (noticed.isEmpty ? Self.whileServer : noticed)
    } else if row.event["late"] == nil {
      text += ", on time"
    }
    if row.missed > 0 { text += "; it stands for \(row.missed) more" }
    if row.state == .delivered { return text + "; it is on the screen" }
    return text + "; then: " + HistoryCommand.why(row) + (row.outcome.map { " (\($0.description))" } ?? "")
  }

  private var unseen: String {
    switch row.reason.flatMap(RequestEnd.init(rawValue:)) {
    case .cancelled: "did not come: it was cancelled before"
    case .replaced: "did not come: a newer request with this id replaced it"
    case .notAllowed: "did not come: you do not allow its app to notify you, or to know this; see 'suzu apps'"
    case .presented: "came: its app was in front, and showed it itself"
    default: "did not come: " + (row.reason ?? "the reason is not known")
    }
  }

  /// What it came for.
  private var cause: String {
    guard case .text(let condition)? = row.event["condition"] else { return "" }
    let details = row.event.filter { !["condition", "edge", "late"].contains($0.key) }.sorted { $0.key < $1.key }
      .prefix(4).map { key, value in
        if case .text(let text) = value { "\(key) \(text)" } else { key }
      }
    let late = row.event["late"] == nil ? "" : ", while the center did not run"
    return " because of '\(condition)'" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))") + late
  }

  private static let whileServer = ": until then, no notification server accepted it, or its app was not allowed yet"

  private var noticed: String {
    row.noticed == nil ? "" : ": until then, the center did not run, or the machine slept or was off"
  }

  /// How late it was shown, in seconds.
  private var late: Int64? {
    guard let due = row.due.flatMap({ Instant(rfc3339: $0) }), let shown = row.shown.flatMap({ Instant(rfc3339: $0) })
    else { return nil }
    return max(0, shown.seconds - due.seconds)
  }
}

extension StoredRequestSearch {
  /// The latest dates with this id that have come, newest first.
  func past(_ id: String, app: String, count: Int) async throws(SuzuError) -> [ListedRequest] {
    var found: [ListedRequest] = []
    var offset = 0
    while found.count < count {
      let page = try await center.history(app: app, offset: offset, limit: ListingPrinter.page)
      if page.isEmpty { break }
      found += page.filter { Identifier($0.id) == Identifier(id) }
      offset += page.count
    }
    return Array(found.prefix(count))
  }
}
