// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Lets BlueZ look for beacons by itself: the Bluetooth controller compares the advertisements, and no program runs
/// until one fits. This finds a beacon at once, where a search looks for a part of each minute only.
///
/// BlueZ calls one object for each beacon, below a common one that lists them.
final class BeaconMonitor {
  private let connection: Connection
  private let owner: BusName
  private let loop: EventLoop
  private let news: BeaconNews
  private var paths: [Condition.Subject: ObjectPath] = [:]
  /// The devices that send a beacon, while they are near.
  private var devices: [Condition.Subject: Set<ObjectPath>] = [:]
  private var adapters: Set<ObjectPath> = []
  private var lastNumber = 0

  private static let root: ObjectPath = "/dev/suzu/beacons"
  private static let interface: InterfaceName = "org.bluez.AdvertisementMonitor1"
  /// Of an adapter that can do this.
  static let manager = "org.bluez.AdvertisementMonitorManager1"
  /// The kind of monitor that compares the bytes of advertisements.
  private static let kind = "or_patterns"
  /// The part of an advertisement that its maker defines.
  private static let manufacturerData: UInt8 = 0xFF
  /// In seconds, as for a search.
  private static let absence: UInt16 = 120
  private static let registerMonitor = MethodDescription("RegisterMonitor", in: ("application", ObjectPath.self))
  private static let deviceFound = MethodDescription("DeviceFound", in: ("device", ObjectPath.self))
  private static let deviceLost = MethodDescription("DeviceLost", in: ("device", ObjectPath.self))
  private static let unregisterMonitor = MethodDescription("UnregisterMonitor", in: ("application", ObjectPath.self))

  init(_ connection: Connection, _ owner: BusName, on loop: EventLoop, news: BeaconNews) {
    (self.connection, self.owner, self.loop, self.news) = (connection, owner, loop, news)
  }

  /// Whether an adapter with these interfaces can look for beacons by itself.
  static func isOffered(_ interfaces: [String: [String: Value]]) -> Bool {
    interfaces[manager]?["SupportedMonitorTypes"]?.strings?.contains(kind) == true
  }

  /// Lets these adapters look for the beacons.
  func watch(_ subjects: Set<Condition.Subject>, on powered: Set<ObjectPath>) async throws(CallError) {
    if paths.isEmpty { await connection.exportObjectManager(at: Self.root) }
    for subject in paths.keys where !subjects.contains(subject) { await forget(subject) }
    for subject in subjects where paths[subject] == nil {
      do throws(BusError) { try await export(subject) } catch { throw .failed(error) }
    }
    adapters.formIntersection(powered)
    for adapter in powered.subtracting(adapters) {
      try await connection.call(
        Self.registerMonitor, of: RemoteObject(owner, adapter, Self.managerInterface, startsService: false), Self.root,
        limit: FollowedService.limit)
      adapters.insert(adapter)
    }
  }

  func forget(_ subject: Condition.Subject) async {
    devices[subject] = nil
    if let path = paths.removeValue(forKey: subject) { await connection.withdraw(Self.interface, at: path) }
  }

  /// Ends it; BlueZ may be gone.
  func stop() async {
    for subject in Array(paths.keys) { await forget(subject) }
    let old = adapters
    adapters = []
    for adapter in old {
      _ = try? await connection.call(
        Self.unregisterMonitor, of: RemoteObject(owner, adapter, Self.managerInterface, startsService: false),
        Self.root,
        limit: FollowedService.limit)
    }
  }

  private static let managerInterface = InterfaceName(unchecked: manager)

  // MARK: The objects that BlueZ calls

  private func export(_ subject: Condition.Subject) async throws(BusError) {
    guard case .beacon(let beacon) = subject else { return }
    lastNumber += 1
    let path = ObjectPath(unchecked: "\(Self.root.text)/\(lastNumber)")
    paths[subject] = path
    // The bytes from the first one on.
    let pattern = Structure<UInt8, UInt8, [UInt8]>(
      0, Self.manufacturerData, BeaconAdvertisement.opening(of: beacon))
    let owner = owner
    let found = loop.confine { [weak self] (device: ObjectPath) in self?.found(device, subject) }
    let lost = loop.confine { [weak self] (device: ObjectPath) in self?.lost(device, subject) }
    let activated = loop.confine { [weak self] (_: Void) in self?.activated(subject) }
    let released = loop.confine { [weak self] (_: Void) in
      self?.news.observed(subject, .unknown("BlueZ stopped looking for it"))
    }
    @Sendable func check(_ call: IncomingCall) throws(RemoteError) {
      guard call.sender == owner else { throw RemoteError(.accessDenied, "only BlueZ may call this") }
    }
    try await connection.export(
      Interface(
        Self.interface,
        methods: [
          Method(MethodDescription("Release")) { _, call in
            try check(call)
            released(())
          },
          Method(MethodDescription("Activate")) { _, call in
            try check(call)
            activated(())
          },
          Method(Self.deviceFound) { _, device, call in
            try check(call)
            found(device)
          },
          Method(Self.deviceLost) { _, device, call in
            try check(call)
            lost(device)
          },
        ],
        properties: [
          Property("Type", String.self, changes: .constant) { _, _ in Self.kind },
          // The weakest signal counts. Without thresholds, BlueZ would not say that a device is gone.
          Property("RSSIHighThreshold", Int16.self, changes: .constant) { _, _ in -126 },
          Property("RSSIHighTimeout", UInt16.self, changes: .constant) { _, _ in 1 },
          Property("RSSILowThreshold", Int16.self, changes: .constant) { _, _ in -127 },
          Property("RSSILowTimeout", UInt16.self, changes: .constant) { _, _ in Self.absence },
          Property("Patterns", [Structure<UInt8, UInt8, [UInt8]>].self, changes: .constant) { _, _ in [pattern] },
        ]), at: path)
  }

  private func activated(_ subject: Condition.Subject) {
    if devices[subject]?.isEmpty ?? true { news.begun(subject) }
  }

  private func found(_ device: ObjectPath, _ subject: Condition.Subject) {
    guard paths[subject] != nil else { return }
    let isNew = devices[subject]?.isEmpty ?? true
    devices[subject, default: []].insert(device)
    guard isNew else { return }
    loop.startLater { [self] in
      let properties = try? await connection.properties(of: BlueZ.device, at: device, owner)
      // It may be gone again.
      guard devices[subject]?.contains(device) == true else { return }
      let advertisement = properties?["ManufacturerData"].flatMap { BeaconAdvertisement($0) }
      news.observed(subject, .holds(true, event: advertisement?.event ?? [:]))
    }
  }

  private func lost(_ device: ObjectPath, _ subject: Condition.Subject) {
    guard devices[subject]?.remove(device) != nil, devices[subject]?.isEmpty == true else { return }
    news.observed(subject, .holds(false))
  }
}
