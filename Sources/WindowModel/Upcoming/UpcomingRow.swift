// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
package import Zoneinfo

/// A request that is not shown yet, as a row of the page *Upcoming*.
package struct UpcomingRow: DayRow {
  package let name: RequestName
  package let title: String
  /// When it comes; nil if it waits for a condition or for a server.
  package let next: Instant?
  /// The time of day, or what it waits for.
  package let time: String
  /// The rest of its texts: its repetition, its app and its body.
  package let remarks: [String]
  package let request: ListedRequest

  package init(_ row: ListedRequest, _ clock: LocalClock, isMuted: Bool = false) {
    request = row
    name = RequestName(row)
    let title = ShownText.line(row.title)
    self.title = title.isEmpty ? ShownText.line(row.id) : title
    next = row.state == .pending ? row.next.flatMap { Instant(rfc3339: $0) } : nil
    time = next.map { clock.minute($0) } ?? ""
    var remarks: [String] = isMuted ? ["muted"] : []
    if row.state == .due { remarks.append(row.held == nil ? "due, waits for the notification server" : "held") }
    if let condition = row.text(of: "on") { remarks.append("when " + ConditionText.words(condition)) }
    if let repetition = Self.repetition(of: row) { remarks.append(repetition) }
    if row.app != NotificationRequest.defaultApp { remarks.append(ShownText.isolated(row.app, atMost: 80)) }
    if let body = row.text(of: "body"), !body.isEmpty { remarks.append(ShownText.isolated(body, atMost: 120)) }
    self.remarks = remarks
  }

  /// The line below the title: `in 8 h 41 min · Mon,Tue,Thu 07:30`.
  package func subtitle(_ clock: LocalClock) -> String {
    ((next.map { [clock.distance($0)] } ?? []) + remarks).joined(separator: " · ")
  }

  /// What a screen reader says.
  package func spoken(_ clock: LocalClock) -> String { spoken(clock, at: next) }

  /// The same of another of its dates.
  package func spoken(_ clock: LocalClock, at date: Instant?) -> String {
    ([title] + (date.map { ["\(clock.day($0)) \(clock.minute($0))", clock.distance($0)] } ?? []) + remarks)
      .joined(separator: ", ")
  }

  package func isVersion(of other: UpcomingRow) -> Bool { name == other.name }

  /// How it repeats, as the request says it; nil if it does not.
  package static func repetition(of row: ListedRequest) -> String? {
    if let text = row.text(of: "every") {
      if let weekly = WeeklyAlarm.pattern(of: text) {
        return weekly.days.count == 7 ? "every day" : WeekdayText.text(weekly.days)
      }
      return "every " + ShownText.isolated(text, atMost: 80)
    }
    if let text = row.text(of: "rule") { return ShownText.isolated(text, atMost: 80) }
    guard row.words["repeat"] == .flag(true) else { return nil }
    return row.text(of: "in").map { "every " + ShownText.isolated($0, atMost: 40) } ?? "repeats"
  }
}
