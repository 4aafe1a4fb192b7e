// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// Finds where the machine is.
public protocol PositionFinder: AnyObject {
  /// The position now; waits for it for at most `limit`.
  func position(within limit: Duration) async throws(PositionObstacle) -> Position
}

/// Why there is no position.
public struct PositionObstacle: Error, Hashable, Sendable {
  /// In a few words.
  public let reason: String

  /// For the user.
  public init(reason: String) { self.reason = reason }
}
