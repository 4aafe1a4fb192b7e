// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import NotificationModel
import Scheduling
import Synchronization
import TestSupport
import Testing

@testable import ConditionSources

/// Tests services that hang, and services that refuse every call: the reason is told, and the condition works as soon as
/// the service answers.
@Suite(.timeLimit(.minutes(2))) struct UnansweredServiceTests {
  /// A service by python-dbusmock.
  enum Service: String, CaseIterable, CustomTestStringConvertible {
    case upower = "org.freedesktop.UPower"
    case networkManager = "org.freedesktop.NetworkManager"
    case logind = "org.freedesktop.login1"
    case systemd = "org.freedesktop.systemd1"
    case bluez = "org.bluez"

    var testDescription: String { rawValue }
    var name: BusName { BusName(rawValue) ?? .bus }

    /// The template, and its parameters.
    var template: (name: String, parameters: String) {
      switch self {
      case .upower: ("upower", #"{"OnBattery": true}"#)
      case .networkManager: ("networkmanager", "{}")
      case .logind: ("logind", "{}")
      case .systemd: ("systemd", "{}")
      // Newer versions of the mock offer advertisement monitors, but never report a device to one.
      case .bluez: ("bluez5", #"{"enable_monitor_api": false}"#)
      }
    }

    var line: String {
      switch self {
      case .upower: "power"
      case .networkManager: "network Home"
      case .logind: "idle 10m"
      case .systemd: "unit backup.service failed"
      case .bluez: "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E"
      }
    }

    func source(_ stand: SourceStand) -> any ConditionSource {
      switch self {
      case .upower: PowerSource(on: stand.loop, system: stand.link)
      case .networkManager: NetworkSource(on: stand.loop, system: stand.link)
      case .logind: IdleSource(on: stand.loop, system: stand.link, session: stand.session)
      case .systemd: UnitSource(on: stand.loop, system: stand.link, session: stand.session)
      case .bluez: BeaconSource(on: stand.loop, system: stand.link)
      }
    }

    /// How the reason begins. No single program has to know of input, so that none is named.
    var reason: String {
      switch self {
      case .upower: "UPower: "
      case .networkManager: "NetworkManager: "
      case .logind: "no desktop, Wayland compositor or logind tells how long there was no input"
      case .systemd: "systemd's user manager: "
      case .bluez: "BlueZ: "
      }
    }

    /// What is known of a mock that ``prepare(_:)`` has prepared.
    var known: Observation {
      switch self {
      case .networkManager: .holds(false, event: ["network": "Home"])
      case .systemd: .holds(false, event: ["unit": "backup.service", "state": "inactive"])
      default: .holds(false)
      }
    }

    /// Prepares a mock that answers.
    func prepare(_ stand: SourceStand) async throws {
      switch self {
      case .upower, .networkManager: break
      case .logind:
        let path: ObjectPath = "/org/freedesktop/login1"
        try await stand.call(name, path, "AddUser", [.uint32(getuid()), "ada", .boolean(true)])
        // The template adds a number to a text, so that its own method always fails.
        try await stand.call(
          name, path, "AddMethod",
          [
            "org.freedesktop.login1.Manager", "GetUser", "u", "o",
            "ret = dbus.ObjectPath('/org/freedesktop/login1/user/%d' % args[0])",
          ])
      case .systemd:
        try await stand.call(name, "/org/freedesktop/systemd1", "AddMockUnit", ["backup.service"])
      case .bluez:
        try await stand.session.call(
          MethodCall(to: name, "/", "org.bluez.Mock", "AddAdapter", ["hci0", "laptop"]))
      }
    }
  }

  /// Starts a mock of the service that answers.
  private func mock(_ service: Service, _ stand: SourceStand) async throws -> RunningProgram {
    let (template, parameters) = service.template
    let mock = try await stand.mock(template, service.name, parameters)
    try await service.prepare(stand)
    return mock
  }

  /// The reason why nothing is known.
  private func reason(_ reader: Reader<Observation>) async throws -> String {
    guard case .unknown(let reason)? = await reader.next() else { throw TestFailure("it is known") }
    return reason
  }

  // The source used to ask the service again only after the service announced a change. systemd announces changes of a
  // unit only to programs that have loaded it, so conditions on units stayed unknown.
  @Test(arguments: Service.allCases)
  func `A service that hangs is named, and works as soon as it answers`(_ service: Service) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let mock = try await mock(service, stand)
      kill(mock.processID, SIGSTOP)
      let source = service.source(stand)
      let reader = try stand.watch(source, service.line)
      let why = try await reason(reader)
      #expect(why.hasPrefix(service.reason) && (service == .logind || why.contains("did not answer")), "\(why)")
      let end = ContinuousClock.now
      kill(mock.processID, SIGCONT)
      #expect(await SourceStand.known(reader) == service.known)
      // Before the first attempt by itself.
      #expect(ContinuousClock.now - end < SystemBusLink.retries[0])
      source.unwatch(try Condition(service.line).subject)
      mock.kill()
    }
  }

  @Test(arguments: Service.allCases)
  func `A service that refuses is named, and the next one works`(_ service: Service) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      // It has no objects, so that libdbus refuses every call.
      let refusing = try await bus.connect(on: loop)
      #expect(try await refusing.requestName(service.name) == .owner)
      let source = service.source(stand)
      let reader = try stand.watch(source, service.line)
      let why = try await reason(reader)
      #expect(why.hasPrefix(service.reason) && !why.contains("did not answer"), "\(why)")
      await refusing.close()
      // The bus has to take the name away first: a call before that would reach no one.
      var owners = try await stand.session.owners(of: service.name).makeAsyncIterator()
      while let owner = await owners.next(isolation: #isolation), owner != nil {}
      let mock = try await mock(service, stand)
      #expect(await SourceStand.known(reader) == service.known)
      source.unwatch(try Condition(service.line).subject)
      mock.kill()
    }
  }

  // A hanging or refusing logind counted as a lock, so that the session seemed to be unlocked when it answered again.
  @Test(arguments: [true, false])
  func `A logind that does not tell of the lock is no lock, and its answer no unlock`(_ hangs: Bool) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let logind = try await bus.connect(on: loop)
      let answers = Mutex(false)
      let getSession = MethodDescription("GetSessionByPID", in: ("pid", UInt32.self), out: ("path", ObjectPath.self))
      let session: ObjectPath = "/org/freedesktop/login1/session/c1"
      try await logind.export(
        Interface(
          "org.freedesktop.login1.Manager",
          methods: [
            DBus.Method(getSession) { _, _, _ in
              if answers.withLock({ $0 }) { return session }
              if hangs { try? await neverAnswer() }
              throw RemoteError(.accessDenied, "not for you")
            }
          ]), at: "/org/freedesktop/login1")
      let locked = MethodDescription("Locked", out: ("locked", Bool.self))
      try await logind.export(
        Interface(
          "org.freedesktop.login1.Session", methods: [DBus.Method(locked) { _, _ in false }],
          properties: [Property("LockedHint", Bool.self) { _, _ in false }]), at: session)
      #expect(try await logind.requestName("org.freedesktop.login1") == .owner)
      let source = SessionSource(on: loop, system: try BusAddress(bus.address), session: stand.session)
      let reader = try stand.watch(source, "unlocked")
      let why = try await reason(reader)
      #expect(why == "logind does not tell whether the session is locked")
      answers.withLock { $0 = true }
      let added = SignalDescription("SessionNew", ("id", String.self), ("path", ObjectPath.self))
      try await logind.emit(
        Signal(added, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "c1", session))
      var next = await reader.next()
      while case .unknown = next { next = await reader.next() }
      #expect(next == .holds(true))
      source.unwatch(.unlocked)
      await logind.close()
    }
  }
}
