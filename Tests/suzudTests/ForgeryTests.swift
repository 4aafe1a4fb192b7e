// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import TestSupport
import Testing

@testable import suzud

/// Tests forged signals: a click counts only if the server that showed the notification sent it.
@Suite(.timeLimit(.minutes(1)))
struct ForgeryTests {
  private static let notifications: ObjectPath = "/org/freedesktop/Notifications"

  /// A notification whose button leaves a trace when it runs.
  private static func trap(_ stand: CenterStand) async throws -> Value {
    actions(action("run", run: ["touch", stand.bus.folder.path("it ran")]))
  }

  private static func expectSilence(_ stand: CenterStand, _ server: ScriptedServer) async throws {
    // The next line is the answer to a real click on another notification, and only then comes the trap's own.
    try await stand.notify("b", clickable)
    let number = try await server.posted.next { $0.summary == "b" }.number
    #expect(try await stand.next(1) == ["Delivered b"])
    try await server.press(number, "default")
    #expect(
      try await stand.next(3) == ["Responded b default", "Closed b withdrawn", "Outcome done"])
    #expect(stand.bus.folder.read("it ran") == nil)
    try await server.press(1, "run")
    #expect(try await stand.next(3) == ["Responded a run", "Closed a withdrawn", "Outcome done"])
    #expect(stand.bus.folder.read("it ran") != nil)
  }

  @Test func `A thousand forged signals of each kind have no effect`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": try await Self.trap(stand)])
      #expect(try await stand.next(1) == ["Delivered a"])
      let forger = try await stand.bus.connect(on: stand.loop)
      for _ in 0..<1000 {
        try await forger.emit(ScriptedServer.actionInvoked(1, "run", to: stand.centerName))
        try await forger.emit(ScriptedServer.actionInvoked(1, "run"))
        try await forger.emit(ScriptedServer.notificationClosed(1, reason: 2, to: stand.centerName))
        for (member, text) in [("ActivationToken", "token"), ("NotificationReplied", "yes")] as [(MemberName, String)] {
          try await forger.emit(
            Signal(
              Self.notifications, "org.freedesktop.Notifications", member, [.uint32(1), .string(text)],
              to: stand.centerName))
        }
      }
      // The center's answer proves that it has received all signals before.
      _ = try await stand.call("Cancel", ["test", .strings([])], as: forger)
      try await Self.expectSilence(stand, server)
      await forger.close()
    }
  }

  @Test func `Forged signals of dbus-send have no effect`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": try await Self.trap(stand)])
      #expect(try await stand.next(1) == ["Delivered a"])
      for arguments in [
        ["org.freedesktop.Notifications.ActionInvoked", "uint32:1", "string:run"],
        ["org.freedesktop.Notifications.NotificationClosed", "uint32:1", "uint32:2"],
      ] {
        let sent = try RunningProgram.run(
          "dbus-send",
          ["--session", "--type=signal", "--dest=\(stand.centerName)", Self.notifications.text] + arguments,
          environment: stand.bus.environment)
        #expect(sent.status == 0, "\(sent.errors)")
      }
      try await stand.settle()
      try await Self.expectSilence(stand, server)
    }
  }

  @Test func `Only the bus announces the owner of a name`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": try await Self.trap(stand)])
      #expect(try await stand.next(1) == ["Delivered a"])
      let forger = try await stand.bus.connect(on: stand.loop)
      let name = try #require(await forger.uniqueName)
      let owner = try #require(await stand.client.owner(of: ScriptedServer.busName))
      for (old, new) in [(owner.text, ""), (owner.text, name.text), ("", name.text)] {
        try await forger.emit(
          Signal(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
            ["org.freedesktop.Notifications", .string(old), .string(new)], to: stand.centerName))
      }
      try await forger.emit(
        Signal(
          "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameLost", [.string(CenterBus.name.text)],
          to: stand.centerName))
      try await forger.emit(ScriptedServer.actionInvoked(1, "run", to: stand.centerName))
      _ = try await stand.call("Cancel", ["test", .strings([])], as: forger)
      #expect(try await stand.property("Server") == "scripted 1")
      try await Self.expectSilence(stand, server)
      await forger.close()
    }
  }

  @Test func `Unoffered keys, unknown numbers and second clicks have no effect`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": try await Self.trap(stand)])
      try await stand.notify("other", ["app": "other", "actions": actions(action("own"))])
      #expect(Set(try await stand.next(2)) == ["Delivered a", "Delivered other"])
      for key in ["", "inline-reply", "no", "Run", "run ", "own", "action:run"] { try await server.press(1, key) }
      for number: UInt32 in [0, 3, .max] { try await server.press(number, "run") }
      try await server.press(2, "run")  // the other app's notification has no such action
      try await stand.settle()
      #expect(stand.bus.folder.read("it ran") == nil)
      for _ in 0..<20 { try await server.press(1, "run") }
      try await server.press(1, "default")
      #expect(try await stand.next(3) == ["Responded a run", "Closed a withdrawn", "Outcome done"])
      try await stand.notify("next")
      #expect(try await stand.next(1) == ["Delivered next"])
    }
  }
}
