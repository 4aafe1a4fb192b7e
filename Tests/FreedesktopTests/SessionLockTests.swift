// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests whether the session is locked, by screen savers and logind.
@Suite(.timeLimit(.minutes(1))) struct SessionLockTests {
  // MARK: Who is believed

  @Test func `A session without a locker is not locked`() async throws {
    try await LockStand.run { stand in
      #expect(await !stand.lock.isLocked())
      #expect(await stand.lock.unlocked(within: .seconds(10)))
      let folder = try TemporaryFolder()
      for system in [nil, try BusAddress("unix:path=" + folder.path("none"))] {
        let lock = SessionLock(on: stand.connection, system: system)
        #expect(await !lock.isLocked())
        #expect(await lock.unlocked(within: .seconds(10)))
      }
    }
  }

  @Test(arguments: [
    ("org.gnome.ScreenSaver", nil), ("org.freedesktop.ScreenSaver", nil),
    ("org.freedesktop.ScreenSaver", "/ScreenSaver"), ("org.cinnamon.ScreenSaver", nil),
    ("org.mate.ScreenSaver", nil), ("org.xfce.ScreenSaver", nil),
  ])
  func `Any screen saver can report the lock`(_ name: String, _ path: String?) async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver(name, at: path)
      #expect(await !stand.lock.isLocked())
      await saver.follow(.active(true))
      #expect(await stand.lock.isLocked())
      await saver.close()
      #expect(await !stand.lock.isLocked())
    }
  }

  @Test func `One locker that reports a lock outweighs all that do not`() async throws {
    try await LockStand.run { stand in
      let logind = try await stand.logind()
      let gnome = try await stand.saver()
      let other = try await stand.saver("org.freedesktop.ScreenSaver")
      #expect(await !stand.lock.isLocked())
      await other.follow(.active(true))
      #expect(await stand.lock.isLocked())
      await other.follow(.active(false))
      try await logind.hint("c1", true)
      #expect(await stand.lock.isLocked())
      try await logind.hint("c1", false)
      #expect(await !stand.lock.isLocked())
      for peer in [gnome, other] { await peer.close() }
      await logind.close()
    }
  }

  @Test func `logind is asked for our own session and for the one on the screen, and for no other`() async throws {
    try await LockStand.run { stand in
      let logind = try await stand.logind(own: "c3")
      for (session, isLocked) in [("c3", true), ("c1", true), ("c2", false)] {
        try await logind.hint(session, true)
        #expect(await stand.lock.isLocked() == isLocked, "\(session)")
        try await logind.hint(session, false)
      }
      let stranger = SessionLock(on: stand.connection, system: try BusAddress(stand.system.address), user: 7)
      try await logind.hint("c1", true)
      #expect(await !stranger.isLocked())
      await logind.close()
    }
  }

  @Test func `A user without a session on a screen is not locked by logind`() async throws {
    try await LockStand.run { stand in
      let logind = try await stand.logind(display: "")
      #expect(await !stand.lock.isLocked())
      await logind.close()
    }
  }

  // MARK: Who does not say

  @Test(
    arguments: [
      ("org.freedesktop.DBus.Error.UnknownMethod", false), ("org.freedesktop.DBus.Error.NotSupported", false),
      ("org.freedesktop.DBus.Error.UnknownInterface", false), ("org.freedesktop.DBus.Error.UnknownObject", false),
      ("org.freedesktop.DBus.Error.Failed", true), ("org.freedesktop.DBus.Error.AccessDenied", true),
      ("org.example.Error.Anything", true),
    ] as [(ErrorName, Bool)])
  func `A service without locks does not count, and one that fails is taken for locked`(
    _ error: ErrorName, _ isLocked: Bool
  ) async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.refuse(error))
      #expect(await stand.lock.isLocked() == isLocked)
      await saver.follow(.active(false))
      let logind = try await stand.logind()
      await logind.refuse(error)
      #expect(await stand.lock.isLocked() == isLocked)
      await saver.close()
      await logind.close()
    }
  }

  @Test func `An answer of another type, or none in time, is taken for locked`() async throws {
    try await LockStand.run(limit: .milliseconds(300)) { stand in
      let saver = try await stand.saver()
      await saver.follow(.hold)
      let start = ContinuousClock.now
      #expect(await stand.lock.isLocked())
      #expect(ContinuousClock.now - start < .seconds(5))
      await saver.close()
      #expect(await !stand.lock.isLocked())
      let odd = try await stand.session.connect(on: stand.loop)
      try await odd.export(
        Interface("org.gnome.ScreenSaver", methods: [Method("GetActive", out: ["a": "s"]) { _ in ["no"] }]),
        at: "/org/gnome/ScreenSaver")
      #expect(try await odd.requestName("org.gnome.ScreenSaver") == .owner)
      #expect(await stand.lock.isLocked())
      await odd.close()
    }
  }

  @Test func `A hanging system bus is taken for locked in time, and waited for`() async throws {
    try await LockStand.run(limit: .milliseconds(300)) { stand in
      stand.system.freeze()
      let start = ContinuousClock.now
      #expect(await stand.lock.isLocked())
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(await !stand.lock.unlocked(within: .milliseconds(400)))
      let waiting = Task { await stand.lock.unlocked(within: .seconds(30)) }
      stand.system.thaw()
      #expect(await waiting.value)
    }
  }

  @Test func `A closed session bus is taken for locked`() async throws {
    try await LockStand.run { stand in
      await stand.connection.close()
      #expect(await stand.lock.isLocked())
      #expect(await !stand.lock.unlocked(within: .seconds(30)))
    }
  }

  @Test func `A query starts no service`() async throws {
    let folder = try TemporaryFolder()
    let names = ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.freedesktop.login1"]
    let services = Dictionary(uniqueKeysWithValues: names.map { ($0, "/bin/sh -c 'touch \(folder.path($0)); exit 1'") })
    try await withBus(PrivateBus(services: services)) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let lock = SessionLock(on: connection, system: try BusAddress(bus.address))
      #expect(await !lock.isLocked())
      #expect(await lock.unlocked(within: .seconds(10)))
      // A query that starts a service would have come before this one, which does start one.
      _ = try? await connection.call(.toBus("StartServiceByName", ["org.freedesktop.ScreenSaver", .uint32(0)]))
      for name in names { #expect((folder.read(name) != nil) == (name == "org.freedesktop.ScreenSaver")) }
      await connection.close()
    }
  }

  // MARK: Waiting

  @Test func `The unlock needs every locker`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      let logind = try await stand.logind()
      await saver.follow(.active(true))
      try await logind.hint("c1", true)
      let waiting = try await stand.wait(asking: saver)
      try await saver.tell(false)
      _ = try await saver.asked.next()
      try await logind.hint("c1", false)
      #expect(await waiting.value)
      await saver.close()
      await logind.close()
    }
  }

  @Test func `A screen saver that vanishes no longer counts, and one that appears does`() async throws {
    try await LockStand.run { stand in
      let first = try await stand.saver()
      await first.follow(.active(true))
      let waiting = try await stand.wait(asking: first)
      let second = try await stand.saver("org.freedesktop.ScreenSaver")
      await second.follow(.active(true))
      _ = try await second.asked.next()
      await first.close()
      _ = try await second.asked.next()
      try await second.dropName()
      #expect(await waiting.value)
      await second.close()
    }
  }

  @Test func `A flapping screen saver is queried again, and its last answer counts`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.active(true))
      let waiting = try await stand.wait(asking: saver)
      for _ in 0..<500 { try await saver.tell(true) }
      for _ in 0..<20 {
        try await saver.dropName()
        try await saver.takeName()
        try await saver.tell(true)
      }
      await saver.follow(.active(false))
      try await saver.tell(false)
      #expect(await waiting.value)
      await saver.close()
    }
  }

  @Test func `A screen saver that hung is queried again without a signal`() async throws {
    try await LockStand.run(limit: .milliseconds(200)) { stand in
      let saver = try await stand.saver()
      await saver.follow(.hold)
      let waiting = Task { await stand.lock.unlocked(within: .seconds(30)) }
      _ = try await saver.asked.next()
      // Services that were there at the beginning cause a second query. These are queried later and with the same
      // limit: when they time out, the others have as well.
      for _ in 0..<3 { #expect(await stand.lock.isLocked()) }
      await saver.follow(.active(false))
      #expect(await waiting.value)
      await saver.close()
    }
  }

  @Test func `A logind that starts later is queried`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.active(true))
      let waiting = try await stand.wait(asking: saver)
      let logind = try await stand.logind()
      try await logind.hint("c1", true)
      try await saver.tell(false)
      _ = try await saver.asked.next()
      await logind.close()
      #expect(await waiting.value)
      await saver.close()
    }
  }

  @Test func `A session bus that comes back is followed again`() async throws {
    let first = try PrivateBus()
    try await withLoop { loop in
      var options = Connection.Options()
      options.reconnects = true
      let connection = try await first.connect(on: loop, options)
      let lock = SessionLock(on: connection, system: nil, limit: .milliseconds(500))
      let saver = ScriptedLocker(try await first.connect(on: loop), "org.gnome.ScreenSaver", "/org/gnome/ScreenSaver")
      try await saver.start()
      await saver.follow(.active(true))
      let listening = Task { await lock.unlocked(within: .seconds(30)) }
      _ = try await saver.asked.next()
      first.kill()
      // A wait that begins while there is no bus.
      let coming = Task { await lock.unlocked(within: .seconds(30)) }
      #expect(await lock.isLocked())
      let second = try PrivateBus(in: first.folder)
      let other = ScriptedLocker(try await second.connect(on: loop), "org.gnome.ScreenSaver", "/org/gnome/ScreenSaver")
      await other.follow(.active(true))
      try await other.start()
      _ = try await other.asked.next()
      try await other.tell(false)
      #expect(await listening.value)
      #expect(await coming.value)
      for peer in [saver, other] { await peer.close() }
      await connection.close()
    }
  }

  @Test func `A wait ends at its limit and with its task`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.active(true))
      #expect(await !stand.lock.unlocked(within: .milliseconds(100)))
      let waiting = try await stand.wait(asking: saver)
      waiting.cancel()
      #expect(await !waiting.value)
      await saver.close()
    }
  }

  @Test func `An ended wait leaves no subscription and no connection behind`() async throws {
    try await LockStand.run { stand in
      let witness = try await stand.system.connect(on: stand.loop)
      let before = try await LockStand.guests(of: witness)
      let saver = try await stand.saver()
      await saver.follow(.active(true))
      let waiting = try await stand.wait(asking: saver)
      #expect(try await LockStand.guests(of: witness).count == before.count + 1)
      #expect(try await Self.rules(of: stand.connection) > 0)
      waiting.cancel()
      #expect(await !waiting.value)
      // The bus notices a closed socket after some time.
      let owners = try await witness.signals(
        matching: MatchRule(sender: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged"))
      if try await LockStand.guests(of: witness) != before {
        var changes = owners.makeAsyncIterator()
        _ = try await changes.next()
      }
      #expect(try await LockStand.guests(of: witness) == before)
      #expect(try await Self.rules(of: stand.connection) == 0)
      await witness.close()
      await saver.close()
    }
  }

  /// The number of match rules of a connection, as dbus-daemon counts them.
  static func rules(of connection: Connection) async throws -> UInt32 {
    let name = try #require(await connection.uniqueName)
    let call = MethodCall(
      to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats",
      [.string(name.text)])
    return try #require(try await connection.call(call).first?.properties?["MatchRules"]?.uint32)
  }

  // MARK: Other implementations

  /// Uses python-dbusmock's templates; that of logind (0.28) has no `GetSessionByPID`, and its `GetUser` fails.
  @Test func `The mocks of python-dbusmock are understood`() async throws {
    try await LockStand.run { stand in
      let system = try await stand.system.connect(on: stand.loop)
      var environment = stand.session.environment
      environment["DBUS_SYSTEM_BUS_ADDRESS"] = stand.system.address
      var owners = [
        try await stand.connection.owners(of: "org.gnome.ScreenSaver").makeAsyncIterator(),
        try await system.owners(of: "org.freedesktop.login1").makeAsyncIterator(),
      ]
      let mocks = try ["gnome_screensaver", "logind"].map {
        try RunningProgram("/usr/bin/python3", ["-m", "dbusmock", "--template", $0], environment: environment)
      }
      for index in owners.indices {
        while let owner = await owners[index].next(isolation: #isolation), owner == nil {}
      }
      let manager: InterfaceName = "org.freedesktop.login1.Manager"
      func mock(_ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]) async throws
      {
        try await system.call(MethodCall(to: "org.freedesktop.login1", path, interface, member, arguments))
      }
      let mockInterface: InterfaceName = "org.freedesktop.DBus.Mock"
      try await mock(
        "/org/freedesktop/login1", mockInterface, "AddSession", ["c1", "seat0", .uint32(1000), "joe", true])
      let code: Value = "ret = '/org/freedesktop/login1/user/%i' % args[0]"
      try await mock(
        "/org/freedesktop/login1", mockInterface, "AddMethod", [.string(manager.text), "GetUser", "u", "o", code])
      let session: ObjectPath = "/org/freedesktop/login1/session/c1"
      try await mock(
        "/org/freedesktop/login1/user/1000", "org.freedesktop.DBus.Properties", "Set",
        [
          "org.freedesktop.login1.User", "Display", .variant(.structure(["c1", .objectPath(session)])),
        ])
      #expect(await !stand.lock.isLocked())
      let saver: BusName = "org.gnome.ScreenSaver"
      func saverIsActive(_ isActive: Bool) async throws {
        try await stand.connection.call(
          MethodCall(to: saver, "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "SetActive", [.boolean(isActive)]))
      }
      try await mock(session, "org.freedesktop.login1.Session", "SetLockedHint", [true])
      #expect(await stand.lock.isLocked())
      try await saverIsActive(true)
      let waiting = Task { await stand.lock.unlocked(within: .seconds(30)) }
      try await mock(session, "org.freedesktop.login1.Session", "SetLockedHint", [false])
      #expect(await stand.lock.isLocked())
      try await saverIsActive(false)
      #expect(await waiting.value)
      for mock in mocks { mock.kill() }
      await system.close()
    }
  }
}
