// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import TestSupport
import Testing

/// Tests the client side of the notification protocol against our service and scripted servers.
@Suite(.timeLimit(.minutes(1))) struct NotificationServerClientTests {
  static let tea = ServerNotification(
    appName: "Suzu", icon: "tea", summary: "Tea", body: "is <b>ready</b>",
    actions: [.init(key: "default", label: "Open"), .init(key: "more", label: "More")],
    hints: ["urgency": .byte(2), "value": .int32(42), "resident": true, "desktop-entry": "dev.suzu.Suzu"],
    expiry: .after(.milliseconds(1500)))

  // MARK: Posting

  @Test func `A posted notification is drawn`() async throws {
    try await ServerStand.run { stand in
      let state = try await Reader(stand.server.events()).expectAppearance()
      #expect(state.owner == (await stand.serverConnection.uniqueName))
      #expect(state.information == ServerStand.information)
      #expect(state.capabilities == Set(ServerStand.capabilities))
      let posted = try await stand.server.notify(Self.tea)
      #expect(posted == PostedNumber(server: state.owner, number: 1))
      #expect(await stand.display.drawings.first() == .shown(Self.tea, 1))
    }
  }

  @Test func `A known number is replaced and an unknown one is not`() async throws {
    try await ServerStand.run { stand in
      _ = try await stand.follow()
      #expect(try await stand.server.notify(Self.tea).number == 1)
      #expect(try await stand.server.notify(Self.tea).number == 2)
      #expect(try await stand.server.notify(Self.tea, replacing: 1).number == 1)
      #expect(try await stand.server.notify(Self.tea, replacing: 77).number == 3)
      #expect(await stand.display.shown == [1, 2, 1, 3])
    }
  }

  @Test func `Closing is drawn and reported`() async throws {
    try await ServerStand.run { stand in
      let events = try await stand.follow()
      let posted = try await stand.server.notify(Self.tea)
      try await stand.server.close(posted)
      #expect(await events.next() == .closed(posted, .closed))
      // Closing an absent notification is no error.
      try await stand.server.close(posted)
      try await stand.server.close(PostedNumber(server: posted.server, number: 99))
      try await stand.server.close(PostedNumber(server: ":1.999", number: 1))
      let drawings = Reader(stand.display.drawings)
      #expect(await drawings.next() == .shown(Self.tea, 1))
      #expect(await drawings.next() == .closed(1))
      // Nothing else was closed, and the number is not reused.
      #expect(try await stand.server.notify(Self.tea, replacing: 1).number == 2)
      #expect(await drawings.next() == .shown(Self.tea, 2))
    }
  }

  @Test func `User actions arrive in order`() async throws {
    try await ServerStand.run { stand in
      let events = try await stand.follow()
      let posted = try await stand.server.notify(Self.tea)
      await stand.service.activationToken(1, "token-1")
      await stand.service.invoked(1, key: "more")
      await stand.service.replied(1, text: "with milk\n")
      await stand.service.closed(1, .dismissed)
      // The number is invalid: none of these may arrive.
      await stand.service.invoked(1, key: "late")
      await stand.service.closed(1, .expired)
      await stand.service.invoked(99, key: "never there")
      let second = try await stand.server.notify(Self.tea)
      await stand.service.closed(2, .expired)
      #expect(await events.next() == .activationToken(posted, token: "token-1"))
      #expect(await events.next() == .actionInvoked(posted, key: "more"))
      #expect(await events.next() == .replied(posted, text: "with milk\n"))
      #expect(await events.next() == .closed(posted, .dismissed))
      #expect(await events.next() == .closed(second, .expired))
    }
  }

  @Test func `A thousand notifications have a thousand numbers`() async throws {
    // The limit in the configuration of desktops.
    try await ServerStand.run(on: PrivateBus(limits: ["max_replies_per_connection": 50_000])) { stand in
      let events = try await stand.follow()
      let numbers = try await withThrowingTaskGroup { group in
        for _ in 0..<1_000 { group.addTask { try await stand.server.notify(Self.tea).number } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(numbers == Set(1...1_000))
      for number in numbers { await stand.service.closed(number, .expired) }
      var closed: Set<UInt32> = []
      while closed.count < 1_000 {
        guard case .closed(let posted, .expired)? = await events.next() else { break }
        closed.insert(posted.number)
      }
      #expect(closed == numbers)
    }
  }

  @Test func `A refusal by the display is reported`() async throws {
    try await ServerStand.run { stand in
      let events = try await stand.follow()
      let posted = try await stand.server.notify(Self.tea)
      await stand.display.refuse(true)
      for replaced: UInt32 in [0, 1] {
        let error = await #expect(throws: CallError.self) {
          try await stand.server.notify(Self.tea, replacing: replaced)
        }
        #expect(error?.isRefusal("org.freedesktop.Notifications.Error.ExcessNotificationGeneration") == true)
      }
      let name = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
      await #expect(throws: PostFailure.refused(name: name, message: "enough")) {
        try await stand.server.postOnLoop(Self.tea)
      }
      // The displayed notification remains.
      await stand.service.invoked(1, key: "more")
      #expect(await events.next() == .actionInvoked(posted, key: "more"))
    }
  }

  @Test func `Without a server nothing is posted`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let server = NotificationServerClient(on: connection)
      let events = Reader(try await server.events())
      #expect(await events.next() == .vanished)
      let error = await #expect(throws: CallError.self) { try await server.notify(Self.tea) }
      #expect(error?.isRefusal(.serviceUnknown) == true)
      await #expect(throws: PostFailure.gone) { try await server.postOnLoop(Self.tea) }
      #expect(await server.answers() == false)
      #expect(try await server.isActivatable() == false)
      await connection.close()
      #expect(await events.next() == nil)
    }
  }

  // MARK: Misbehaving servers

  @Test(arguments: [
    [], [Method("GetCapabilities", out: ["c": "s"]) { _ in ["actions"] }],
    [Method("GetCapabilities", out: ["c": "u"]) { _ in [.uint32(1)] }], [Method("GetCapabilities") { _ in [] }],
    [Method("GetServerInformation", out: ["a": "u", "b": "s"]) { _ in [.uint32(1), ""] }],
    [Method("GetServerInformation") { _ in throw RemoteError(.failed, "no") }],
    [Method("GetCapabilities", out: ["c": "as"]) { _ in throw RemoteError(.accessDenied, "no") }],
  ])
  func `A server without useful answers can still show`(_ methods: [DBus.Method]) async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let notify = Method("Notify", in: ServerStand.notifySignature, out: ["id": "u"]) { _ in [.uint32(7)] }
      try await ServerStand.exportServer(methods + [notify], on: stand.serverConnection)
      let state = try await Reader(stand.server.events()).expectAppearance()
      #expect(state.capabilities == [])
      #expect(state.information == ServerInformation(name: "", vendor: "", version: "", specVersion: ""))
      #expect(await stand.server.answers())
      #expect(try await stand.server.notify(Self.tea).number == 7)
      await stand.close()
    }
  }

  @Test(arguments: [[], ["1"], [.int32(1)], [.uint64(1)], [.variant(.uint32(1))]] as [[Value]])
  func `An answer without a number is an error`(_ answer: [Value]) async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let outputs: KeyValuePairs<String, Signature> =
        if let type = answer.first?.type { ["id": Signature([type])] } else { [:] }
      let notify = Method("Notify", in: ServerStand.notifySignature, out: outputs) { _ in answer }
      try await ServerStand.exportServer([notify], on: stand.serverConnection)
      _ = try await stand.follow()
      let error = await #expect(throws: CallError.self) { try await stand.server.notify(Self.tea) }
      #expect(error?.failureCode == .unexpectedReply)
      await stand.close()
    }
  }

  @Test func `Signals from other senders or with other signatures are ignored`() async throws {
    try await ServerStand.run { stand in
      let events = try await stand.follow()
      let posted = try await stand.server.notify(Self.tea)
      let client = try #require(await stand.clientConnection.uniqueName)
      let stranger = try await stand.bus.connect(on: stand.loop)
      for receiver in [nil, client] {
        try await ServerStand.emit("ActionInvoked", [.uint32(1), "forged"], from: stranger, to: receiver)
        try await ServerStand.emit("NotificationClosed", [.uint32(1), .uint32(2)], from: stranger, to: receiver)
      }
      try await stranger.call(.toBus("GetId"))
      let odd: [(MemberName, [Value])] = [
        ("ActionInvoked", []), ("ActionInvoked", [.uint32(1)]), ("ActionInvoked", [.int32(1), "a"]),
        ("ActionInvoked", ["a", .uint32(1)]), ("ActionInvoked", [.uint32(1), "a", "b"]),
        ("ActionInvoked", [.uint32(1), .objectPath("/a")]), ("NotificationClosed", [.uint32(1)]),
        ("NotificationClosed", [.uint32(1), .int32(1)]), ("ActivationToken", [.uint32(1), .uint32(1)]),
        ("NotificationReplied", [.uint32(1), .strings(["a"])]), ("SomethingElse", [.uint32(1), "a"]),
      ]
      for (member, arguments) in odd {
        try await ServerStand.emit(member, arguments, from: stand.serverConnection)
      }
      // GNOME and Plasma send unicast signals, others broadcast: both count. Unknown future reasons do as well.
      try await ServerStand.emit("ActionInvoked", [.uint32(1), "real"], from: stand.serverConnection)
      try await ServerStand.emit("ActionInvoked", [.uint32(1), "to us"], from: stand.serverConnection, to: client)
      try await ServerStand.emit("NotificationClosed", [.uint32(1), .uint32(9)], from: stand.serverConnection)
      #expect(await events.next() == .actionInvoked(posted, key: "real"))
      #expect(await events.next() == .actionInvoked(posted, key: "to us"))
      #expect(await events.next() == .closed(posted, .undefined))
      await stranger.close()
    }
  }

  @Test func `An answer after the limit is reported`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let (gate, opener) = AsyncStream<Void>.makeStream()
      let notify = Method("Notify", in: ServerStand.notifySignature, out: ["id": "u"]) { _ in
        _ = await gate.first()
        return [.uint32(42)]
      }
      try await ServerStand.exportServer([notify], on: stand.serverConnection)
      _ = try await stand.follow()
      let (late, answer) = AsyncStream<PostedNumber>.makeStream()
      let error = await #expect(throws: CallError.self) {
        try await stand.server.notify(Self.tea) { answer.yield($0) }
      }
      #expect(error?.failureCode == .timedOut)
      opener.yield()
      let owner = try #require(await stand.serverConnection.uniqueName)
      #expect(await late.first() == PostedNumber(server: owner, number: 42))
      await stand.close()
    }
  }

  @Test func `The bus starts a server`() async throws {
    let folder = try TemporaryFolder()
    let services = [ServerStand.bus.text: "/usr/bin/python3 \(try folder.write(Self.pythonServer, to: "server.py"))"]
    try await withBus(PrivateBus(services: services)) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let server = NotificationServerClient(on: connection)
      let events = Reader(try await server.events())
      #expect(await events.next() == .vanished)
      #expect(try await server.isActivatable())
      try await server.activate()
      #expect(try await events.expectAppearance().information.name == "python")
      let posted = try await server.notify(Self.tea)
      // The python server sends signals before its reply.
      #expect(await events.next() == .actionInvoked(posted, key: "more"))
      #expect(await events.next() == .closed(posted, .dismissed))
      #expect(await events.next() == .vanished)
      await connection.close()
    }
  }

  /// With the reference binding: signals before the reply, and an end right after them.
  private static let pythonServer = """
    import dbus, dbus.service, dbus.mainloop.glib
    from gi.repository import GLib
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    NAME = "org.freedesktop.Notifications"
    loop = GLib.MainLoop()
    class Server(dbus.service.Object):
        @dbus.service.method(NAME, in_signature="", out_signature="ssss")
        def GetServerInformation(self): return ("python", "", "", "1.2")
        @dbus.service.method(NAME, in_signature="", out_signature="as")
        def GetCapabilities(self): return ["actions"]
        @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
        def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
            self.ActionInvoked(1, actions[2])
            self.NotificationClosed(1, 2)
            GLib.idle_add(loop.quit)
            return 1
        @dbus.service.signal(NAME, signature="us")
        def ActionInvoked(self, number, key): pass
        @dbus.service.signal(NAME, signature="uu")
        def NotificationClosed(self, number, reason): pass
    bus = dbus.SessionBus()
    server = Server(bus, "/org/freedesktop/Notifications")
    name = dbus.service.BusName(NAME, bus)
    loop.run()
    """
}

extension NotificationServerClient {
  /// Posts as the center does, on the thread of the loop.
  fileprivate func postOnLoop(_ notification: ServerNotification) async throws(PostFailure) -> PostedNumber {
    let answer: Result<PostedNumber, PostFailure> = await withCheckedContinuation { continuation in
      do throws(PostFailure) {
        try post(notification, answered: { continuation.resume(returning: $0) }, whenLate: { _ in })
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try answer.get()
  }
}
