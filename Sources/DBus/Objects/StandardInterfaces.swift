// SPDX-License-Identifier: Apache-2.0

/// The [standard interfaces](https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces), for calls
/// and signals of any object.
public enum StandardInterfaces {
  /// `org.freedesktop.DBus.Properties`
  public static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  static let objectManager: InterfaceName = "org.freedesktop.DBus.ObjectManager"

  /// Returns the value of one property.
  public static let get = MethodDescription(
    "Get", in: ("interface_name", String.self), ("property_name", String.self), out: ("value", Value.self))
  /// Returns the values of all properties of an interface.
  public static let getAll = MethodDescription(
    "GetAll", in: ("interface_name", String.self), out: ("properties", [String: Value].self))
  static let set = MethodDescription(
    "Set", in: ("interface_name", String.self), ("property_name", String.self), ("value", Value.self))
  /// Reports properties with new values, and properties whose values changed.
  public static let propertiesChanged = SignalDescription(
    "PropertiesChanged", ("interface_name", String.self), ("changed_properties", [String: Value].self),
    ("invalidated_properties", [String].self))

  static let interfacesAdded = SignalDescription(
    "InterfacesAdded", ("object", ObjectPath.self), ("interfaces", [String: [String: Value]].self))
  static let interfacesRemoved = SignalDescription(
    "InterfacesRemoved", ("object", ObjectPath.self), ("interfaces", [String].self))
}

extension Interface {
  /// The standard interfaces of exported objects. Libdbus answers those of `Peer` by itself.
  static let peer = Interface(
    "org.freedesktop.DBus.Peer", bounds: .names,
    methods: [
      Method(MethodDescription("Ping")) { _, _ in },
      Method(MethodDescription("GetMachineId", out: ("machine_uuid", String.self))) { _, _ in
        throw RemoteError(.failed, "libdbus answers this")
      },
    ])

  static let introspectable = Interface(
    "org.freedesktop.DBus.Introspectable", bounds: .names,
    methods: [
      Method(MethodDescription("Introspect", out: ("xml_data", String.self))) { connection, call in
        connection.introspection(at: call.path)
      }
    ])

  static let properties = Interface(
    StandardInterfaces.properties, bounds: .names,
    methods: [
      Method(StandardInterfaces.get) { connection, interface, name, call in
        try await connection.property(name, of: interface, at: call.path, for: call.sender)
      },
      Method(StandardInterfaces.getAll) { connection, interface, call in
        try await connection.properties(of: interface, at: call.path, for: call.sender)
      },
      Method(StandardInterfaces.set, bounds: .value) { connection, interface, name, value, call in
        try await connection.set(name, of: interface, at: call.path, to: value)
      },
    ],
    signals: [StandardInterfaces.propertiesChanged])

  static let objectManager = Interface(
    StandardInterfaces.objectManager, bounds: .names,
    methods: [
      Method(
        MethodDescription("GetManagedObjects", out: ("objects", [ObjectPath: [String: [String: Value]]].self))
      ) { connection, call in
        try await connection.managedObjects(below: call.path)
      }
    ],
    signals: [StandardInterfaces.interfacesAdded, StandardInterfaces.interfacesRemoved])
}

extension Bounds {
  fileprivate static let names = Bounds(bytes: 4 << 10)
  fileprivate static let value = Bounds(bytes: 1 << 20)
}
