// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
public import Suzu

/// The user of a ``SpyCenter``, who deals with the notifications on its screen.
///
/// Each function returns at once: the handler of the program runs in its own task. ``SpyResponse/outcome(within:)``
/// waits for it.
public struct SpyUser: Sendable {
  private let spy: SpyCenter

  init(_ spy: SpyCenter) { self.spy = spy }

  /// Presses a button of the latest notification with this id.
  ///
  /// Throws if it is not on the screen, or has no such action. An action that asks for a line of text needs
  /// ``type(_:into:on:app:)``.
  @discardableResult
  public func press(
    _ action: String, on id: RequestID, app: AppID? = nil
  ) throws(SuzuError) -> SpyResponse {
    try spy.with { agenda throws(SuzuError) in try agenda.choose(action, on: id, of: app, reply: nil) }
  }

  /// Clicks on the notification itself. What that means follows the same rules as in the center: see docs/BUTTONS.md.
  @discardableResult
  public func click(_ id: RequestID, app: AppID? = nil) throws(SuzuError) -> SpyResponse {
    try press(Action.defaultID, on: id, app: app)
  }

  /// Types a line of text, and sends it with this action; without one, with the first that asks for a text.
  @discardableResult
  public func type(
    _ text: String, into action: String? = nil, on id: RequestID, app: AppID? = nil
  ) throws(SuzuError) -> SpyResponse {
    try spy.with { agenda throws(SuzuError) in
      let action = if let action { action } else { try agenda.inputAction(on: id, of: app) }
      return try agenda.choose(action, on: id, of: app, reply: text)
    }
  }

  /// Presses a button that offers several times to snooze until, and chooses one: `1h`, `tomorrow 08:00`.
  @discardableResult
  public func postpone(
    _ id: RequestID, until time: String, with action: String, app: AppID? = nil
  ) throws(SuzuError) -> SpyResponse {
    try spy.with { agenda throws(SuzuError) in try agenda.choose(action, on: id, of: app, reply: time) }
  }

  /// Dismisses the latest notification with this id. The program gets a response only if its category has
  /// `customDismiss`.
  @discardableResult
  public func dismiss(_ id: RequestID, app: AppID? = nil) throws(SuzuError) -> SpyResponse? {
    try spy.with { agenda throws(SuzuError) in try agenda.dismissed(id, of: app) }
  }

  /// Lets the time of the latest notification with this id on the screen be over.
  public func overlook(_ id: RequestID, app: AppID? = nil) throws(SuzuError) {
    try spy.with { agenda throws(SuzuError) in
      agenda.take(try agenda.find(id, app), .expired)
    }
  }

  /// Decides in which ways an app may notify from now on.
  public func allow(_ kinds: Set<NoticeKind>, app: AppID) { spy.with { $0.allowed[app] = kinds } }
}
