// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Zoneinfo

extension Verb {
  static let show = Verb(
    name: "show", synopsis: "ID|TITLE [flags]", summary: "show a request with its state and all its keys",
    flags: [
      Flag(
        "app", "APP", completing: .apps,
        "name the app that owns it (default: \(NotificationRequest.defaultApp), or the only app that has it)"),
      Flag("json", nil, "print an object, which 'notify --file' accepts"),
    ],
    words: [.ids, .nothing],
    examples: [
      "suzu show alarm",
      "suzu show alarm --json | jq -r .every",
    ]
  ) { arguments, loop in
    guard let id = arguments.words.first else { throw CommandError.usage("an id is missing") }
    try arguments.refuseWords(after: 1)
    var app = arguments.value("app") ?? NotificationRequest.defaultApp
    let search = StoredRequestSearch(center: try await Center.connect(on: loop))
    var found = try await search.find(idOrTitle: id, app: app)
    let isPast = found.first == nil ? try await !search.titled([id], app: app, in: .history).isEmpty : false
    // Its lines say whose it is.
    if found.first == nil, !isPast,
      let other = try await search.elsewhere(id, for: "show", isAppGiven: arguments.has("app"))
    {
      app = other.app
      found = try await search.find(other.id, app: app)
    }
    guard var row = found.first else {
      // A title may be that of many past notifications.
      if isPast {
        let name = PrintableText.line(id, atMost: 60)
        throw CommandError.data("only the history knows the title '\(name)'; use 'suzu history' with it, or its id")
      }
      throw await search.missing(id, app: app, verb: "show")
    }
    if row.state == .pending, ["in", "at", "on"].contains(where: { row.words[$0] != nil }) {
      row = SnoozedRequests(try await search.center.history(app: app, limit: ListingPrinter.page).rows).marked(row)
    }
    Console.print(
      arguments.has("json")
        ? PlainValue.dictionary(row.words).json
        : ShowCommand.text(row, alsoShown: found.pending == nil ? nil : found.delivered, in: LocalTime.rulesForTables))
    if !arguments.has("json"), let remark = await search.remarkOnCopy(of: row, in: LocalTime.rulesForTables) {
      Console.remark(remark)
    }
    return EX_OK
  }
}

/// `suzu show`: a request as lines of `key: value`.
enum ShowCommand {
  /// - Parameter alsoShown: the notification on the screen with the id of a pending request.
  static func text(
    _ row: ListedRequest, alsoShown: ListedRequest?, in rules: ZoneRules, now: Instant = LocalTime.current().now
  ) -> String {
    let snoozed = row.next.map { "snoozed until \(rules.tableText($0))" } ?? "snoozed"
    let state = SnoozedRequests.isMarked(row) ? snoozed : row.state.rawValue
    var lines = [("id", row.id), ("app", row.app), ("state", state)]
    func add(_ key: String, date: String?) {
      if let date { lines.append((key, rules.tableText(date))) }
    }
    if let next = row.next {
      var text = rules.tableText(next)
      // The other words are in that zone.
      if case .text(let zone)? = row.words["zone"] { text += " (\(ListCommand.there(next, zone, rules, .system)))" }
      lines.append(("next", text))
    }
    add("due", date: row.due)
    if let alsoShown { add("on the screen", date: alsoShown.due) }
    add("shown", date: row.shown)
    // Of very many showings, the latest ones say enough.
    for showing in row.showings.dropFirst().suffix(10) {
      lines.append(("shown again", rules.tableText(showing.at) + (showing.step > 0 ? " (step \(showing.step))" : "")))
    }
    if row.shownCount > 11 { lines.append(("shown in all", "\(row.shownCount) times")) }
    for push in row.pushes {
      lines.append(("step \(push.step)", push.words + (push.at.map { ", \(rules.tableText($0))" } ?? "")))
    }
    add("comes again", date: row.again)
    if case .text(let date)? = row.words["closed"] { add("closed", date: date) }
    // The same words as in the history: `expired` alone is also the state of a date that came too late.
    if ![.pending, .due, .delivered, .unanswered].contains(row.state) {
      lines.append(("reason", row.shownReason))
    }
    for key in ["action", "reply", "outcome"] {
      if case .text(let text)? = row.words[key] { lines.append((key, text)) }
    }
    lines += ConditionAnswer(row)?.lines ?? []
    if row.missed > 0 { lines.append(("missed dates", "\(row.missed)")) }
    lines += ShownWords(row, in: rules, now: now).lines
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { key, value in
      // A text with several lines keeps them.
      let parts = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { PrintableText.line(String($0), atMost: 4000) }
      return (key + ":").padding(to: width + 3) + parts.joined(separator: "\n".padding(to: width + 4))
    }.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padding(to length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}
