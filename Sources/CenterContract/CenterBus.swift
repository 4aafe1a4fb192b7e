// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The center on the session bus, as in `dbus/dev.suzu.Center1.xml`.
public enum CenterBus {
  /// The name that the center owns.
  public static let name: BusName = "dev.suzu.Center"
  /// The center's object.
  public static let path: ObjectPath = "/dev/suzu/Center"
  /// The center's interface.
  public static let interface: InterfaceName = "dev.suzu.Center1"
  /// The center for calls, which the bus starts if needed.
  public static let center = RemoteObject(name, path, interface)
  /// The center for calls that make sense only while it runs.
  public static let runningCenter = RemoteObject(name, path, interface, startsService: false)
}

/// The program that sends to servers elsewhere.
public enum LinkBus {
  /// The name that it owns, by which the bus can start it.
  public static let name: BusName = "dev.suzu.Link"
}

/// An app's handler on its own connection, as in `dbus/dev.suzu.Handler1.xml`.
public enum HandlerBus {
  /// The handler's object.
  public static let path: ObjectPath = "/dev/suzu/Handler"
  /// The handler's interface.
  public static let interface: InterfaceName = "dev.suzu.Handler1"
  /// Asks how to show a request that is due while the app is in front.
  public static let willPresent = MethodDescription(
    "WillPresent", in: ("app", String.self), ("id", String.self), ("request", [String: Value].self),
    out: ("options", [String].self))
  /// Lets the app change a push with `mutable-content` before it is shown, within a number of milliseconds.
  public static let changePush = MethodDescription(
    "ChangePush", in: ("app", String.self), ("id", String.self), ("request", [String: Value].self),
    ("limit", UInt32.self))
  /// The error of `ActivateAction` when the app could not do what the user chose; its message says why.
  public static let failure: ErrorName = "dev.suzu.Error.HandlerFailed"
}
