// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import TestSupport
import Testing

/// Tests how the client side follows servers that come, go, hang and are replaced.
extension NotificationServerClientTests {
  // MARK: Owners

  @Test func `A server appears, vanishes and comes back`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let events = Reader(try await stand.server.events())
      #expect(await events.next() == .vanished)
      #expect(try await stand.service.start())
      let first = try await events.expectAppearance()
      #expect(await stand.server.answers())
      try await stand.serverConnection.releaseName(ServerStand.bus)
      #expect(await events.next() == .vanished)
      #expect(await stand.server.state == nil)
      #expect(try await stand.serverConnection.requestName(ServerStand.bus) == .owner)
      #expect(try await events.expectAppearance() == first)
      await stand.serverConnection.close()
      #expect(await events.next() == .vanished)
      await stand.close()
      #expect(await events.next() == nil)
      #expect(await stand.server.state == nil)
    }
  }

  @Test func `A direct change of owner counts as another server`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      #expect(try await stand.service.start())
      #expect(try await stand.serverConnection.requestName(ServerStand.bus, .allowReplacement) == .alreadyOwner)
      let events = try await stand.follow()
      let old = try await stand.server.notify(Self.tea)
      let other = try await bus.connect(on: loop)
      try await other.export(
        Interface(
          ServerStand.interface, methods: [Method("GetCapabilities", out: ["c": "as"]) { _ in [.strings(["body"])] }]),
        at: ServerStand.path)
      #expect(try await other.requestName(ServerStand.bus, .replaceExisting) == .owner)
      #expect(await events.next() == .vanished)
      let state = try await events.expectAppearance()
      #expect(state.owner == (await other.uniqueName))
      #expect(state.capabilities == [.body])
      // The old one is still on the bus, but is ignored.
      await stand.service.invoked(old.number, key: "more")
      try await stand.server.close(old)
      try await ServerStand.emit("ActionInvoked", [.uint32(1), "new"], from: other)
      #expect(await events.next() == .actionInvoked(PostedNumber(server: state.owner, number: 1), key: "new"))
      await other.close()
      await stand.close()
    }
  }

  /// The change of owner and the signals must come in one sequence, so that their order is kept.
  @Test func `A server's last signal arrives before its end`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let events = Reader(try await stand.server.events())
      #expect(await events.next() == .vanished)
      for _ in 0..<50 {
        let connection = try await bus.connect(on: loop)
        try await ServerStand.exportServer([], on: connection)
        let owner = try await events.expectAppearance().owner
        for number: UInt32 in 1...3 {
          try await ServerStand.emit("ActionInvoked", [.uint32(number), "more"], from: connection)
        }
        try await connection.releaseName(ServerStand.bus)
        for number: UInt32 in 1...3 {
          #expect(await events.next() == .actionInvoked(PostedNumber(server: owner, number: number), key: "more"))
        }
        #expect(await events.next() == .vanished)
        await connection.close()
      }
      await stand.close()
    }
  }

  @Test func `A hanging server does not hide the next one`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let events = Reader(try await stand.server.events())
      #expect(await events.next() == .vanished)
      // It receives the query, and never answers.
      let (asked, question) = AsyncStream<Void>.makeStream()
      let hanging = try await bus.connect(on: loop)
      let table = Interface(
        ServerStand.interface,
        methods: [
          Method("GetServerInformation") { _ in
            question.yield()
            try await neverAnswer()
            return []
          }
        ])
      try await hanging.export(table, at: ServerStand.path)
      #expect(try await hanging.requestName(ServerStand.bus, .allowReplacement) == .owner)
      _ = await asked.first()
      #expect(try await stand.serverConnection.requestName(ServerStand.bus, .replaceExisting) == .owner)
      #expect(try await stand.service.start())
      #expect(try await events.expectAppearance().owner == (await stand.serverConnection.uniqueName))
      await hanging.close()
      await stand.close()
    }
  }

  @Test func `A slow server is queried again`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let events = Reader(try await stand.server.events())
      #expect(await events.next() == .vanished)
      let connection = try await bus.connect(on: loop)
      let (asked, question) = AsyncStream<Void>.makeStream()
      let answers = AnswerAtSecondCall()
      let information = Method("GetServerInformation", out: ["n": "s", "v": "s", "w": "s", "x": "s"]) { _ in
        question.yield()
        if await answers.isFirst() { try await neverAnswer() }
        return ["slow", "", "", ""]
      }
      try await ServerStand.exportServer([information], on: connection)
      _ = await asked.first()
      #expect(try await events.expectAppearance().information.name == "slow")
      await connection.close()
      await stand.close()
    }
  }

  // Guards against losing a click right after the center's start.
  @Test func `Signals sent before the server has answered are delivered`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let server = try await ScriptedServer.start(on: bus, loop)
      let events = Reader(try await stand.server.events())
      _ = try await events.expectAppearance()
      try await server.dropName()
      #expect(await events.next() == .vanished)
      await server.setAnswers(questions: false)
      try await server.takeName()
      _ = try await server.questions.next(3)  // the third is the new one
      try await server.press(7, "go")
      // Not from the owner: must be ignored.
      try await stand.serverConnection.emit(ScriptedServer.actionInvoked(8, "go"))
      await server.setAnswers(questions: true)
      await server.release()
      let state = try await events.expectAppearance()
      #expect(await events.next() == .actionInvoked(PostedNumber(server: state.owner, number: 7), key: "go"))
      try await server.press(9, "go")
      #expect(await events.next() == .actionInvoked(PostedNumber(server: state.owner, number: 9), key: "go"))
      await server.die()
      await stand.close()
    }
  }

  private actor AnswerAtSecondCall {
    private var count = 0
    func isFirst() -> Bool {
      count += 1
      return count == 1
    }
  }

  @Test func `A second reader replaces the first`() async throws {
    try await ServerStand.run { stand in
      let first = try await stand.follow()
      let second = try await stand.follow()
      #expect(await first.next() == nil)
      let posted = try await stand.server.notify(Self.tea)
      await stand.service.invoked(1, key: "more")
      #expect(await second.next() == .actionInvoked(posted, key: "more"))
    }
  }
}
