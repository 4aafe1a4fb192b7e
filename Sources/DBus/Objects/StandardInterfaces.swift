// SPDX-License-Identifier: Apache-2.0

/// The interfaces that every exported object has, as tables. `Peer` itself is answered by libdbus.
extension Interface {
  static let peer = Interface(
    "org.freedesktop.DBus.Peer",
    methods: [
      Method("Ping") { _ in [] },
      Method("GetMachineId", out: ["machine_uuid": "s"]) { _ in throw RemoteError(.failed, "libdbus answers this") },
    ])

  static func introspectable(of connection: Connection) -> Interface {
    Interface(
      "org.freedesktop.DBus.Introspectable",
      methods: [
        Method("Introspect", out: ["xml_data": "s"]) { [weak connection] call in
          [.string(await connection?.introspection(at: call.path) ?? "")]
        }
      ])
  }

  static func properties(of connection: Connection) -> Interface {
    Interface(
      "org.freedesktop.DBus.Properties",
      methods: [
        Method("Get", in: ["interface_name": "s", "property_name": "s"], out: ["value": "v"]) {
          [weak connection] call in
          guard let connection, case .string(let interface) = call.arguments[0],
            case .string(let name) = call.arguments[1]
          else { return [] }
          return [.variant(try await connection.property(name, of: interface, at: call.path))]
        },
        Method("GetAll", in: ["interface_name": "s"], out: ["properties": "a{sv}"]) { [weak connection] call in
          guard let connection, case .string(let interface) = call.arguments[0] else { return [] }
          return [.properties(try await connection.properties(of: interface, at: call.path))]
        },
        Method("Set", in: ["interface_name": "s", "property_name": "s", "value": "v"]) { [weak connection] call in
          guard let connection, case .string(let interface) = call.arguments[0],
            case .string(let name) = call.arguments[1],
            case .variant(let value) = call.arguments[2]
          else { return [] }
          try await connection.set(name, of: interface, at: call.path, to: value)
          return []
        },
      ],
      signals: [
        SignalDescription(
          "PropertiesChanged",
          ["interface_name": "s", "changed_properties": "a{sv}", "invalidated_properties": "as"])
      ])
  }

  static func objectManager(of connection: Connection) -> Interface {
    Interface(
      "org.freedesktop.DBus.ObjectManager",
      methods: [
        Method("GetManagedObjects", out: ["objects": "a{oa{sa{sv}}}"]) { [weak connection] call in
          guard let connection else { return [] }
          return [try await connection.managedObjects(below: call.path)]
        }
      ],
      signals: [
        SignalDescription("InterfacesAdded", ["object": "o", "interfaces": "a{sa{sv}}"]),
        SignalDescription("InterfacesRemoved", ["object": "o", "interfaces": "as"]),
      ])
  }
}
