internal import CenterClient
// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

/// Selects rows of the history: by id, by date and by state.
struct HistoryFilter {
  /// An id or a title.
  var id: String?
  var since: Instant?
  /// A state, or a reason as the column WHY shows it.
  var state: String?

  init(_ arguments: Arguments, time: LocalTime) throws(CommandError) {
    id = arguments.words.first
    since = try arguments.value("since").map { text throws(CommandError) in
      try PastTime.parse(text, "--since", time: time)
    }
    guard let state = arguments.value("state") else { return }
    if !Self.isKnown(state) {
      throw .data("'--state \(PrintableText.line(state, atMost: 60))' \(Self.problem(state))")
    }
    self.state = state
  }

  /// Whether it is a state, or a text that the column WHY can have.
  private static func isKnown(_ text: String) -> Bool {
    let word = text.replacing(/, [0-9]+ missed$/, with: "")
    return known.contains(word) || ["answered: ", "failed: "].contains(where: word.hasPrefix)
  }

  private static let known = HistoryCommand.states + HistoryCommand.reasons

  private static func problem(_ state: String) -> String {
    if ["pending", "snoozed"].contains(state) { return "has not been shown yet; see 'suzu list'" }
    if ["done", "unhandled", "running", "waiting", "refused", "lapsed"].contains(state.prefix { $0 != ":" }) {
      return "is an outcome, not a state; select it with --json, where it is called 'outcome'"
    }
    return "must be one of " + HistoryCommand.states.joined(separator: ", ")
      + ", or a word of the column WHY such as 'expired on screen'" + suggestion(for: state, among: known)
  }

  /// Whether it accepts every row.
  var isEmpty: Bool { id == nil && since == nil && state == nil }

  /// The filter as a function; nil if it accepts every row.
  var selection: ((ListedRequest) -> Bool)? {
    if isEmpty { return nil }
    return { accepts($0) }
  }

  func accepts(_ row: ListedRequest) -> Bool {
    if let id, !row.id.isIdentical(to: id), row.title != id { return false }
    if let state, !accepts(state, row) { return false }
    guard let since else { return true }
    return HistoryCommand.moment(of: row).flatMap { Instant(rfc3339: $0) }.map { $0 >= since } ?? false
  }

  private func accepts(_ state: String, _ row: ListedRequest) -> Bool {
    let shown = row.shownReason
    if [row.state.rawValue, row.ending, shown, HistoryCommand.column(row)].contains(state) { return true }
    return state == "answered" && shown.hasPrefix("answered: ")
  }
}
