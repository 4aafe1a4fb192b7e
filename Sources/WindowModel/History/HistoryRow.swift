// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
package import Zoneinfo

/// A date of a request that has come, as a row of the page *History*.
package struct HistoryRow: DayRow {
  package let request: ListedRequest
  package let title: String
  package let time: String
  /// When it came.
  package let moment: Instant?
  private let remarks: [String]

  package init(_ row: ListedRequest, _ clock: LocalClock) {
    request = row
    let title = ShownText.line(row.title)
    self.title = title.isEmpty ? ShownText.line(row.id) : title
    moment = (row.due ?? row.shown ?? row.closed).flatMap { Instant(rfc3339: $0) }
    time = moment.map { clock.minute($0) } ?? ""
    var remarks = [ShownText.line(row.shownReason, atMost: 120)]
    if let reply = row.reply { remarks.append("“\(ShownText.isolated(reply, atMost: 120))”") }
    if let outcome = row.outcome, outcome != .done { remarks.append(ShownText.line(outcome.description, atMost: 120)) }
    if row.missed > 0 { remarks.append("stands for \(row.missed) earlier") }
    if row.app != NotificationRequest.defaultApp { remarks.append(ShownText.isolated(row.app, atMost: 80)) }
    self.remarks = remarks
  }

  package func isVersion(of other: HistoryRow) -> Bool {
    moment == other.moment && RequestName(request) == RequestName(other.request)
  }

  package func subtitle(_ clock: LocalClock) -> String { remarks.joined(separator: " · ") }

  package func spoken(_ clock: LocalClock) -> String {
    ([title] + (moment.map { ["\(clock.day($0)) \(clock.minute($0))"] } ?? []) + remarks).joined(separator: ", ")
  }
}
