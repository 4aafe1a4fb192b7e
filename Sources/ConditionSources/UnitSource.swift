// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The states of units, by
/// [systemd](https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.systemd1.html): those of the user
/// on the session bus, those of the system on the system bus.
final class UnitSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let user: Manager
  private let system: Manager

  init(on loop: EventLoop, system: SystemBusLink, session: Connection) {
    user = Manager(title: "systemd's user manager", on: .session(session), loop: loop)
    self.system = Manager(title: "systemd", on: .system(system), loop: loop)
    for manager in [user, self.system] {
      manager.tell = { [weak self] in self?.whenObserved($0, $1) }
    }
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .unit = subject { true } else { false } }

  func watch(_ subject: Condition.Subject) {
    guard case .unit(let unit) = subject else { return }
    (unit.isOfSystem ? system : user).watch(subject, unit.name)
  }

  func unwatch(_ subject: Condition.Subject) {
    guard case .unit(let unit) = subject else { return }
    (unit.isOfSystem ? system : user).unwatch(subject, unit.name)
  }

  /// One of the two managers.
  private final class Manager {
    var tell: (Condition.Subject, Observation) -> Void = { _, _ in }
    private var subjects: [String: Set<Condition.Subject>] = [:]
    /// The units by the paths of their objects.
    private var units: [ObjectPath: String] = [:]
    private var states: [String: String] = [:]
    /// The readers of the signals of units.
    private var readers: [Task<Void, Never>] = []
    private var owner: BusName?
    private let loop: EventLoop
    private var follower: ServiceFollower?
    private let makeFollower: (Manager) -> ServiceFollower

    private static let service: BusName = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let unit = "org.freedesktop.systemd1.Unit"
    private static let interface: InterfaceName = "org.freedesktop.systemd1.Manager"
    private static let subscribe = MethodDescription("Subscribe")
    private static let getUnit = MethodDescription("GetUnit", in: ("name", String.self), out: ("unit", ObjectPath.self))
    private static let loadUnit = MethodDescription(
      "LoadUnit", in: ("name", String.self), out: ("unit", ObjectPath.self))

    init(title: String, on bus: SourceBus, loop: EventLoop) {
      self.loop = loop
      makeFollower = { manager in
        ServiceFollower(Self.service, title: title, on: bus, loop: loop) {
          [weak manager] (service) throws(CallError) in
          try await manager?.read(service)
        } lose: { [weak manager] in
          manager?.lose($0)
        }
      }
    }

    func watch(_ subject: Condition.Subject, _ name: String) {
      subjects[name, default: []].insert(subject)
      if let state = states[name] { return report(name, state) }
      let follower = follower ?? makeFollower(self)
      self.follower = follower
      let isRunning = follower.isRunning
      follower.follow([])
      if isRunning { follower.refresh() }
    }

    func unwatch(_ subject: Condition.Subject, _ name: String) {
      subjects[name]?.remove(subject)
      if subjects[name]?.isEmpty == true {
        (subjects[name], states[name]) = (nil, nil)
        units = units.filter { $0.value != name }
      }
      guard subjects.isEmpty else { return }
      follower?.stop()
      follower = nil
      forget()
    }

    private func forget() {
      for reader in readers { reader.cancel() }
      (units, states, readers, owner) = ([:], [:], [], nil)
    }

    private func lose(_ reason: String) {
      forget()
      for subject in subjects.values.joined() { tell(subject, .unknown(reason)) }
    }

    private func read(_ service: FollowedService) async throws(CallError) {
      if owner != service.owner {
        forget()
        // Without it, systemd sends no signals. It refuses a second one.
        _ = try await Self.unlessRefused { () throws(CallError) in
          try await service.call(Self.subscribe, at: Self.path, Self.interface)
        }
        owner = service.owner
      }
      for name in subjects.keys where !units.values.contains(name) {
        let loaded = try await Self.unlessRefused { () throws(CallError) in
          try await service.call(Self.getUnit, at: Self.path, Self.interface, name)
        }
        let path: ObjectPath
        if let loaded {
          path = loaded
        } else {
          path = try await service.call(Self.loadUnit, at: Self.path, Self.interface, name)
        }
        guard subjects[name] != nil else { continue }
        units[path] = name
        // Only this unit's signals: a system has hundreds of units.
        let signals = try await service.connection.signals(
          matching: .properties(of: Self.service, at: path, Self.unit), buffering: 64)
        // The values count, and no question: a unit may fail and start again before its state could be read.
        readers.append(loop.read(signals) { [weak self] in self?.receive($0) })
      }
      for (path, name) in units where states[name] == nil {
        let unit = try await service.properties(of: Self.unit, at: path)
        // A signal in the meantime is newer.
        if states[name] == nil, let state = unit["ActiveState"]?.string { set(name, state) }
      }
    }

    /// Nil if the service refuses; a service that does not answer has not refused.
    private static func unlessRefused<T>(_ body: () async throws(CallError) -> T) async throws(CallError) -> T? {
      do throws(CallError) {
        return try await body()
      } catch {
        if case .refused = error { return nil }
        throw error
      }
    }

    private func receive(_ signal: Signal) {
      guard let name = units[signal.path],
        let (_, changed, invalidated) = signal.arguments(as: StandardInterfaces.propertiesChanged)
      else { return }
      if let state = changed["ActiveState"]?.string {
        set(name, state)
      } else if invalidated.contains("ActiveState") {
        states[name] = nil
        follower?.refresh()
      }
    }

    private func set(_ name: String, _ state: String) {
      states[name] = state
      report(name, state)
    }

    private func report(_ name: String, _ state: String) {
      for subject in subjects[name] ?? [] {
        guard case .unit(let unit) = subject else { continue }
        let isActive = state == "active" || state == "reloading"
        let holds = unit.state == .active ? isActive : unit.state.rawValue == state
        tell(subject, .holds(holds, event: ["unit": name, "state": state]))
      }
    }
  }
}
