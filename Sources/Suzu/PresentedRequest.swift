// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A request that is due while its app is in front: see ``NotifyingApp/whenPresenting(_:)``.
public struct PresentedRequest: Hashable, Sendable {
  /// The id of the request.
  public let id: RequestID
  /// The request.
  public let request: NotificationRequest

  /// Creates a request, for tests.
  public init(id: RequestID, request: NotificationRequest) {
    self.id = id
    self.request = request
  }
}
