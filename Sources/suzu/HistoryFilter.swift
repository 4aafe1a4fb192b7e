// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import Zoneinfo

/// Selects rows of the history: by id, by date, by text and by state.
struct HistoryFilter {
  /// An id or a title.
  var id: String?
  /// A moment and a text, by which the center selects.
  var since: Instant?
  var search: String?
  /// A state, or a reason as the column WHY shows it.
  var state: String?

  init(_ arguments: Arguments, time: LocalTime) throws(CommandError) {
    id = arguments.words.first
    since = try arguments.value("since").map { text throws(CommandError) in
      try PastTime.parse(text, "--since", time: time)
    }
    search = try arguments.search()
    guard let state = arguments.value("state") else { return }
    if !Self.isKnown(state) {
      throw .data("'--state \(PrintableText.line(state, atMost: 60))' \(Self.problem(state))")
    }
    self.state = state
  }

  /// Whether it is a state, or a text that the column WHY can have.
  private static func isKnown(_ text: String) -> Bool {
    let word = text.replacing(/, [0-9]+ missed$/, with: "")
    return known.contains(word) || ["answered: ", "failed: ", "held until "].contains(where: word.hasPrefix)
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
  var isEmpty: Bool { id == nil && since == nil && state == nil && search == nil }

  /// What the center does not select by itself, as a function; nil if that is nothing.
  var selection: ((ListedRequest) -> Bool)? {
    if id == nil && state == nil { return nil }
    return { accepts($0) }
  }

  func accepts(_ row: ListedRequest) -> Bool {
    if let id, !row.id.isIdentical(to: id), row.title != id { return false }
    return state.map { accepts($0, row) } ?? true
  }

  private func accepts(_ state: String, _ row: ListedRequest) -> Bool {
    let shown = row.shownReason
    if [row.state.rawValue, row.ending, shown, HistoryCommand.column(row)].contains(state) { return true }
    return state == "answered" && shown.hasPrefix("answered: ")
  }
}

extension Arguments {
  /// The text of `--search`.
  func search() throws(CommandError) -> String? {
    guard let text = value("search") else { return nil }
    guard 1...TextSearch.longest ~= text.utf8.count else {
      throw .data("'--search' must be a text of 1 to \(TextSearch.longest) bytes")
    }
    return text
  }
}
