// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A request that waits for a condition, as a row of the page *Events*.
package struct EventRow: DayRow {
  package let name: RequestName
  package let title: String
  package let request: ListedRequest
  private let remarks: [String]

  init(_ row: ListedRequest, isMuted: Bool) {
    request = row
    name = RequestName(row)
    let title = ShownText.line(row.title)
    self.title = title.isEmpty ? ShownText.line(row.id) : title
    var remarks = ["when \(ConditionText.words(row.text(of: "on") ?? ""))"]
    remarks.append(row.words["repeat"] == .flag(true) ? "each time" : "once")
    if let during = row.text(of: "during") { remarks.append("only \(ShownText.isolated(during, atMost: 60))") }
    if isMuted { remarks.append("muted") }
    if let obstacle = row.obstacle {
      remarks.append("not known now: \(ShownText.isolated(obstacle, atMost: 120))")
    } else if let holds = row.holds {
      remarks.append(holds ? "so now" : "not so now")
    }
    self.remarks = remarks
  }

  package var time: String { "" }

  package func isVersion(of other: EventRow) -> Bool { name == other.name }

  package func subtitle(_ clock: LocalClock) -> String { remarks.joined(separator: " · ") }

  package func spoken(_ clock: LocalClock) -> String { ([title] + remarks).joined(separator: ", ") }
}

/// The page *Events*: the requests of the command's app that wait for a condition, by their titles.
package struct EventsList: Sendable {
  package private(set) var entries: [DayEntry<EventRow>] = []
  private var rows: [ListedRequest] = []
  private var muted: Set<RequestName> = []
  /// Requests that the user has deleted, as long as that can be undone.
  private var hidden: Set<RequestName> = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  package mutating func show(_ rows: [ListedRequest], muted: Set<RequestName>) -> ListChange? {
    (self.rows, self.muted) = (rows, muted)
    return arrange()
  }

  package mutating func hide(_ name: RequestName) -> ListChange? {
    hidden.insert(name)
    return arrange()
  }

  package mutating func unhide(_ name: RequestName) -> ListChange? {
    hidden.remove(name)
    return arrange()
  }

  private mutating func arrange() -> ListChange? {
    let old = entries
    let shown = rows.map { EventRow($0, isMuted: muted.contains(RequestName($0))) }
      .filter { !hidden.contains($0.name) }
      .map { (key: $0.title.lowercased(), row: $0) }.sorted { ($0.key, $0.row.name.id) < ($1.key, $1.row.name.id) }
    entries = shown.map { DayEntry(heading: nil, row: $0.row) }
    return ListChange(from: old, to: entries)
  }
}
