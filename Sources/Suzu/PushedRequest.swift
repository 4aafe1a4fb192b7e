// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A push that its app may change before it is shown: see ``NotifyingApp/whenPushed(_:)``.
public struct PushedRequest: Hashable, Sendable {
  /// The id of the request.
  public let id: RequestID
  /// The request as it came. The key `aps` of its `userInfo` is the payload.
  public let request: NotificationRequest
  /// How long the app has.
  public let limit: Duration

  /// Creates a request, for tests.
  public init(id: RequestID, request: NotificationRequest, limit: Duration) {
    self.id = id
    self.request = request
    self.limit = limit
  }
}
