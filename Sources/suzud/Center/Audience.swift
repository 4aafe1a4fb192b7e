// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The programs that hear of events: those that watch everything, and the handlers of apps. `Bus/Listeners` keeps them.
protocol Audience: AnyObject {
  /// Tells all who watch, and the app's handlers, in the same turn as the change that it tells of: otherwise a click
  /// could be told before the delivery. Returns whether anyone heard it.
  ///
  /// - Parameter handler: left out, because it is told in its own time.
  @discardableResult
  func tell(_ event: CenterEvent, of app: String, except handler: Caller?) -> Bool

  /// Tells one of them.
  func send(_ event: CenterEvent, to caller: Caller)

  /// The handler of the app's responses; nil if none is attached.
  func handler(of app: String) -> Caller?

  func isSandboxed(_ caller: Caller) -> Bool
}

extension Audience {
  @discardableResult
  func tell(_ event: CenterEvent, of app: String) -> Bool { tell(event, of: app, except: nil) }
}
