// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Scheduling

/// How long there was no input: by GNOME's idle monitor, or by the hint that desktops give to logind.
///
/// Both announce changes; a desktop that must be asked again and again is not used.
final class IdleSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let loop: EventLoop
  private let monitor: IdleMonitor
  private let hint: IdleHint
  private var subjects: [Condition.Subject: Duration] = [:]

  init(on loop: EventLoop, system: SystemBusLink, session: Connection) {
    self.loop = loop
    monitor = IdleMonitor(on: loop, session: session)
    hint = IdleHint(on: loop, system: system)
    monitor.tell = { [weak self] in self?.whenObserved(.idle($0), .holds($1)) }
    // The monitor is asked first, because a hint comes late: when the desktop thinks that the session is idle.
    monitor.lose = { [weak self] in
      guard let self else { return }
      for duration in subjects.values { hint.watch(duration) }
    }
    hint.tell = { [weak self] duration, isIdle in
      guard let self, !monitor.isThere else { return }
      whenObserved(.idle(duration), .holds(isIdle))
    }
    hint.lose = { [weak self] in
      guard let self, !monitor.isThere else { return }
      for subject in subjects.keys {
        whenObserved(subject, .unknown("neither GNOME's idle monitor nor logind tells about input"))
      }
    }
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .idle = subject { true } else { false } }

  func watch(_ subject: Condition.Subject) {
    guard case .idle(let duration) = subject else { return }
    subjects[subject] = duration
    monitor.watch(duration)
  }

  func unwatch(_ subject: Condition.Subject) {
    guard let duration = subjects.removeValue(forKey: subject) else { return }
    monitor.unwatch(duration)
    hint.unwatch(duration)
  }
}

/// [GNOME's idle monitor](https://gitlab.gnome.org/GNOME/mutter/-/blob/main/data/dbus-interfaces/org.gnome.Mutter.IdleMonitor.xml),
/// which tells when a time without input is over, and when the next input comes.
private final class IdleMonitor {
  var tell: (Duration, Bool) -> Void = { _, _ in }
  var lose: () -> Void = {}
  private(set) var isThere = false
  private var durations: Set<Duration> = []
  /// The watches of the monitor by number; nil for the one for the next input.
  private var watches: [UInt32: Duration?] = [:]
  private var owner: BusName?
  private var follower: ServiceFollower?
  private var reader: Task<Void, Never>?
  private let loop: EventLoop
  private let session: Connection

  private static let service: BusName = "org.gnome.Mutter.IdleMonitor"
  private static let path: ObjectPath = "/org/gnome/Mutter/IdleMonitor/Core"
  private static let interface: InterfaceName = "org.gnome.Mutter.IdleMonitor"
  private static let getIdleTime = MethodDescription("GetIdletime", out: ("idletime", UInt64.self))
  private static let addIdleWatch = MethodDescription(
    "AddIdleWatch", in: ("interval", UInt64.self), out: ("id", UInt32.self))
  private static let addUserActiveWatch = MethodDescription("AddUserActiveWatch", out: ("id", UInt32.self))
  private static let removeWatch = MethodDescription("RemoveWatch", in: ("id", UInt32.self))
  private static let watchFired = SignalDescription("WatchFired", ("id", UInt32.self))

  init(on loop: EventLoop, session: Connection) {
    self.loop = loop
    self.session = session
  }

  func watch(_ duration: Duration) {
    durations.insert(duration)
    let follower = follower ?? makeFollower()
    self.follower = follower
    if follower.isRunning { follower.refresh() } else { follower.follow([]) }
  }

  func unwatch(_ duration: Duration) {
    durations.remove(duration)
    for (number, watched) in watches where watched == duration {
      watches[number] = nil
      remove(number)
    }
    guard durations.isEmpty else { return }
    for number in watches.keys { remove(number) }
    forget()
    follower?.stop()
    follower = nil
  }

  private func object(_ owner: BusName) -> RemoteObject {
    RemoteObject(owner, Self.path, Self.interface, startsService: false)
  }

  private func remove(_ number: UInt32) {
    guard let owner else { return }
    let (session, object) = (session, object(owner))
    loop.startLater { try? await session.post(Self.removeWatch, of: object, number) }
  }

