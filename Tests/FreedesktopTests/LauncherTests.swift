// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import TestSupport
import Testing

/// Tests badges sent to launchers.
@Suite(.timeLimit(.minutes(1))) struct LauncherTests {
  static let interface: InterfaceName = "com.canonical.Unity.LauncherEntry"
  static let tea = "org.example.Tea"
  static let address = "application://org.example.Tea.desktop"

  /// A launcher client and a listening peer.
  struct Stand: Sendable {
    let bus: PrivateBus
    let loop: EventLoop
    let launcher: Launcher
    let own: Connection
    let drawer: Connection

    static func run(_ body: @Sendable (Stand) async throws -> Void) async throws {
      try await withBus(PrivateBus()) { loop, bus in
        let own = try await bus.connect(on: loop)
        let drawer = try await bus.connect(on: loop)
        let stand = Stand(bus: bus, loop: loop, launcher: Launcher(on: own), own: own, drawer: drawer)
        try await body(stand)
        await own.close()
        await drawer.close()
      }
    }

    func updates() async throws -> SignalStream.Iterator {
      try await drawer.signals(matching: MatchRule(interface: LauncherTests.interface, member: "Update"))
        .makeAsyncIterator()
    }

    func query(_ path: ObjectPath) async throws -> [String: Value]? {
      let name = try #require(await own.uniqueName)
      return try await drawer.call(MethodCall(to: name, path, LauncherTests.interface, "Query")).first?.properties
    }
  }

  static func properties(_ count: Int64, _ progress: Double? = nil, urgent: Bool = false) -> [String: Value] {
    [
      "count": .int64(count), "count-visible": .boolean(count > 0), "progress": .double(progress ?? 0),
      "progress-visible": .boolean(progress != nil), "urgent": .boolean(urgent),
    ]
  }

  @Test func `A badge is broadcast and can be queried`() async throws {
    try await Stand.run { stand in
      var updates = try await stand.updates()
      try await stand.launcher.set(3, of: Self.tea)
      let first = try #require(try await updates.next())
      #expect(first.destination == nil)
      #expect(first.arguments == [.string(Self.address), .properties(Self.properties(3))])
      #expect(try await stand.query(first.path) == Self.properties(3))
      let badge = Badge(count: 7, progress: 0.5, isUrgent: true)
      try await stand.launcher.set(badge, of: Self.tea)
      let second = try #require(try await updates.next())
      #expect(second.path == first.path)
      #expect(second.arguments.last?.properties == Self.properties(7, 0.5, urgent: true))
      #expect(try await stand.query(first.path) == Self.properties(7, 0.5, urgent: true))
      #expect(await stand.launcher.badge(of: Self.tea) == badge)
    }
  }

  @Test func `Clearing a badge is broadcast once and removes its object`() async throws {
    try await Stand.run { stand in
      var updates = try await stand.updates()
      try await stand.launcher.clear(Self.tea)
      try await stand.launcher.set(3, of: Self.tea)
      let path = try #require(try await updates.next()).path
      try await stand.launcher.clear(Self.tea)
      try await stand.launcher.clear(Self.tea)
      #expect(try await updates.next()?.arguments.last?.properties == Self.properties(0))
      await #expect(throws: CallError.self) { try await stand.query(path) }
      #expect(await stand.launcher.badge(of: Self.tea) == nil)
      // There was no second update, and the badge can be set again.
      try await stand.launcher.set(1, of: Self.tea)
      #expect(try await updates.next()?.arguments.last?.properties == Self.properties(1))
    }
  }

  @Test func `Each app has its own badge and object`() async throws {
    try await Stand.run { stand in
      var updates = try await stand.updates()
      var paths: [ObjectPath] = []
      for (count, app) in [(1, Self.tea), (2, "org.example.Coffee"), (3, "früh")] as [(Int64, String)] {
        try await stand.launcher.set(count, of: app)
        let update = try #require(try await updates.next())
        #expect(update.arguments.first == .string("application://\(app).desktop"))
        paths.append(update.path)
      }
      for (index, path) in paths.enumerated() {
        #expect(try await stand.query(path) == Self.properties(Int64(index) + 1))
      }
    }
  }

  @Test(arguments: [(-1, nil), (0, Double.nan), (-5, Double.infinity)] as [(Int64, Double?)])
  func `Invalid numbers show no badge`(_ count: Int64, _ progress: Double?) async throws {
    try await Stand.run { stand in
      var updates = try await stand.updates()
      try await stand.launcher.set(Badge(count: count, progress: progress), of: Self.tea)
      #expect(try await updates.next()?.arguments.last?.properties == Self.properties(0))
      try await stand.launcher.set(Badge(progress: 7), of: Self.tea)
      #expect(try await updates.next()?.arguments.last?.properties == Self.properties(0, 1))
    }
  }

  @Test(arguments: ["", "a/b", "a b", "a\nb", "a\0b", String(repeating: "a", count: 256)])
  func `An invalid desktop entry id is rejected`(_ app: String) async throws {
    try await Stand.run { stand in
      await #expect(throws: BusError.self) { try await stand.launcher.set(1, of: app) }
      #expect(await stand.launcher.badge(of: app) == nil)
    }
  }

  @Test func `A launcher that starts later gets all badges`() async throws {
    try await Stand.run { stand in
      var updates = try await stand.updates()
      try await stand.launcher.set(3, of: Self.tea)
      _ = try await updates.next()
      try await stand.launcher.set(4, of: Self.tea)
      _ = try await updates.next()
      for _ in 0..<2 {
        #expect(try await stand.drawer.requestName("com.canonical.Unity") == .owner)
        #expect(try await updates.next()?.arguments.last?.properties == Self.properties(4))
        try await stand.drawer.releaseName("com.canonical.Unity")
      }
    }
  }

  /// Compares with libdbus, GLib and sd-bus: reading the signal, hashing the address, querying.
  @Test func `Other implementations agree on path and number`() async throws {
    try await Stand.run { stand in
      var updates = try await stand.updates()
      let own = try #require(await stand.own.uniqueName)
      let monitor = try RunningProgram(
        "dbus-monitor", ["--session", "type='signal',interface='\(Self.interface)'"], environment: stand.bus.environment
      )
      // The bus removes a monitor's name.
      #expect(monitor.readLines(until: "NameLost") != nil)
      try await stand.launcher.set(3, of: Self.tea)
      let path = try #require(try await updates.next()).path
      #expect(monitor.readLines(until: "path=\(path); interface=\(Self.interface); member=Update") != nil)
      #expect(monitor.readLines(until: "string \"\(Self.address)\"") != nil)
      #expect(monitor.readLines(until: "int64 3") != nil)
      let hash = try RunningProgram.run(
        "/usr/bin/python3",
        [
          "-c", "import ctypes, sys; print(ctypes.CDLL('libglib-2.0.so.0').g_str_hash(sys.argv[1].encode()) % 2**32)",
          Self.address,
        ],
        environment: stand.bus.environment)
      #expect(path.text == "/com/canonical/unity/launcherentry/" + hash.output.prefix { $0 != "\n" }, "\(hash.errors)")
      let asked = try RunningProgram.run(
        "busctl", ["--user", "call", own.text, path.text, Self.interface.text, "Query"],
        environment: stand.bus.environment)
      #expect(
        asked.output.hasPrefix("a{sv} 5 \"count\" x 3 \"count-visible\" b true"), "\(asked.output)\(asked.errors)")
    }
  }
}
