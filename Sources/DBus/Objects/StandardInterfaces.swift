// SPDX-License-Identifier: Apache-2.0

/// The standard interfaces of exported objects, as tables; created once per connection.
struct StandardInterfaces {
  let introspectable: Interface
  let properties: Interface
  let objectManager: Interface

  init(of connection: Connection) {
    let owner = Owner(connection: connection)
    introspectable = .introspectable(of: owner)
    properties = .properties(of: owner)
    objectManager = .objectManager(of: owner)
  }

  /// The connection, which owns the tables. A box, because an async closure with a capture list such as `[weak
  /// connection]` leaves its caller's executor and moves to a thread pool and back.
  fileprivate struct Owner: Sendable {
    weak let connection: Connection?
  }
}

extension Interface {
  /// For introspection: libdbus answers these by itself.
  static let peer = Interface(
    "org.freedesktop.DBus.Peer", bounds: .names,
    methods: [
      Method("Ping") { _ in [] },
      Method("GetMachineId", out: ["machine_uuid": "s"]) { _ in throw RemoteError(.failed, "libdbus answers this") },
    ])

  fileprivate static func introspectable(of owner: StandardInterfaces.Owner) -> Interface {
    Interface(
      "org.freedesktop.DBus.Introspectable", bounds: .names,
      methods: [
        Method("Introspect", out: ["xml_data": "s"]) { call in
          [.string(await owner.connection?.introspection(at: call.path) ?? "")]
        }
      ])
  }

  fileprivate static func properties(of owner: StandardInterfaces.Owner) -> Interface {
    Interface(
      "org.freedesktop.DBus.Properties", bounds: .names,
      methods: [
        Method("Get", in: ["interface_name": "s", "property_name": "s"], out: ["value": "v"]) { call in
          guard let connection = owner.connection, case .string(let interface) = call.arguments[0],
            case .string(let name) = call.arguments[1]
          else { return [] }
          return [.variant(try await connection.property(name, of: interface, at: call.path, for: call.sender))]
        },
        Method("GetAll", in: ["interface_name": "s"], out: ["properties": "a{sv}"]) { call in
          guard let connection = owner.connection, case .string(let interface) = call.arguments[0] else { return [] }
          return [.properties(try await connection.properties(of: interface, at: call.path, for: call.sender))]
        },
        Method("Set", in: ["interface_name": "s", "property_name": "s", "value": "v"], bounds: .value) { call in
          guard let connection = owner.connection, case .string(let interface) = call.arguments[0],
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

  fileprivate static func objectManager(of owner: StandardInterfaces.Owner) -> Interface {
    Interface(
      "org.freedesktop.DBus.ObjectManager", bounds: .names,
      methods: [
        Method("GetManagedObjects", out: ["objects": "a{oa{sa{sv}}}"]) { call in
          guard let connection = owner.connection else { return [] }
          return [try await connection.managedObjects(below: call.path)]
        }
      ],
      signals: [
        SignalDescription("InterfacesAdded", ["object": "o", "interfaces": "a{sa{sv}}"]),
        SignalDescription("InterfacesRemoved", ["object": "o", "interfaces": "as"]),
      ])
  }
}

extension Bounds {
  fileprivate static let names = Bounds(bytes: 4 << 10)
  fileprivate static let value = Bounds(bytes: 1 << 20)
}
