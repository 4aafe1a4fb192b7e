// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import NotificationModel

/// The programs that receive events: watchers of everything, and the handlers of apps. Implemented by `Bus/Listeners`.
protocol Audience: AnyObject {
  /// Sends an event to all watchers and the app's handlers, in the turn of the loop in which the change happened:
  /// otherwise a click could be reported before the delivery. Returns whether there was any receiver.
  ///
  /// - Parameter handler: a caller to leave out, because it gets the event later.
  @discardableResult
  func tell(_ event: CenterEvent, of app: String, except handler: Caller?) -> Bool

  /// Tells those who asked for it that something was stored without an event.
  func tell(_ change: StoredChange)

  /// Sends an event to one of them.
  func send(_ event: CenterEvent, to caller: Caller)

  /// The handler of the app's responses; nil if none is attached.
  func handler(of app: String) -> Caller?

  /// Reports a caller that receives no events when it leaves the bus, also if it has left already.
  func lookOut(for caller: Caller) async

  func isSandboxed(_ caller: Caller) -> Bool
}

extension Audience {
  @discardableResult
  func tell(_ event: CenterEvent, of app: String) -> Bool { tell(event, of: app, except: nil) }
}
