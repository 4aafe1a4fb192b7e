// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

extension ListedRequest {
  /// Adds how a date has ended or, if it is shown again until it is answered, how often it was shown and what comes.
  package mutating func note(_ record: DeliveryRecord, _ dates: DateText) {
    if let showings = record.showings {
      shownCount = showings.count
      self.showings = showings.kept.map { Showing(at: dates.text($0.at, zone: nil), step: $0.step) }
    }
    heldBy = record.heldBy
    again = record.again.map { dates.text($0, zone: nil) }
    // Why it left the screen is not why it ended.
    guard !record.isResting else {
      self.state = .unanswered
      return
    }
    closed = record.closed.map { dates.text($0, zone: nil) }
    reason = record.reason
  }
}
