// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests the server side against common clients: notify-send, gdbus and the Python binding.
@Suite(.timeLimit(.minutes(1))) struct ExportedNotificationServerTests {
  /// Starts a program on the stand's bus only.
  static func start(_ stand: ServerStand, _ program: String, _ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(program, arguments, environment: stand.bus.environment)
  }

  static func gdbus(
    _ stand: ServerStand, _ method: String, _ arguments: [String] = []
  ) async throws -> (status: Int32, output: String, errors: String) {
    let call = [
      "call", "--session", "-d", ServerStand.bus.text, "-o", ServerStand.path.text, "-m",
      "\(ServerStand.interface).\(method)",
    ]
    return try await offPool {
      try RunningProgram.run("gdbus", call + arguments, environment: stand.bus.environment)
    }
  }

  // MARK: gdbus

  @Test func `gdbus gets its answers`() async throws {
    try await ServerStand.run { stand in
      #expect(try await Self.gdbus(stand, "GetServerInformation") == (0, "('stand', 'Suzu', '1', '1.2')\n", ""))
      #expect(try await Self.gdbus(stand, "GetCapabilities") == (0, "(['actions', 'body', 'x-own'],)\n", ""))
      let notify = [
        "app", "0", "icon", "Tea", "is ready", "['a', 'A', 'odd']", "{'urgency': <byte 2>, 'x': <(1, 'y')>}",
      ]
      #expect(try await Self.gdbus(stand, "Notify", notify + ["--", "-1"]) == (0, "(uint32 1,)\n", ""))
      let drawings = Reader(stand.display.drawings)
      let expected = ServerNotification(
        appName: "app", icon: "icon", summary: "Tea", body: "is ready", actions: [.init(key: "a", label: "A")],
        hints: ["urgency": .byte(2), "x": .structure([.int32(1), "y"])])
      #expect(try await drawings.shown() == (expected, 1))
      #expect(try await Self.gdbus(stand, "CloseNotification", ["1"]) == (0, "()\n", ""))
      #expect(await drawings.next() == .closed(1))
      let (status, _, errors) = try await Self.gdbus(stand, "CloseNotification", ["1"])
      #expect(status == 1)
      #expect(errors.contains("org.freedesktop.Notifications.Error.InvalidId"))
    }
  }

  @Test(
    arguments: [
      ([], []), (["a"], []), (["a", "A"], ["a"]), (["a", "A", "b"], ["a"]), (["a", "", "", "B"], ["a", ""]),
    ] as [([String], [String])])
  func `An odd list of actions loses its last word`(_ words: [String], _ keys: [String]) async throws {
    try await ServerStand.run { stand in
      let arguments: [Value] = ["", .uint32(0), "", "Tea", "", .strings(words), .properties([:]), .int32(0)]
      let call = MethodCall(to: ServerStand.bus, ServerStand.path, ServerStand.interface, "Notify", arguments)
      #expect(try await stand.clientConnection.call(call) == [.uint32(1)])
      let drawings = Reader(stand.display.drawings)
      let shown = try await drawings.shown().notification
      #expect(shown.actions.map(\.key) == keys)
      #expect(shown.expiry == .never)
    }
  }

  @Test func `Arguments of other types never reach the display`() async throws {
    try await ServerStand.run { stand async throws in
      let good: [Value] = ["", .uint32(0), "", "Tea", "", .strings([]), .properties([:]), .int32(-1)]
      let wrong: [(Int, Value)] = [
        (0, .int32(1)), (1, .int32(1)), (2, .strings([])), (3, .variant("Tea")), (4, .bytes([])),
        (5, .array(of: .variant, [])),
        (6, .strings([])), (7, .uint32(1)), (7, .int64(1)),
      ]
      var calls = wrong.map { index, value in
        var arguments = good
        arguments[index] = value
        return arguments
      }
      calls += [[], Array(good.dropLast()), good + ["more"]]
      for arguments in calls {
        let call = MethodCall(to: ServerStand.bus, ServerStand.path, ServerStand.interface, "Notify", arguments)
        let error = await #expect(throws: CallError.self) { try await stand.clientConnection.call(call) }
        #expect(error?.isRefusal(.invalidArgs) == true)
      }
      let call = MethodCall(to: ServerStand.bus, ServerStand.path, ServerStand.interface, "Notify", good)
      #expect(try await stand.clientConnection.call(call) == [.uint32(1)])
      #expect(await stand.display.shown == [1])
    }
  }

  // MARK: The name

  @Test func `A second server is refused`() async throws {
    try await ServerStand.run { stand in
      let connection = try await stand.bus.connect(on: stand.loop)
      let second = ExportedNotificationServer(
        on: connection, information: ServerStand.information, capabilities: [], display: stand.display)
      #expect(try await second.start() == false)
      await connection.close()
    }
  }

  // MARK: Receivers

  @Test func `Only the poster receives the click`() async throws {
    try await ServerStand.run { stand in
      let listener = try await stand.bus.connect(on: stand.loop)
      let overheard = try await listener.signals(matching: MatchRule(interface: ServerStand.interface))
      let events = try await stand.follow()
      let posted = try await stand.server.notify(NotificationServerClientTests.tea)
      await stand.service.invoked(1, key: "more")
      #expect(await events.next() == .actionInvoked(posted, key: "more"))
      // Earlier signals to the listener would arrive before this one.
      try await ServerStand.emit("ActionInvoked", [.uint32(0), "end"], from: stand.serverConnection)
      var iterator = overheard.makeAsyncIterator()
      #expect(try await iterator.next()?.arguments == [.uint32(0), "end"])
      await listener.close()
    }
  }

  @Test func `Numbers are not reused while they are on the screen`() async throws {
    try await ServerStand.run { stand in
      _ = try await stand.follow()
      for number: UInt32 in 1...3 {
        #expect(try await stand.server.notify(NotificationServerClientTests.tea).number == number)
      }
      await stand.service.closed(2, .expired)
      #expect(try await stand.server.notify(NotificationServerClientTests.tea, replacing: 2).number == 4)
      #expect(try await stand.server.notify(NotificationServerClientTests.tea, replacing: 3).number == 3)
      #expect(try await stand.server.notify(NotificationServerClientTests.tea).number == 5)
    }
  }

  // MARK: notify-send

  @Test func `notify-send is understood`() async throws {
    try await ServerStand.run { stand in
      let drawings = Reader(stand.display.drawings)
      let arguments = [
        "--print-id", "-u", "critical", "-i", "tea", "-a", "Kitchen", "-t", "1500", "-c", "im.received", "-h",
        "int:value:42",
        "Tea", "is <b>ready</b>",
      ]
      let program = try Self.start(stand, "notify-send", arguments)
      let (shown, number) = try await drawings.shown()
      #expect(try await program.line() == "\(number)")
      #expect(try await program.exit() == 0)
      #expect(shown.appName == "Kitchen")
      #expect(shown.summary == "Tea")
      #expect(shown.body == "is <b>ready</b>")
      #expect(shown.icon == "tea")
      #expect(shown.urgency == .critical)
      #expect(shown.progress == 42)
      #expect(shown.expiry == .after(.milliseconds(1500)))
      #expect(shown.hints["category"] == "im.received")
      // Each run is a new connection; the number stays.
      let again = try Self.start(stand, "notify-send", ["--print-id", "--replace-id=\(number)", "Coffee"])
      let (replacement, sameNumber) = try await drawings.shown()
      #expect(try await again.line() == "\(number)")
      #expect(sameNumber == number)
      #expect(replacement.summary == "Coffee")
      #expect(try await again.exit() == 0)
    }
  }

  @Test func `notify-send gets the pressed button`() async throws {
    try await ServerStand.run { stand in
      let drawings = Reader(stand.display.drawings)
      let program = try Self.start(stand, "notify-send", ["--action=more=More", "--action=Less", "Tea"])
      let (shown, number) = try await drawings.shown()
      #expect(shown.actions == [.init(key: "more", label: "More"), .init(key: "1", label: "Less")])
      await stand.service.activationToken(number, "token")
      await stand.service.invoked(number, key: "more")
      #expect(try await program.line() == "more")
      await stand.service.closed(number, .dismissed)
      #expect(try await program.exit() == 0)
    }
  }

  @Test(arguments: [ClosedReason.expired, .dismissed, .closed, .undefined])
  func `notify-send waits for the end of the notification`(_ reason: ClosedReason) async throws {
    try await ServerStand.run { stand in
      let drawings = Reader(stand.display.drawings)
      let program = try Self.start(stand, "notify-send", ["--wait", "--print-id", "Tea"])
      let (_, number) = try await drawings.shown()
      #expect(program.isRunning)
      await stand.service.closed(number, reason)
      // libnotify flushes its output only now.
      #expect(try await program.line() == "\(number)")
      #expect(try await program.exit() == 0)
    }
  }

  // MARK: python3-dbus

  @Test func `The Python binding posts and receives signals`() async throws {
    let script = """
      import dbus, dbus.mainloop.glib
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      loop = GLib.MainLoop()
      server = dbus.Interface(dbus.SessionBus().get_object("org.freedesktop.Notifications", "/org/freedesktop/Notifications"),
                              "org.freedesktop.Notifications")
      def closed(number, reason):
          print(int(number), int(reason), flush=True)
          loop.quit()
      server.connect_to_signal("ActionInvoked", lambda number, key: print(int(number), key, flush=True))
      server.connect_to_signal("NotificationClosed", closed)
      # Without types: an empty list and an empty dictionary are what the introspection says.
      print(int(server.Notify("py", 0, "", "Tea", "", [], {}, -1)), flush=True)
      print(int(server.Notify("py", 0, "", "Tea", "", ["a", "A"], {"urgency": 2, "resident": True}, 0)), flush=True)
      loop.run()
      """
    try await ServerStand.run { stand in
      let drawings = Reader(stand.display.drawings)
      let program = try Self.start(stand, "/usr/bin/python3", ["-c", script])
      #expect(try await drawings.shown().notification == ServerNotification(appName: "py", summary: "Tea"))
      let (shown, number) = try await drawings.shown()
      #expect(shown.urgency == .critical)
      #expect(shown.isResident)
      #expect(shown.expiry == .never)
      #expect(try await program.line() == "1")
      #expect(try await program.line() == "2")
      await stand.service.invoked(number, key: "a")
      await stand.service.closed(number, .dismissed)
      #expect(try await program.line() == "2 a")
      #expect(try await program.line() == "2 2")
      #expect(try await program.exit() == 0)
    }
  }
}
