// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// The page *History*: what has come, the latest first, below the heading of its day.
package struct HistoryList: Sendable {
  package private(set) var entries: [DayEntry<HistoryRow>] = []

  package init() {}

  /// Takes the rows that the center listed, in its order; returns what changed.
  package mutating func show(_ rows: [ListedRequest], _ clock: LocalClock) -> ListChange? {
    let old = entries
    entries = DayEntry.entries(rows.map { HistoryRow($0, clock) }) { row in
      row.moment.map { clock.day($0) } ?? "Without a date"
    }
    return ListChange(from: old, to: entries)
  }
}
