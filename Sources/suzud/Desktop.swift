// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

/// What the center needs of the desktop besides its notification server.
struct Desktop: Sendable {
  /// What came of asking for a line of text.
  enum Reply: Sendable {
    case text(String)
    case cancelled
    /// There is nothing to ask with.
    case unavailable(String)
  }

  var isLocked: @Sendable () async -> Bool = { false }
  /// Whether the session is unlocked within that time.
  var unlocked: @Sendable (Duration) async -> Bool = { _ in true }
  /// Whether lists can be shown to choose from.
  var canAsk: @Sendable () -> Bool = { false }
  /// Which of the labels was chosen; nil: none.
  var choose: @Sendable (_ title: String, _ labels: [String], _ token: String?) async -> Int? = { _, _, _ in nil }
  /// Whether the app of that id can be told of an action over the bus, which starts it.
  var isActivatable: @Sendable (_ app: String) async -> Bool = { _ in false }
  /// Tells it; false: it does not take it.
  var activate: @Sendable (_ app: String, _ action: String, Value, _ token: String?) async -> Bool = { _, _, _, _ in
    false
  }
  /// Whether there is a desktop entry of that id.
  var isInstalled: @Sendable (_ app: String) -> Bool = { _ in false }
  /// Starts what the entry, `id` or `id:action`, stands for.
  var launch: @Sendable (_ entry: String, _ token: String?) async -> Outcome = { _, _ in .failed("nothing launches") }
  var prompt: @Sendable (_ title: String, Action.Input, _ token: String?) async -> Reply = { _, _, _ in
    .unavailable("no prompt")
  }
}
