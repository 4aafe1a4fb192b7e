// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import Suzu
import SuzuTesting
import TestSupport
import Testing

/// Tests that a scripted server behaves like the recorded one, seen from a client on its bus.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct ServerProfileTests {
  /// A client of a server, and the signals that it receives, as lines.
  private struct Client {
    let connection: Connection
    let signals = Inbox<String>()

    init(_ bus: PrivateBus, _ loop: EventLoop) async throws {
      connection = try await bus.connect(on: loop)
      let stream = try await connection.signals(
        matching: MatchRule(sender: ScriptedServer.busName, interface: "org.freedesktop.Notifications"))
      // It ends with the connection.
      _ = Task { [signals] in
        for try await signal in stream {
          let arguments = signal.arguments.map { $0.string ?? $0.uint32.map(String.init) ?? "?" }
          signals.put(([signal.member.text] + arguments).joined(separator: " "))
        }
      }
    }

    func notify(
      _ title: String, _ actions: [String] = ["default", "Open", "a", "A", "b", "B", "c", "C", "d", "D"],
      replaces: UInt32 = 0, hints: [String: Value] = [:], app: String = "app"
    ) async throws -> UInt32 {
      let reply = try await connection.call(
        MethodCall(
          to: ScriptedServer.busName, "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify",
          [
            .string(app), .uint32(replaces), "", .string(title), "", .strings(actions), .properties(hints), .int32(-1),
          ]))
      return try #require(reply.first?.uint32)
    }

    func close(_ number: UInt32) async throws {
      try await connection.call(
        MethodCall(
          to: ScriptedServer.busName, "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
          "CloseNotification", [.uint32(number)]))
    }
  }

  private static func run(
    _ profile: ServerProfile, _ body: @Sendable (ScriptedServer, Client) async throws -> Void
  ) async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let server = try await ScriptedServer.start(like: profile, on: bus, loop: loop)
      let client = try await Client(bus, loop)
      try await body(server, client)
      await client.connection.close()
      await server.die()
    }
  }

  @Test(arguments: [
    (ServerProfile.gnome43, ["A", "B", "C"]), (.plasma6, ["A", "B", "C", "D"]), (.xfce, ["Open", "A", "B", "C", "D"]),
    (.dunst, []), (.notifyOSD, []), (.cosmic, []),
  ])
  func `It draws as many buttons as the recorded server`(profile: ServerProfile, labels: [String]) async throws {
    try await Self.run(profile) { server, client in
      let number = try await client.notify("T")
      let popup = try await server.popup(titled: "T")
      #expect(number == profile.firstNumber && popup.buttons == labels)
    }
  }

  @Test(arguments: [
    (ServerProfile.gnome43, ["ActionInvoked 1 a", "NotificationClosed 1 2"]),
    (.gnome48, ["ActivationToken 1 token-1", "ActionInvoked 1 a", "NotificationClosed 1 2"]),
    (.plasma5, ["ActivationToken 1 token-1", "ActionInvoked 1 a", "NotificationClosed 1 3"]),
    (.swaync, ["ActionInvoked 1 a", "NotificationClosed 1 2", "NotificationClosed 1 2"]),
    (.lxqt, ["ActionInvoked 1 a"]),
  ])
  func `A click sends the signals of the recorded server`(profile: ServerProfile, signals: [String]) async throws {
    try await Self.run(profile) { server, client in
      _ = try await client.notify("T")
      try await server.click("A", on: try await server.popup(titled: "T"))
      #expect(try await client.signals.next(signals.count) == signals)
      #expect(await server.screen.isEmpty == (profile != .lxqt))
    }
  }

  @Test func `A button that is not drawn cannot be clicked`() async throws {
    try await Self.run(.gnome48) { server, client in
      _ = try await client.notify("T")
      let popup = try await server.popup(titled: "T")
      await #expect(throws: TestFailure.self) { try await server.click("D", on: popup) }
      try await server.dismiss(popup)
      await #expect(throws: TestFailure.self) { try await server.click("A", on: popup) }
      #expect(try await client.signals.next() == "NotificationClosed 1 2")
    }
  }

  @Test func `What does not come is not waited for without end`() async throws {
    try await Self.run(.standard) { server, client in
      await #expect(throws: TestFailure.self) { _ = try await server.popup(titled: "T", within: .milliseconds(10)) }
      async let found = server.popup(titled: "T")
      let number = try await client.notify("T")
      #expect(try await found.number == number)
    }
  }

  @Test func `GNOME keeps three of each app, and closes the oldest`() async throws {
    try await Self.run(.gnome48) { server, client in
      for title in ["1", "2", "3", "4"] { _ = try await client.notify(title) }
      _ = try await client.notify("5", app: "another")
      #expect(await server.screen.map(\.title) == ["2", "3", "4", "5"])
      #expect(try await client.signals.next() == "NotificationClosed 1 1")
    }
  }

  @Test func `MATE refuses the 22nd, and Plasma the same text within a second`() async throws {
    try await Self.run(.mate) { server, client in
      for number in 1...21 { _ = try await client.notify("\(number)") }
      let error = await #expect(throws: CallError.self) { _ = try await client.notify("22") }
      #expect("\(try #require(error))".contains("Exceeded maximum number"))
      #expect(await server.screen.count == 21)
    }
    try await Self.run(.plasma6) { server, client in
      _ = try await client.notify("T")
      let error = await #expect(throws: CallError.self) { _ = try await client.notify("T") }
      #expect("\(try #require(error))".contains("ExcessNotificationGeneration"))
      _ = try await client.notify("U")
      #expect(await server.screen.map(\.title) == ["T", "U"])
    }
  }

  @Test(arguments: [(ServerProfile.dunst, 4242), (.gnome48, 2)] as [(ServerProfile, UInt32)])
  func `An unknown number is replaced, or not`(profile: ServerProfile, number: UInt32) async throws {
    try await Self.run(profile) { _, client in
      let first = try await client.notify("1")
      #expect(try await client.notify("2", replaces: 4242) == number)
      #expect(try await client.notify("3", replaces: first) == first)
    }
  }

  @Test func `A reply, a close, and a close of nothing`() async throws {
    try await Self.run(.plasma6) { server, client in
      _ = try await client.notify("T", ["inline-reply", "Reply"])
      try await server.reply("hello", to: try await server.popup(titled: "T"))
      #expect(try await client.signals.next(2) == ["NotificationReplied 1 hello", "NotificationClosed 1 3"])
      try await client.close(99)
      #expect(try await client.signals.next() == "NotificationClosed 99 3")
    }
    try await Self.run(.notificationDaemon) { _, client in
      await #expect(throws: CallError.self) { try await client.close(99) }
      let number = try await client.notify("T")
      try await client.close(number)
      #expect(try await client.signals.next() == "NotificationClosed 1 3")
    }
    try await Self.run(.gnome48) { server, client in
      _ = try await client.notify("T", ["inline-reply", "Reply"])
      let popup = try await server.popup(titled: "T")
      await #expect(throws: TestFailure.self) { try await server.reply("hello", to: popup) }
    }
  }

  @Test func `What expires is reported, or not`() async throws {
    try await Self.run(.xfce) { server, client in
      _ = try await client.notify("T")
      try await server.expire(try await server.popup(titled: "T"))
      #expect(try await client.signals.next() == "NotificationClosed 1 1")
    }
    try await Self.run(.gnome48) { server, client in
      _ = try await client.notify("T")
      try await server.expire(try await server.popup(titled: "T"))
      _ = try await client.notify("U")
      try await server.dismiss(try await server.popup(titled: "U"))
      #expect(try await client.signals.next() == "NotificationClosed 2 2")
    }
  }

  @Test func `Each recorded server knows the facts that the center knows`() {
    for profile in ServerProfile.recorded {
      let known = KnownServer(profile.name, ServerVersion(profile.version))
      let buttons = profile.capabilities.contains("actions") ? known.buttons : 0
      let tellsOfExpiry = known.tellsOfExpiry && !known.keepsExpired
      #expect(profile.buttons == buttons && profile.tellsOfExpiry == tellsOfExpiry, "\(profile)")
      let room = profile.room?.limit
      #expect(room == nil || known.room == nil || room == known.room?.limit, "\(profile)")
    }
    #expect(Set(ServerProfile.recorded.map { $0.name + " " + $0.version }).count == ServerProfile.recorded.count)
  }

  @Test func `The script decides instead, and the server crashes on cue`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let server = try await ScriptedServer.start(like: .gnome48, on: bus, loop: loop) { posted in
        posted.summary == "bad" ? .refuse("org.example.No", "no") : .number
      }
      let client = try await Client(bus, loop)
      await #expect(throws: CallError.self) { _ = try await client.notify("bad") }
      _ = try await client.notify("good")
      #expect(await server.screen.map(\.title) == ["good"])
      await server.die()
      await #expect(throws: CallError.self) { _ = try await client.notify("good") }
      #expect(await server.screen.isEmpty)
      // Another one counts from the beginning again.
      let next = try await ScriptedServer.start(like: .gnome48, on: bus, loop: loop)
      #expect(try await client.notify("again") == 1)
      await client.connection.close()
      await next.die()
    }
  }
}
