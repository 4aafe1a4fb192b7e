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

/// Tests idle times: by GNOME's monitor, KDE's screen saver and logind. Real input is not tested.
@Suite(.timeLimit(.minutes(1))) struct IdleSourceTests {
  /// GNOME's idle monitor as Mutter implements it, with an idle time that the test sets.
  private final class Monitor: Sendable {
    private struct State {
      var idle: UInt64 = 0
      var last: UInt32 = 0
      /// The watches by number; nil waits for input.
      var watches: [UInt32: UInt64?] = [:]
    }

    private static let path: ObjectPath = "/org/gnome/Mutter/IdleMonitor/Core"
    private static let interface: InterfaceName = "org.gnome.Mutter.IdleMonitor"
    private static let fired = SignalDescription("WatchFired", ("id", UInt32.self))
    private let connection: Connection
    private let state = Mutex(State())

    init(on connection: Connection) async throws {
      self.connection = connection
      try await connection.export(table, at: Self.path)
      #expect(try await connection.requestName("org.gnome.Mutter.IdleMonitor") == .owner)
    }

    private static let getIdleTime = MethodDescription("GetIdletime", out: ("idletime", UInt64.self))
    private static let addIdleWatch = MethodDescription(
      "AddIdleWatch", in: ("interval", UInt64.self), out: ("id", UInt32.self))
    private static let addUserActiveWatch = MethodDescription("AddUserActiveWatch", out: ("id", UInt32.self))
    private static let removeWatch = MethodDescription("RemoveWatch", in: ("id", UInt32.self))

    private var table: Interface {
      Interface(
        Self.interface,
        methods: [
          DBus.Method(Self.getIdleTime) { _, _ in self.state.withLock { $0.idle } },
          DBus.Method(Self.addIdleWatch) { (_: isolated Connection, interval: UInt64, _) in self.add(interval) },
          DBus.Method(Self.addUserActiveWatch) { _, _ in self.add(nil) },
          DBus.Method(Self.removeWatch) { (_: isolated Connection, id: UInt32, _) in
            _ = self.state.withLock { $0.watches.removeValue(forKey: id) }
          },
        ], signals: [Self.fired])
    }

    private func add(_ interval: UInt64?) -> UInt32 {
      state.withLock {
        $0.last += 1
        $0.watches[$0.last] = .some(interval)
        return $0.last
      }
    }

    /// Lets that much time without input pass, and tells of the watches that are over.
    func pass(_ milliseconds: UInt64) async throws {
      let numbers = state.withLock { state in
        let before = state.idle
        state.idle += milliseconds
        return state.watches.filter { _, interval in interval.map { before < $0 && $0 <= state.idle } ?? false }.keys
      }
      for number in numbers { try await connection.emit(Signal(Self.fired, Self.path, Self.interface, number)) }
    }

    /// The user presses a key.
    func press() async throws {
      let numbers = state.withLock { state in
        state.idle = 0
        let numbers = state.watches.filter { $0.value == nil }.keys
        for number in numbers { state.watches.removeValue(forKey: number) }
        return numbers
      }
      for number in numbers { try await connection.emit(Signal(Self.fired, Self.path, Self.interface, number)) }
    }

    var hasWatches: Bool { state.withLock { !$0.watches.isEmpty } }
  }

  private func next(_ reader: Reader<Observation>, after state: Bool) async -> Observation? {
    var last = await reader.next()
    while last == .holds(state) { last = await reader.next() }
    return last
  }

  @Test func `GNOME's monitor tells when a time without input is over, and when the next input comes`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let desktop = try await bus.connect(on: loop)
      let monitor = try await Monitor(on: desktop)
      let source = IdleSource(on: loop, system: stand.link, session: stand.session)
      let short = try stand.watch(source, "idle 5m")
      let long = try stand.watch(source, "idle 10m")
      #expect(await SourceStand.known(short) == .holds(false))
      #expect(await SourceStand.known(long) == .holds(false))
      for _ in 0..<2 {
        try await monitor.pass(300_000)
        #expect(await next(short, after: false) == .holds(true))
        try await monitor.pass(300_000)
        #expect(await next(long, after: false) == .holds(true))
        try await monitor.press()
        #expect(await next(short, after: true) == .holds(false))
        #expect(await next(long, after: true) == .holds(false))
      }
      source.unwatch(try Condition("idle 5m").subject)
      source.unwatch(try Condition("idle 10m").subject)
      // The monitor keeps nothing of us.
      try await loop.turn { !monitor.hasWatches }
      await desktop.close()
    }
  }

  @Test func `KDE's screen saver is asked when the time can be over, not before`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let desktop = try await bus.connect(on: loop)
      let idle = Mutex<(idle: UInt32, calls: Int)>((0, 0))
      try await desktop.export(
        Interface(
          "org.freedesktop.ScreenSaver",
          methods: [
            DBus.Method(MethodDescription("GetSessionIdleTime", out: ("milliseconds", UInt32.self))) { _, _ in
              idle.withLock {
                $0.calls += 1
                return $0.idle
              }
            }
          ], signals: []),
        at: "/ScreenSaver")
      #expect(try await desktop.requestName("org.freedesktop.ScreenSaver") == .owner)
      let source = IdleSource(on: loop, system: stand.link, session: stand.session)
      let reader = try stand.watch(source, "idle 1s")
      #expect(await SourceStand.known(reader) == .holds(false))
      let before = idle.withLock { state in
        state.idle = 1500
        return state.calls
      }
      #expect(await next(reader, after: false) == .holds(true))
      #expect(idle.withLock { $0.calls } == before + 1)
      // The user came back in between, and left again: it is told as an end and a new beginning.
      idle.withLock { $0.idle = 100 }
      #expect(await next(reader, after: true) == .holds(false))
      source.unwatch(try Condition("idle 1s").subject)
      await desktop.close()
    }
  }

  @Test func `The hint that logind has counts from its beginning`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let login: BusName = "org.freedesktop.login1"
      let mock = try await stand.mock("logind", login)
      let user = try await stand.call(
        login, "/org/freedesktop/login1", "AddUser", [.uint32(getuid()), "ada", .boolean(true)])
      // The template adds a number to a text, so that its own method always fails.
      try await stand.call(
        login, "/org/freedesktop/login1", "AddMethod",
        [
          "org.freedesktop.login1.Manager", "GetUser", "u", "o",
          "ret = dbus.ObjectPath('/org/freedesktop/login1/user/%d' % args[0])",
        ])
      let path = try #require(ObjectPath(user.first?.string ?? ""))
      let source = IdleSource(on: loop, system: stand.link, session: stand.session)
      let reader = try stand.watch(source, "idle 10m")
      #expect(await SourceStand.known(reader) == .holds(false))
      let since = UInt64((EventLoop.Clock.wall.now - .seconds(601)) / .microseconds(1))
      try await stand.update(
        login, path, "org.freedesktop.login1.User", ["IdleHint": true, "IdleSinceHint": .uint64(since)])
      #expect(await next(reader, after: false) == .holds(true))
      try await stand.update(login, path, "org.freedesktop.login1.User", ["IdleHint": false])
      #expect(await next(reader, after: true) == .holds(false))
      source.unwatch(try Condition("idle 10m").subject)
      mock.kill()
    }
  }

  // The first program that did not know was believed, so that a request was warned of that the next one could answer.
  @Test func `That nothing is known is said only when all have been asked`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let logind = try await bus.connect(on: loop)
      let asked = Inbox<Bool>()
      let (answer, release) = AsyncStream<Void>.makeStream()
      let getUser = MethodDescription("GetUser", in: ("uid", UInt32.self), out: ("path", ObjectPath.self))
      try await logind.export(
        Interface(
          "org.freedesktop.login1.Manager",
          methods: [
            DBus.Method(getUser) { _, _, _ in
              asked.put(true)
              for await _ in answer { break }
              return "/org/freedesktop/login1/user/me"
            }
          ]), at: "/org/freedesktop/login1")
      try await logind.export(
        Interface(
          "org.freedesktop.login1.User",
          properties: [
            Property("IdleHint", Bool.self) { _, _ in false }, Property("IdleSinceHint", UInt64.self) { _, _ in 0 },
          ]), at: "/org/freedesktop/login1/user/me")
      #expect(try await logind.requestName("org.freedesktop.login1") == .owner)
      let source = IdleSource(on: loop, system: stand.link, session: stand.session)
      let reader = try stand.watch(source, "idle 10m")
      _ = try await asked.next()
      // The screen saver of KDE is known to be missing by now.
      _ = try await stand.session.call(BusMethods.getNameOwner, of: .bus, "org.freedesktop.DBus")
      release.yield()
      #expect(await reader.next() == .holds(false))
      source.unwatch(try Condition("idle 10m").subject)
      await logind.close()
    }
  }

  @Test func `A request is refused only if nothing offers to tell of input`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = IdleSource(on: loop, system: stand.link, session: stand.session)
      let subject = try Condition("idle 10m").subject
      await source.prepare(subject)
      #expect(
        source.refusal(of: subject) == "no desktop, Wayland compositor or logind tells how long there was no input")
      // One that refuses every call is there.
      let logind = try await bus.connect(on: loop)
      #expect(try await logind.requestName("org.freedesktop.login1") == .owner)
      await source.prepare(subject)
      #expect(source.refusal(of: subject) == nil)
      await logind.close()
    }
  }

  @Test func `Where nothing tells of input, that is said`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = IdleSource(on: loop, system: stand.link, session: stand.session)
      let reader = try stand.watch(source, "idle 10m")
      #expect(
        await reader.next() == .unknown("no desktop, Wayland compositor or logind tells how long there was no input"))
      source.unwatch(try Condition("idle 10m").subject)
    }
  }
}
