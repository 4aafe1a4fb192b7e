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
}
