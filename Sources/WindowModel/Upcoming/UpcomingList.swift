// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// The page *Upcoming*: what is not shown yet, below the heading of its day.
package struct UpcomingList: Sendable {
  /// A line of the page. The first one of a day has its heading: a heading of its own would be a line that the keyboard
  /// stops at, although nothing can be done there.
  package struct Entry: Hashable, Sendable {
    package let heading: String?
    package let row: UpcomingRow
  }

  package private(set) var entries: [Entry] = []
  private var rows: [ListedRequest] = []
  /// Requests that the user has cancelled, as long as that can be undone: they are not shown, and still stored.
  private var hidden: Set<RequestName> = []

  package init() {}

  /// Whether there is nothing to show.
  package var isEmpty: Bool { entries.isEmpty }

  /// The row of a request; nil if it is not here, or hidden.
  package func row(_ name: RequestName) -> UpcomingRow? {
    entries.first { $0.row.name == name }?.row
  }

  /// Takes the rows that the center listed, in its order.
  package mutating func show(_ rows: [ListedRequest], _ clock: LocalClock) -> ListChange? {
    self.rows = rows
    return arrange(clock)
  }

  package mutating func hide(_ name: RequestName, _ clock: LocalClock) -> ListChange? {
    hidden.insert(name)
    return arrange(clock)
  }

  package mutating func unhide(_ name: RequestName, _ clock: LocalClock) -> ListChange? {
    hidden.remove(name)
    return arrange(clock)
  }

  /// Arranges the rows anew, because it is another day; returns what changed.
  package mutating func arrange(_ clock: LocalClock) -> ListChange? {
    let old = entries
    entries = []
    var heading: String?
    for row in rows where !hidden.contains(RequestName(row)) {
      let row = UpcomingRow(row, clock)
      let day = row.next.map { clock.day($0) } ?? (row.request.state == .due ? "Due" : "Waiting for a condition")
      entries.append(Entry(heading: day == heading ? nil : day, row: row))
      heading = day
    }
    return ListChange(from: old, to: entries)
  }
}
