// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Beacons nearby (iBeacon), by the advertisements that BlueZ receives: found by the Bluetooth controller itself where
/// it can do that, and by a search else.
final class BeaconSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private var subjects: Set<Condition.Subject> = []
  /// How beacons are looked for at present.
  private var way = Way.none
  private var owner: BusName?
  /// BlueZ, if it could not look for beacons by itself although it offers it.
  private var incapable: BusName?
  /// Why nothing is known; nil if something is, or if the first answer is still to come.
  private var obstacle: String?
  private var follower: ServiceFollower?
  /// Reads which adapters appear. The follower would ask again for each device.
  private var newAdapters: Task<Void, Never>?
  private let loop: EventLoop
  private let system: SystemBusLink
  private let times: BeaconSearch.Times
  private let near: NearBeacons

  private enum Way {
    case none
    case monitor(BeaconMonitor)
    case search(BeaconSearch)
  }

  init(on loop: EventLoop, system: SystemBusLink, times: BeaconSearch.Times = BeaconSearch.Times()) {
    self.loop = loop
    self.system = system
    self.times = times
    near = NearBeacons(on: loop, absence: times.absence)
    near.tell = { [weak self] in
      if self?.subjects.contains($0) == true { self?.whenObserved($0, $1) }
    }
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .beacon = subject { true } else { false } }

  func expect(_ subject: Condition.Subject) { near.expect(subject) }

  func watch(_ subject: Condition.Subject) {
    subjects.insert(subject)
    if let follower {
      if case .search = way { near.begin(subject) }
      // A follower without a bus does not ask again for this subject.
      if let obstacle { whenObserved(subject, .unknown(obstacle)) }
      return follower.refresh()
    }
    let follower = makeFollower()
    self.follower = follower
    follower.follow([
      MatchRule(sender: BlueZ.name, interface: BlueZ.objectManager, member: "InterfacesRemoved"),
      .properties(of: BlueZ.name, below: "/org/bluez", BlueZ.adapter),
    ])
  }

  func unwatch(_ subject: Condition.Subject) {
    subjects.remove(subject)
    near.forget(subject)
    switch way {
    case .search(let search): search.forget(subject)
    case .monitor(let monitor): loop.startLater { await monitor.forget(subject) }
    case .none: break
    }
    guard subjects.isEmpty else { return }
    follower?.stop()
    follower = nil
    forget()
  }

  private func forget() {
    stop()
    newAdapters?.cancel()
    (newAdapters, owner, incapable, obstacle) = (nil, nil, nil, nil)
  }

  private func stop() {
    switch way {
    case .none: break
    case .search(let search): search.stop()
    case .monitor(let monitor): loop.startLater { await monitor.stop() }
    }
    way = .none
    near.pause()
  }

  private func lose(_ reason: String) {
    forget()
    if !subjects.isEmpty { obstacle = reason }
    for subject in subjects { whenObserved(subject, .unknown(reason)) }
  }

  // MARK: BlueZ

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(BlueZ.name, title: "BlueZ", on: .system(system), loop: loop) {
      [weak self] (service) throws(CallError) in
      try await self?.read(service)
    } lose: { [weak self] in
      self?.lose($0)
    }
  }

  private func read(_ service: FollowedService) async throws(CallError) {
    let (connection, owner) = (service.connection, service.owner)
    if self.owner != owner {
      forget()
      self.owner = owner
      newAdapters = try await readNewAdapters(connection)
    }
    let objects = try await service.call(BlueZ.getManagedObjects, at: "/", BlueZ.objectManager)
    let powered = objects.filter { $0.value[BlueZ.adapter]?["Powered"]?.boolean == true }
    let adapters = Set(powered.keys)
    guard !adapters.isEmpty else {
      stop()
      for subject in subjects { whenObserved(subject, .unknown("Bluetooth is off, or this machine has none")) }
      return
    }
    if incapable != owner, powered.values.allSatisfy(BeaconMonitor.isOffered) {
      do throws(CallError) { return try await monitor(connection, owner, adapters) } catch {
        if Task.isCancelled { throw error }
        // Such as a controller without room for another one.
        incapable = owner
        stop()
      }
    }
    try await search(connection, owner, adapters)
  }

  private func readNewAdapters(_ connection: Connection) async throws(CallError) -> Task<Void, Never> {
    let additions = try await connection.signals(
      matching: MatchRule(sender: BlueZ.name, interface: BlueZ.objectManager, member: BlueZ.interfacesAdded.name),
      buffering: 256)
    return loop.read(additions) { [weak self] signal in
      guard let (_, interfaces) = signal.arguments(as: BlueZ.interfacesAdded), interfaces[BlueZ.adapter] != nil else {
        return
      }
      self?.follower?.refresh()
    }
  }

  private var news: BeaconNews {
    BeaconNews(
      subjects: { [weak self] in self?.subjects ?? [] }, begun: { [near] in near.begin($0) },
      observed: { [near] in near.observed($0, $1) })
  }

  private func monitor(
    _ connection: Connection, _ owner: BusName, _ adapters: Set<ObjectPath>
  ) async throws(CallError) {
    if case .monitor(let monitor) = way { return try await monitor.watch(subjects, on: adapters) }
    stop()
    let monitor = BeaconMonitor(connection, owner, on: loop, news: news)
    way = .monitor(monitor)
    try await monitor.watch(subjects, on: adapters)
  }

  private func search(
    _ connection: Connection, _ owner: BusName, _ adapters: Set<ObjectPath>
  ) async throws(CallError) {
    if case .search(let search) = way {
      search.adapters = adapters
      return
    }
    stop()
    let search = BeaconSearch(connection, owner, on: loop, times: times, news: news)
    way = .search(search)
    search.adapters = adapters
    try await search.start()
    for subject in subjects { near.begin(subject) }
  }
}
