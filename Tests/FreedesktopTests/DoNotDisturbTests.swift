// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport
import Testing

@testable import Freedesktop

/// Tests what is known about *Do not disturb* of notification servers.
@Suite(.timeLimit(.minutes(1))) struct DoNotDisturbTests {
  /// A setting that a test changes.
  private final class Switch: Sendable {
    private let isOn = Mutex(true)
    let asked = Inbox<Bool>()

    var state: Bool {
      asked.put(true)
      return isOn.withLock { $0 }
    }

    func turnOff() { isOn.withLock { $0 = false } }
  }

  private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

  /// A server with this name, and what it offers beside the usual interface.
  private static func run(
    _ name: String, pause: Duration = .seconds(600), settingsReader: [String] = ["false"],
    offering export: @Sendable (Connection, Switch) async throws -> Void = { _, _ in },
    _ body: @Sendable (DoNotDisturb, Connection, Switch) async throws -> Void
  ) async throws {
    try await withBus(try PrivateBus()) { loop, bus in
      let (server, client) = (try await bus.connect(on: loop), try await bus.connect(on: loop))
      let setting = Switch()
      try await export(server, setting)
      let information = Method(
        "GetServerInformation", in: [:], out: ["name": "s", "vendor": "s", "version": "s", "spec_version": "s"]
      ) { _ in [.string(name), "Suzu", "1", "1.2"] }
      // Plasma and dunst have their property on the same object.
      if name == "Plasma" {
        let inhibited = Property("Inhibited", Bool.self) { _, _ in setting.state }
        try await server.export(
          Interface(ServerStand.interface, methods: [information], properties: [inhibited]), at: ServerStand.path)
      } else {
        try await server.export(Interface(ServerStand.interface, methods: [information]), at: ServerStand.path)
      }
      #expect(try await server.requestName(ServerStand.bus) == .owner)
      let dnd = DoNotDisturb(on: client, limit: .seconds(10), pause: pause, settingsReader: settingsReader)
      try await body(dnd, server, setting)
      await client.close()
      await server.close()
    }
  }

  private static func dunst(_ server: Connection, _ setting: Switch) async throws {
    let paused = Property("paused", Bool.self) { _, _ in setting.state }
    try await server.export(Interface("org.dunstproject.cmd0", methods: [], properties: [paused]), at: ServerStand.path)
  }

  private static func mako(_ server: Connection, _ setting: Switch) async throws {
    let modes = Method("ListModes", in: [:], out: ["modes": "as"]) { _ in
      [.strings(setting.state ? ["default", "do-not-disturb"] : ["default"])]
    }
    try await server.export(Interface("fr.emersion.Mako", methods: [modes]), at: "/fr/emersion/Mako")
  }

  private static func swaync(_ server: Connection, _ setting: Switch) async throws {
    let state = Method("GetDnd", in: [:], out: ["on": "b"]) { _ in [.boolean(setting.state)] }
    try await server.export(Interface("org.erikreider.swaync.cc", methods: [state]), at: "/org/erikreider/swaync/cc")
  }

  @Test(arguments: ["Plasma", "dunst", "mako", "SwayNotificationCenter"])
  func `A server tells whether it is on, now and after a change`(name: String) async throws {
    try await Self.run(name) { server, setting in
      switch name {
      case "dunst": try await Self.dunst(server, setting)
      case "mako": try await Self.mako(server, setting)
      case "SwayNotificationCenter": try await Self.swaync(server, setting)
      default: break
      }
    } _: { dnd, server, setting in
      #expect(await dnd.isOn() == true)
      _ = try await setting.asked.next()
      async let ended = dnd.ended(within: .seconds(30))
      _ = try await setting.asked.next(within: .seconds(10))
      setting.turnOff()
      // Any signal of the server is a reason to ask.
      try await server.emit(
        Signal(ServerStand.path, Self.properties, "PropertiesChanged", [.string("x"), .properties([:]), .strings([])]))
      #expect(await ended)
      #expect(await dnd.isOn() == false)
    }
  }

  @Test func `A server that reports no change is asked again after a pause`() async throws {
    try await Self.run("mako", pause: .milliseconds(20), offering: Self.mako) { dnd, _, setting in
      async let ended = dnd.ended(within: .seconds(30))
      _ = try await setting.asked.next(3, within: .seconds(10))
      setting.turnOff()
      #expect(await ended)
    }
  }

  @Test func `Waiting has a limit`() async throws {
    try await Self.run("mako", offering: Self.mako) { dnd, _, _ in
      #expect(await !dnd.ended(within: .milliseconds(50)))
    }
  }

  @Test(
    arguments: [(["echo", "false"], true), (["echo", "true"], false), (["echo", "what"], nil), (["false"], nil)]
      as [([String], Bool?)])
  func `GNOME's setting is read by its program`(reader: [String], isOn: Bool?) async throws {
    try await Self.run("gnome-shell", settingsReader: reader) { dnd, _, _ in #expect(await dnd.isOn() == isOn) }
  }

  @Test func `A server that does not tell, or is gone, is not quiet`() async throws {
    try await Self.run("other") { dnd, _, _ in
      #expect(await dnd.isOn() == nil)
      #expect(await dnd.ended(within: .seconds(30)))
    }
    // It does not have what it should have.
    try await Self.run("dunst") { dnd, _, _ in #expect(await dnd.isOn() == nil) }
    try await Self.run("mako", pause: .milliseconds(20), offering: Self.mako) { dnd, server, setting in
      async let ended = dnd.ended(within: .seconds(30))
      _ = try await setting.asked.next(within: .seconds(10))
      await server.close()
      #expect(await ended)
    }
  }
}
