// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// The page *Upcoming*: what is not shown yet, below the heading of its day.
package struct UpcomingList: Sendable {
  package private(set) var entries: [DayEntry<UpcomingRow>] = []
  private var rows: [ListedRequest] = []
  private var muted: Set<RequestName> = []
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
  package mutating func show(
    _ rows: [ListedRequest], muted: Set<RequestName> = [], _ clock: LocalClock
  ) -> ListChange? {
    (self.rows, self.muted) = (rows, muted)
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
    let shown = rows.filter { !hidden.contains(RequestName($0)) }
      .map { UpcomingRow($0, clock, isMuted: muted.contains(RequestName($0))) }
    entries = DayEntry.entries(shown) { row in
      row.next.map { clock.day($0) } ?? (row.request.state == .due ? "Due" : "Waiting for a condition")
    }
    return ListChange(from: old, to: entries)
  }
}
