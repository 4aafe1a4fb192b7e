// SPDX-License-Identifier: Apache-2.0

/// A row of a list by day.
package protocol DayRow: Hashable, Sendable {
  /// The time of day; empty if it has none.
  var time: String { get }
  var title: String { get }
  /// The line below the title.
  func subtitle(_ clock: LocalClock) -> String
  /// What a screen reader says.
  func spoken(_ clock: LocalClock) -> String
  /// Whether the other one is an earlier or a later version of this row.
  func isVersion(of other: Self) -> Bool
}

/// A line of a list by day. The first one of a day has its heading: a heading of its own would be a line that the
/// keyboard stops at, although nothing can be done there.
package struct DayEntry<Row: DayRow>: Hashable, Sendable {
  package let heading: String?
  package let row: Row

  /// The lines for rows, which are in order.
  package static func entries(_ rows: [Row], day: (Row) -> String) -> [DayEntry] {
    var heading: String?
    return rows.map { row in
      let day = day(row)
      defer { heading = day }
      return DayEntry(heading: day == heading ? nil : day, row: row)
    }
  }

  /// Where the keyboard goes when the row that has it is replaced: to that row at its new place, or else to the row at
  /// its old one. Returns nil if there are no lines.
  package static func successor(of position: Int, in old: [DayEntry], _ new: [DayEntry]) -> Int? {
    let row = old[position].row
    // A request that is due and comes again has two rows, the later one behind the other.
    let same = new.lastIndex { $0.row == row } ?? new.lastIndex { $0.row.isVersion(of: row) }
    return same ?? (new.isEmpty ? nil : min(position, new.count - 1))
  }
}