  private func forget() {
    reader?.cancel()
    (reader, watches, owner, isThere) = (nil, [:], nil, false)
  }

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "GNOME's idle monitor", on: .session(session), loop: loop) {
      [weak self] (connection, owner) throws(CallError) in
      try await self?.read(connection, owner)
    } lose: { [weak self] _ in
      guard let self else { return }
      forget()
      lose()
    }
  }

  private func read(_ connection: Connection, _ owner: BusName) async throws(CallError) {
    let object = object(owner)
    if self.owner != owner {
      forget()
      let signals = try await connection.signals(
        matching: MatchRule(
          sender: Self.service, path: Self.path, interface: Self.interface, member: Self.watchFired.name),
        buffering: 64)
      self.owner = owner
      reader = loop.startLater { [weak self] in
        do {
          for try await signal in signals {
            if let number = signal.arguments(as: Self.watchFired) { self?.fired(number) }
          }
        } catch {
          // The connection was closed.
        }
      }
    }
    let limit = ServiceFollower.limit
    for duration in durations where !watches.values.contains(duration) {
      let number = try await connection.call(
        Self.addIdleWatch, of: object, UInt64(duration / .milliseconds(1)), limit: limit)
      watches[number] = duration
    }
    let idle = Duration.milliseconds(
      Int64(clamping: try await connection.call(Self.getIdleTime, of: object, limit: limit)))
    isThere = true
    if durations.contains(where: { $0 <= idle }) { try await awaitInput(connection, object) }
    for duration in durations { tell(duration, duration <= idle) }
  }

  private func awaitInput(_ connection: Connection, _ object: RemoteObject) async throws(CallError) {
    guard !watches.values.contains(nil) else { return }
    let number = try await connection.call(Self.addUserActiveWatch, of: object, limit: ServiceFollower.limit)
    watches[number] = .some(nil)
  }

  private func fired(_ number: UInt32) {
    guard let watched = watches[number] else { return }
    if let duration = watched {
      tell(duration, true)
      // The next input ends it: the state is read again, and that input is waited for.
      follower?.refresh()
    } else {
      watches[number] = nil
      for duration in durations { tell(duration, false) }
    }
  }
}

/// The idle hint of the user's sessions, by logind.
private final class IdleHint {
  var tell: (Duration, Bool) -> Void = { _, _ in }
  var lose: () -> Void = {}
  private var durations: Set<Duration> = []
  private var follower: ServiceFollower?
  private var deadline: EventLoop.Deadline?
  private let loop: EventLoop
  private let system: SystemBusLink

  private static let service: BusName = "org.freedesktop.login1"
  private static let users: ObjectPath = "/org/freedesktop/login1/user"
  private static let user = "org.freedesktop.login1.User"
  private static let getUser = MethodDescription("GetUser", in: ("uid", UInt32.self), out: ("path", ObjectPath.self))
  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

  init(on loop: EventLoop, system: SystemBusLink) {
    self.loop = loop
    self.system = system
  }

  func watch(_ duration: Duration) {
    durations.insert(duration)
    let follower = follower ?? makeFollower()
    self.follower = follower
    if follower.isRunning { return follower.refresh() }
    follower.follow([.properties(of: Self.service, below: Self.users, Self.user)])
  }

  func unwatch(_ duration: Duration) {
    durations.remove(duration)
    guard durations.isEmpty else { return }
    deadline?.cancel()
    follower?.stop()
    (deadline, follower) = (nil, nil)
  }

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "logind", on: .system(system), loop: loop) {
      [weak self] (connection, owner) throws(CallError) in
      let manager = RemoteObject(owner, "/org/freedesktop/login1", Self.manager, startsService: false)
      let path = try await connection.call(Self.getUser, of: manager, getuid(), limit: ServiceFollower.limit)
      let user = try await connection.properties(of: Self.user, at: path, owner)
      self?.take(isIdle: user["IdleHint"]?.boolean == true, since: user["IdleSinceHint"]?.integer ?? 0)
    } lose: { [weak self] _ in
      self?.deadline?.cancel()
      self?.lose()
    }
  }

  /// - Parameter since: in microseconds since 1970.
  private func take(isIdle: Bool, since: Int64) {
    deadline?.cancel()
    let idle = EventLoop.Clock.wall.now - .microseconds(since)
    for duration in durations { tell(duration, isIdle && idle >= duration) }
    guard isIdle, let next = durations.filter({ $0 > idle }).min() else { return }
    // Once for each idle time, until the next duration is over.
    deadline = loop.schedule(after: next - idle) { [weak self] in self?.follower?.refresh() }
  }
}
