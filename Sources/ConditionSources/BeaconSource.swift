// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Beacons nearby (iBeacon), by the advertisements that [BlueZ](https://www.bluez.org/) receives.
///
/// Looking for beacons costs power, so it is done for a part of each minute only. A beacon is near from its first
/// advertisement until none came for two minutes.
final class BeaconSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private var subjects: Set<Condition.Subject> = []
  /// When the last advertisement for a subject came; missing if the beacon is not near.
  private var seen: [Condition.Subject: Duration] = [:]
  private var adapters: Set<ObjectPath> = []
  private var owner: BusName?
  /// Why nothing is known; nil if something is, or if the first answer is still to come.
  private var obstacle: String?
  private var readers: [Task<Void, Never>] = []
  private var search: Task<Void, Never>?
  private var follower: ServiceFollower?
  private let loop: EventLoop
  private let system: SystemBusLink
  private let times: Times

  /// How long it looks for beacons, how long it pauses, and when a beacon is gone.
  struct Times {
    var search: Duration = .seconds(12)
    var pause: Duration = .seconds(48)
    var absence: Duration = .seconds(120)
  }

  private static let service: BusName = "org.bluez"
  private static let adapter = "org.bluez.Adapter1"
  private static let device = "org.bluez.Device1"
  private static let objectManager: InterfaceName = "org.freedesktop.DBus.ObjectManager"
  private static let getManagedObjects = MethodDescription(
    "GetManagedObjects", out: ("objects", [ObjectPath: [String: [String: Value]]].self))
  private static let interfacesAdded = SignalDescription(
    "InterfacesAdded", ("object", ObjectPath.self), ("interfaces", [String: [String: Value]].self))
  private static let setDiscoveryFilter = MethodDescription(
    "SetDiscoveryFilter", in: ("filter", [String: Value].self))
  private static let startDiscovery = MethodDescription("StartDiscovery")
  private static let stopDiscovery = MethodDescription("StopDiscovery")

  init(on loop: EventLoop, system: SystemBusLink, times: Times = Times()) {
    self.loop = loop
    self.system = system
    self.times = times
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .beacon = subject { true } else { false } }

  func watch(_ subject: Condition.Subject) {
    subjects.insert(subject)
    if let follower {
      if owner != nil { whenObserved(subject, .holds(false)) }
      // A follower without a bus does not ask again for this subject.
      if let obstacle { whenObserved(subject, .unknown(obstacle)) }
      return follower.refresh()
    }
    let follower = makeFollower()
    self.follower = follower
    follower.follow([
      MatchRule(sender: Self.service, interface: Self.objectManager, member: "InterfacesRemoved"),
      .properties(of: Self.service, below: "/org/bluez", Self.adapter),
    ])
  }

  func unwatch(_ subject: Condition.Subject) {
    subjects.remove(subject)
    seen[subject] = nil
    guard subjects.isEmpty else { return }
    follower?.stop()
    follower = nil
    forget()
  }

  private func forget() {
    for reader in readers { reader.cancel() }
    search?.cancel()
    (readers, search, owner, adapters, seen, obstacle) = ([], nil, nil, [], [:], nil)
  }

  private func lose(_ reason: String) {
    forget()
    if !subjects.isEmpty { obstacle = reason }
    for subject in subjects { whenObserved(subject, .unknown(reason)) }
  }

  // MARK: BlueZ

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "BlueZ", on: .system(system), loop: loop) {
      [weak self] (connection, owner) throws(CallError) in
      try await self?.read(connection, owner)
    } lose: { [weak self] in
      self?.lose($0)
    }
  }

  private func read(_ connection: Connection, _ owner: BusName) async throws(CallError) {
    if self.owner != owner {
      forget()
      self.owner = owner
      try await listen(connection)
    }
    let objects = try await connection.call(
      Self.getManagedObjects, of: RemoteObject(owner, "/", Self.objectManager, startsService: false),
      limit: ServiceFollower.limit)
    adapters = Set(objects.filter { $0.value[Self.adapter]?["Powered"]?.boolean == true }.map(\.key))
    guard !adapters.isEmpty else {
      search?.cancel()
      search = nil
      for subject in subjects { whenObserved(subject, .unknown("Bluetooth is off, or this machine has none")) }
      return
    }
    guard search == nil else { return }
    for subject in subjects where seen[subject] == nil { whenObserved(subject, .holds(false)) }
    search = loop.startLater { [weak self] in
      while !Task.isCancelled, let self {
        await searchOnce(connection, owner)
        try? await loop.sleep(for: times.pause)
      }
    }
  }

  private func listen(_ connection: Connection) async throws(CallError) {
    let changes = try await connection.signals(
      matching: .properties(of: Self.service, below: "/org/bluez", Self.device), buffering: 256)
    let additions = try await connection.signals(
      matching: MatchRule(sender: Self.service, interface: Self.objectManager, member: Self.interfacesAdded.name),
      buffering: 256)
    readers = [
      loop.read(changes) { [weak self] signal in
        if let (_, changed, _) = signal.arguments(as: StandardInterfaces.propertiesChanged) { self?.look(changed) }
      },
      loop.read(additions) { [weak self] signal in
        guard let (_, interfaces) = signal.arguments(as: Self.interfacesAdded) else { return }
        if let device = interfaces[Self.device] { self?.look(device) }
        if interfaces[Self.adapter] != nil { self?.follower?.refresh() }
      },
    ]
  }

  private func searchOnce(_ connection: Connection, _ owner: BusName) async {
    let limit = ServiceFollower.limit
    // Every advertisement counts, not only the first of a device.
    let filter: [String: Value] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
    var searching: [RemoteObject] = []
    for path in adapters {
      let adapter = RemoteObject(owner, path, "org.bluez.Adapter1", startsService: false)
      do throws(CallError) {
        try await connection.call(Self.setDiscoveryFilter, of: adapter, filter, limit: limit)
        try await connection.call(Self.startDiscovery, of: adapter, limit: limit)
        searching.append(adapter)
      } catch {
        for subject in subjects { whenObserved(subject, .unknown("BlueZ: \(error.description)")) }
      }
    }
    try? await loop.sleep(for: times.search)
    for adapter in searching { _ = try? await connection.call(Self.stopDiscovery, of: adapter, limit: limit) }
    if !Task.isCancelled { dropAbsent() }
  }

  private func dropAbsent() {
    let now = EventLoop.Clock.monotonic.now
    for (subject, last) in seen where last + times.absence <= now {
      seen[subject] = nil
      whenObserved(subject, .holds(false))
    }
  }

  // MARK: Advertisements

  private func look(_ device: [String: Value]) {
    guard let data = device["ManufacturerData"], let advertisement = BeaconAdvertisement(data) else { return }
    for subject in subjects {
      guard case .beacon(let beacon) = subject, advertisement.isOf(beacon) else { continue }
      let isNew = seen[subject] == nil
      seen[subject] = EventLoop.Clock.monotonic.now
      if isNew { whenObserved(subject, .holds(true, event: advertisement.event)) }
    }
  }
}

/// What an iBeacon sends.
private struct BeaconAdvertisement {
  let uuid: String
  let major: Int
  let minor: Int

  /// The number of its maker, and how such data begins.
  private static let maker: Int64 = 0x004C
  private static let opening: [UInt8] = [0x02, 0x15]

  init?(_ data: Value) {
    guard case .dictionary(let dictionary) = data,
      let entry = dictionary.entries.first(where: { $0.key.integer == Self.maker })
    else { return nil }
    var value = entry.value
    if case .variant(let inside) = value { value = inside }
    guard case .bytes(let bytes) = value, bytes.count >= 22, bytes.starts(with: Self.opening) else { return nil }
    let hex = bytes[2..<18].map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }
    let groups = [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]]
    uuid = groups.map { $0.joined() }.joined(separator: "-")
    major = Int(bytes[18]) << 8 | Int(bytes[19])
    minor = Int(bytes[20]) << 8 | Int(bytes[21])
  }

  func isOf(_ beacon: Condition.Beacon) -> Bool {
    beacon.uuid == uuid && (beacon.major ?? major) == major && (beacon.minor ?? minor) == minor
  }

  var event: [String: String] { ["uuid": uuid, "major": "\(major)", "minor": "\(minor)"] }
}
