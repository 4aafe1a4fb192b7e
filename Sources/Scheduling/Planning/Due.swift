// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A request that is to be shown now.
///
/// A class, because it stands in several places on its way to the screen, and a request is too big to be copied to each.
public final class Due: Sendable {
  /// What is to be shown, its id filled in.
  public let request: NotificationRequest
  /// Under which number it was written down; nil: it could not be.
  public let delivery: Int64?
  /// Which state of the request that was, as the store counts them; nil: it is not in the store.
  public let revision: Int64?
  /// The date that has come, in milliseconds since 1970.
  public let date: Int64
  /// How many earlier dates it stands for as well.
  public let missed: Int
  /// It was written down by an earlier run, and may have been shown then.
  public let isAgain: Bool
  /// Whether it stands beside the other dates of its request, because all of them are wanted.
  public var isOneOfMany: Bool { request.missed == .each && request.when.isRepeating }
  /// Whose rights made the request, in words that mean nothing here; nil: the user's.
  public let asker: String?

  /// Something to be shown.
  public init(
    _ request: NotificationRequest, delivery: Int64?, revision: Int64? = nil, date: Int64, missed: Int = 0,
    isAgain: Bool = false, asker: String? = nil
  ) {
    self.request = request
    self.delivery = delivery
    self.revision = revision
    self.date = date
    self.missed = missed
    self.isAgain = isAgain
    self.asker = asker
  }

  /// What was written down as a delivery.
  public convenience init(
    _ request: NotificationRequest, as record: DeliveryRecord, missed: Int = 0, isAgain: Bool = false, asker: String?
  ) {
    self.init(
      request, delivery: record.number, revision: record.revision, date: record.occurrence.due, missed: missed,
      isAgain: isAgain, asker: asker)
  }

  /// The same with another request.
  public func showing(_ request: NotificationRequest) -> Due {
    Due(request, delivery: delivery, revision: revision, date: date, missed: missed, isAgain: isAgain, asker: asker)
  }

  /// The same, and for an earlier date of the request that has not been shown.
  public func standing(for earlier: Due) -> Due {
    Due(
      request, delivery: delivery, revision: revision, date: date, missed: missed + earlier.missed + 1,
      isAgain: isAgain, asker: asker)
  }
}
