// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Looks for beacons for a part of each minute only, because that costs power. A beacon is near from its first
/// advertisement until none came for two minutes.
final class BeaconSearch {
  private let connection: Connection
  private let owner: BusName
  private let loop: EventLoop
  private let times: Times
  private let news: BeaconNews
  /// When the last advertisement for a subject came; missing if the beacon is not near.
  private var seen: [Condition.Subject: Duration] = [:]
  private var readers: [Task<Void, Never>] = []
  private var search: Task<Void, Never>?
  /// Whether the last search failed on every adapter.
  private var hasFailed = false
  /// The adapters with power.
  var adapters: Set<ObjectPath> = []

  /// How long it looks for beacons, how long it pauses, and when a beacon is gone.
  struct Times {
    var search: Duration = .seconds(12)
    var pause: Duration = .seconds(48)
    var absence: Duration = .seconds(120)
  }

  private static let setDiscoveryFilter = MethodDescription(
    "SetDiscoveryFilter", in: ("filter", [String: Value].self))
  private static let startDiscovery = MethodDescription("StartDiscovery")
  private static let stopDiscovery = MethodDescription("StopDiscovery")

  init(_ connection: Connection, _ owner: BusName, on loop: EventLoop, times: Times, news: BeaconNews) {
    (self.connection, self.owner, self.loop, self.times, self.news) = (connection, owner, loop, times, news)
  }

  /// Begins to search.
  func start() async throws(CallError) {
    try await listen()
    search = loop.startLater { [weak self] in
      while !Task.isCancelled, let self {
        await searchOnce()
        try? await loop.sleep(for: times.pause)
      }
    }
  }

  func stop() {
    for reader in readers { reader.cancel() }
    search?.cancel()
    (readers, search, seen) = ([], nil, [:])
  }

  func forget(_ subject: Condition.Subject) { seen[subject] = nil }

  private func listen() async throws(CallError) {
    let changes = try await connection.signals(
      matching: .properties(of: BlueZ.name, below: "/org/bluez", BlueZ.device), buffering: 256)
    let additions = try await connection.signals(
      matching: MatchRule(sender: BlueZ.name, interface: BlueZ.objectManager, member: BlueZ.interfacesAdded.name),
      buffering: 256)
    readers = [
      loop.read(changes) { [weak self] signal in
        if let (_, changed, _) = signal.arguments(as: StandardInterfaces.propertiesChanged) { self?.look(changed) }
      },
      loop.read(additions) { [weak self] signal in
        guard let (_, interfaces) = signal.arguments(as: BlueZ.interfacesAdded) else { return }
        if let device = interfaces[BlueZ.device] { self?.look(device) }
      },
    ]
  }

  private func searchOnce() async {
    let limit = FollowedService.limit
    // Every advertisement counts, not only the first of a device.
    let filter: [String: Value] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
    var searching: [RemoteObject] = []
    var failure: CallError?
    for path in adapters {
      let adapter = RemoteObject(owner, path, "org.bluez.Adapter1", startsService: false)
      do throws(CallError) {
        try await connection.call(Self.setDiscoveryFilter, of: adapter, filter, limit: limit)
        try await connection.call(Self.startDiscovery, of: adapter, limit: limit)
        searching.append(adapter)
      } catch {
        failure = error
      }
    }
    if Task.isCancelled, searching.isEmpty { return }
    if searching.isEmpty, let failure {
      // A silence in which nothing searches tells nothing.
      (seen, hasFailed) = ([:], true)
      for subject in news.subjects() { news.observed(subject, .unknown("BlueZ: \(failure.description)")) }
    } else if hasFailed {
      hasFailed = false
      for subject in news.subjects() where seen[subject] == nil { news.begun(subject) }
    }
    try? await loop.sleep(for: times.search)
    for adapter in searching { _ = try? await connection.call(Self.stopDiscovery, of: adapter, limit: limit) }
    if !Task.isCancelled { dropAbsent() }
  }

  private func dropAbsent() {
    let now = EventLoop.Clock.monotonic.now
    for (subject, last) in seen where last + times.absence <= now {
      seen[subject] = nil
      news.observed(subject, .holds(false))
    }
  }

  private func look(_ device: [String: Value]) {
    guard let data = device["ManufacturerData"], let advertisement = BeaconAdvertisement(data) else { return }
    for subject in news.subjects() {
      guard case .beacon(let beacon) = subject, advertisement.isOf(beacon) else { continue }
      let isNew = seen[subject] == nil
      seen[subject] = EventLoop.Clock.monotonic.now
      if isNew { news.observed(subject, .holds(true, event: advertisement.event)) }
    }
  }
}
