// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport

/// A BlueZ whose adapter can look for beacons by itself, as bluetoothd describes it since 5.56; python-dbusmock has no
/// such adapter. It calls the objects of its client as bluetoothd does.
struct ScriptedBlueZ {
  /// What the client asked for.
  enum Asked: Equatable, Sendable {
    case register(BusName, ObjectPath)
    case unregister
    case discovery
  }

  static let name: BusName = "org.bluez"
  static let adapter: ObjectPath = "/org/bluez/hci0"
  static let monitor: InterfaceName = "org.bluez.AdvertisementMonitor1"
  private static let manager: InterfaceName = "org.freedesktop.DBus.ObjectManager"

  private static let setFilter = MethodDescription("SetDiscoveryFilter", in: ("filter", [String: Value].self))
  private static let register = MethodDescription("RegisterMonitor", in: ("application", ObjectPath.self))
  private static let unregister = MethodDescription("UnregisterMonitor", in: ("application", ObjectPath.self))

  let connection: Connection
  let asked = Inbox<Asked>()

  /// - Parameters:
  ///   - refuses: whether its controller has no room for what it is to look for.
  ///   - searches: whether it can search.
  init(on bus: PrivateBus, _ loop: EventLoop, refuses: Bool = false, searches: Bool = true) async throws {
    connection = try await bus.connect(on: loop)
    await connection.exportObjectManager(at: "/")
    let asked = asked
    try await connection.export(
      Interface(
        "org.bluez.Adapter1",
        methods: [
          Method(Self.setFilter) { _, _, _ in },
          Method(MethodDescription("StartDiscovery")) { _, _ in
            asked.put(.discovery)
            if !searches { throw RemoteError("org.bluez.Error.NotReady", "Resource Not Ready") }
          },
          Method(MethodDescription("StopDiscovery")) { _, _ in },
        ], properties: [Property("Powered", Bool.self) { _, _ in true }]), at: Self.adapter)
    try await connection.export(
      Interface(
        "org.bluez.AdvertisementMonitorManager1",
        methods: [
          Method(Self.register) { _, root, call in
            if refuses { throw RemoteError("org.bluez.Error.Failed", "no room") }
            asked.put(.register(call.sender, root))
          },
          Method(Self.unregister) { _, _, _ in asked.put(.unregister) },
        ], properties: [Property("SupportedMonitorTypes", [String].self) { _, _ in ["or_patterns"] }]),
      at: Self.adapter)
    _ = try await connection.requestName(Self.name)
  }

  /// The objects of a client, with the properties of what each is to look for.
  func monitors(of client: BusName, below root: ObjectPath) async throws -> [ObjectPath: [String: Value]] {
    let objects = try await connection.call(
      MethodDescription("GetManagedObjects", out: ("objects", [ObjectPath: [String: [String: Value]]].self)),
      of: RemoteObject(client, root, Self.manager))
    return objects.compactMapValues { $0[Self.monitor.text] }
  }

  /// A device that sends an advertisement.
  func addDevice(_ path: ObjectPath, manufacturerData: [UInt16: Value]) async throws {
    try await connection.export(
      Interface(
        "org.bluez.Device1",
        properties: [Property("ManufacturerData", [UInt16: Value].self) { _, _ in manufacturerData }]),
      at: path)
  }

  /// Reports an advertisement of a device, as during a search.
  func advertise(_ path: ObjectPath, _ manufacturerData: [UInt16: Value]) async throws {
    let changed = SignalDescription(
      "PropertiesChanged", ("interface", String.self), ("changed", [String: Value].self),
      ("invalidated", [String].self))
    try await connection.emit(
      Signal(
        changed, path, "org.freedesktop.DBus.Properties", "org.bluez.Device1",
        ["ManufacturerData": manufacturerData.busValue], []))
  }

  /// Calls an object of a client.
  func call(_ client: BusName, _ path: ObjectPath, _ member: MemberName, _ arguments: [Value] = []) async throws {
    try await connection.call(MethodCall(to: client, path, Self.monitor, member, arguments))
  }
}
