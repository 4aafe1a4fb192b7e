// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import NotificationModel

/// The trigger of a request in the older form, whose dates the newer triggers cannot say, such as a daily repetition
/// from a date on. It is not kept: the listing of the center says the dates.
final class ScheduledTrigger: UNNotificationTrigger, @unchecked Sendable {
  // @unchecked: all properties are constants.
  let schedule: Schedule

  init(_ schedule: Schedule) {
    self.schedule = schedule
    super.init(repeats: schedule.repetition != nil)
  }

  required init?(coder: NSCoder) { nil }
}

extension UNNotificationTrigger {
  /// A trigger with the dates of a schedule.
  package static func of(_ schedule: Schedule) -> UNNotificationTrigger { ScheduledTrigger(schedule) }
}

extension UNError {
  /// A trigger that the center cannot keep.
  package static func invalidDate(_ why: String) -> UNError { UNError(.notificationInvalidNoDate, why) }
}
