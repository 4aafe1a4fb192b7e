// SPDX-License-Identifier: Apache-2.0

/// The [methods of the bus](https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-messages) itself, to
/// be called of ``RemoteObject/bus``.
public enum BusMethods {
  static let hello = MethodDescription("Hello", out: ("name", BusName.self))
  static let requestName = MethodDescription(
    "RequestName", in: ("name", BusName.self), ("flags", UInt32.self), out: ("reply", UInt32.self))
  static let releaseName = MethodDescription("ReleaseName", in: ("name", BusName.self), out: ("reply", UInt32.self))
  static let addMatch = MethodDescription("AddMatch", in: ("rule", String.self))
  static let removeMatch = MethodDescription("RemoveMatch", in: ("rule", String.self))
  static let credentials = MethodDescription(
    "GetConnectionCredentials", in: ("name", BusName.self), out: ("credentials", [String: Value].self))
  static let activatableNames = MethodDescription("ListActivatableNames", out: ("names", [String].self))

  /// The names of all connections, and those that they own.
  public static let listNames = MethodDescription("ListNames", out: ("names", [String].self))
  /// The owner of a name; refused with ``ErrorName/nameHasNoOwner`` if it has none.
  public static let getNameOwner = MethodDescription(
    "GetNameOwner", in: ("name", BusName.self), out: ("owner", BusName.self))
  /// The id of the bus, which differs from that of every other bus.
  public static let getID = MethodDescription("GetId", out: ("id", String.self))
  /// Starts the service of a name.
  public static let startService = MethodDescription(
    "StartServiceByName", in: ("name", BusName.self), ("flags", UInt32.self), out: ("result", UInt32.self))
}

enum BusSignals {
  static let nameOwnerChanged = SignalDescription(
    "NameOwnerChanged", ("name", String.self), ("old", String.self), ("new", String.self))
  static let nameLost = SignalDescription("NameLost", ("name", String.self))
  static let nameAcquired = SignalDescription("NameAcquired", ("name", String.self))
}

extension RemoteObject {
  /// The bus itself.
  public static let bus = RemoteObject(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus")
}
