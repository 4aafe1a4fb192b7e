// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// The page *Upcoming*: what is not shown yet, below the heading of its day.
package struct UpcomingList: Sendable {
  package private(set) var entries: [DayEntry<UpcomingRow>] = []
  private var rows: [ListedRequest] = []
  /// What they say, made once: there may be thousands.
  private var made: [UpcomingRow] = []
  private var rules: ZoneRules?
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
    if muted != self.muted || clock.rules !== rules { made = [] }
    if made.isEmpty {
      (self.rows, self.muted, self.rules) = (rows, muted, clock.rules)
      made = rows.map { make($0, clock) }
    } else if let change = ListChange(from: self.rows, to: rows) {
      self.rows = rows
      made.replaceSubrange(
        change.position..<change.position + change.removed,
        with: rows[change.position..<change.position + change.added].map { make($0, clock) })
    }
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
    if clock.rules !== rules {
      rules = clock.rules
      made = rows.map { make($0, clock) }
    }
    let old = entries
    let shown = hidden.isEmpty ? made : made.filter { !hidden.contains($0.name) }
    entries = DayEntry.entries(shown) { row in
      row.next.map { clock.day($0) } ?? (row.request.state == .due ? "Due" : "Waiting for a condition")
    }
    return ListChange(from: old, to: entries)
  }

  private func make(_ row: ListedRequest, _ clock: LocalClock) -> UpcomingRow {
    UpcomingRow(row, clock, isMuted: muted.contains(RequestName(row)))
  }
}
