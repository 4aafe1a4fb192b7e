// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// The calls of the center to its notification server.
protocol ServerCalls: Sendable {
  /// Asks the bus to start a server.
  func start() async throws(PostFailure)

  /// Sends a notification before it returns, replacing `number` unless that is 0.
  ///
  /// Unless this throws, `answered` is called once on the loop, in the order of the server's answers. `whenLate` is
  /// called if the answer comes too late.
  func post(
    _ notification: ServerNotification, replacing number: UInt32,
    answered: @escaping @Sendable (Result<PostedNumber, PostFailure>) -> Void,
    whenLate: @escaping @Sendable (PostedNumber) -> Void
  ) throws(PostFailure)

  /// Closes a notification.
  func close(_ number: PostedNumber) async throws

  /// Whether the server answers a cheap query.
  func answers() async -> Bool
}

extension NotificationServerClient: ServerCalls {}
