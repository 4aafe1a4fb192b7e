// SPDX-License-Identifier: Apache-2.0
public import DBus

/// What changed in the store of the center without an event of a request: a program that shows a list reads it again.
public enum StoredChange: String, CaseIterable, Sendable {
  /// Requests were stored, which are shown later or soon.
  case pending
  /// A request was muted, or is no longer.
  case mutes
  /// The settings of an app changed: what it may do, and when its notifications come.
  case apps
  /// Quiet hours changed, of all apps or of one.
  case quiet

  /// The change as a signal to one program.
  public func signal(to receiver: BusName) -> Signal {
    Signal(CenterSignals.changed, CenterBus.path, CenterBus.interface, to: receiver, rawValue)
  }

  /// Returns nil for another signal, and for a change that this library does not know.
  public init?(_ signal: Signal) {
    guard let what = signal.arguments(as: CenterSignals.changed) else { return nil }
    self.init(rawValue: what)
  }
}
