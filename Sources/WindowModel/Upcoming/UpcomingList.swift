// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// The page *Upcoming*: what is not shown yet, below the heading of its day.
package struct UpcomingList: Sendable {
  /// A line of the page.
  package enum Entry: Hashable, Sendable {
    case day(String)
    case request(UpcomingRow)
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
    for case .request(let row) in entries where row.name == name { return row }
    return nil
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
      if day != heading {
        entries.append(.day(day))
        heading = day
      }
      entries.append(.request(row))
    }
    return ListChange(from: old, to: entries)
  }
}
