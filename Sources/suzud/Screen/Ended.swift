// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The end of a delivery, as it is stored and reported.
struct Ended: Hashable {
  let key: RequestKey
  /// Nil if the store failed when it began, or it is the center's own.
  let delivery: DeliveryRecord.Number?
  let end: RequestEnd
  /// The text for the history, instead of the name of the end.
  var detail: String?
}
