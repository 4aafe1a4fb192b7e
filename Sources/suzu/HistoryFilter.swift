// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Suzu
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
    let known = HistoryCommand.states + HistoryCommand.reasons
    guard known.contains(state) else {
      throw .usage(
        "'--state \(PrintableText.line(state, atMost: 60))' must be one of "
          + HistoryCommand.states.joined(separator: ", ") + ", or a word of the column WHY such as 'expired on screen'"
          + suggestion(for: state, among: known))
    }
    self.state = state
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
    if let state, row.state.rawValue != state, HistoryCommand.why(row) != state { return false }
    guard let since else { return true }
    return row.due.flatMap { Instant(rfc3339: $0) }.map { $0 >= since } ?? false
  }
}
