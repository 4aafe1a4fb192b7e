// SPDX-License-Identifier: Apache-2.0

/// What is kept of a push: its id, because a sender may send it twice, and until when it may be shown.
public struct PushRecord: Hashable, Sendable {
  /// The app that it is for.
  public let app: String
  /// The id that its sender gave it; nil if it gave none.
  public let id: String?
  /// The last moment to show it; nil if there is none.
  public let lapses: Timestamp?

  /// A push.
  public init(app: String, id: String?, lapses: Timestamp?) {
    self.app = app
    self.id = id
    self.lapses = lapses
  }

  /// Whether its last moment to be shown has passed.
  public func hasLapsed(at now: Timestamp) -> Bool { lapses.map { $0 <= now } ?? false }
}
