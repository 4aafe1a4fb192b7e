// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The names of [UnifiedPush on D-Bus](https://unifiedpush.org/developers/spec/dbus/), in its versions 2 and 1.
enum UnifiedPushBus {
  /// What both sides of version 2 take and return.
  typealias Words = [String: Value]

  static let connectorPath: ObjectPath = "/org/unifiedpush/Connector"
  static let connectors: (first: InterfaceName, second: InterfaceName) = (
    "org.unifiedpush.Connector1", "org.unifiedpush.Connector2"
  )

  static let message = MethodDescription("Message", in: ("args", Words.self), out: ("res", Words.self))
  static let newEndpoint = MethodDescription("NewEndpoint", in: ("args", Words.self), out: ("res", Words.self))
  static let unregistered = MethodDescription("Unregistered", in: ("args", Words.self), out: ("res", Words.self))
  static let firstMessage = MethodDescription(
    "Message", in: ("token", String.self), ("message", [UInt8].self), ("messageIdentifier", String.self))
  static let firstNewEndpoint = MethodDescription(
    "NewEndpoint", in: ("token", String.self), ("endpoint", String.self))
  static let firstUnregistered = MethodDescription("Unregistered", in: ("token", String.self))

  /// What the bus says of names: those that it can start, and a change.
  static let startable = MethodDescription("ListActivatableNames", out: ("names", [String].self))
  static let ownerChanged = SignalDescription(
    "NameOwnerChanged", ("name", String.self), ("old", String.self), ("new", String.self))

  static let register = MethodDescription("Register", in: ("args", Words.self), out: ("res", Words.self))
  static let unregister = MethodDescription("Unregister", in: ("args", Words.self), out: ("res", Words.self))
  static let firstRegister = MethodDescription(
    "Register", in: ("serviceName", String.self), ("token", String.self), ("description", String.self),
    out: ("registrationResult", String.self), ("registrationResultReason", String.self))
  static let firstUnregister = MethodDescription("Unregister", in: ("token", String.self))
}

extension RemoteObject {
  /// - Parameter version: 1 or 2.
  static func distributor(_ name: BusName, version: Int) -> RemoteObject {
    RemoteObject(
      name, "/org/unifiedpush/Distributor",
      version == 1 ? "org.unifiedpush.Distributor1" : "org.unifiedpush.Distributor2")
  }
}
