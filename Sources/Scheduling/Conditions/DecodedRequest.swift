// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A request as it was read from the store. While it waits for a condition again and again, this is the same object, so
/// that what was made of it once can be used again.
public final class DecodedRequest: Sendable {
  /// The request, without the values of an event.
  public let request: NotificationRequest

  init(_ request: NotificationRequest) { self.request = request }
}
