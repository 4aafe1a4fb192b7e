// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

/// Tests the events that the client library gets from a center.
@Suite(.timeLimit(.minutes(1))) struct CenterEventTests {
  /// Reads one event after the other; the suite's time limit ends a wait in vain.
  final class Reader {
    private var iterator: AsyncStream<CenterEvent>.Iterator
    init(_ events: AsyncStream<CenterEvent>) { iterator = events.makeAsyncIterator() }
    func next() async -> CenterEvent? { await iterator.next(isolation: #isolation) }
  }

  @Test func `Every kind of event arrives`() async throws {
    try await withCenter { _, fake, center in
      let events = Reader(try await center.events())
      #expect(fake.asked == [["Watch", true]])
      try await fake.emit("Delivered", ["a", "1", .properties([:])])
      try await fake.emit("Responded", [.uint64(.max), "a", "1", "more", .properties(["due": .int64(1)])])
      try await fake.emit("Responded", [.uint64(2), "a", "1", "answer", .properties(["reply": "with milk"])])
      let details: [String: Value] = ["due": "2026-11-21T07:30:00+01:00", "missedDates": .uint32(3)]
      try await fake.emit("Delivered", ["a", "2", .properties(details)])
      try await fake.emit(
        "Responded", [.uint64(3), "a", "2", "go", .properties(details.merging(["missedDates": .int64(3)]) { $1 })])
      try await fake.emit("Outcome", [.uint64(2), "failed: exit 3"])
      try await fake.emit("Outcome", [.uint64(3), "lapsed: locked"])
      for reason in RequestEnd.allCases { try await fake.emit("Closed", ["a", "1", .string(reason.rawValue)]) }
      try await fake.emit("Closed", ["a", "1", "eaten"])
      #expect(await events.next() == .delivered(app: "a", id: "1"))
      #expect(await events.next() == .responded(Response(number: .max, app: "a", id: "1", action: "more")))
      #expect(
        await events.next()
          == .responded(Response(number: 2, app: "a", id: "1", action: "answer", reply: "with milk")))
      #expect(
        await events.next() == .delivered(app: "a", id: "2", due: "2026-11-21T07:30:00+01:00", missed: 3))
      #expect(
        await events.next()
          == .responded(
            Response(number: 3, app: "a", id: "2", action: "go", due: "2026-11-21T07:30:00+01:00", missed: 3)))
      #expect(await events.next() == .outcome(response: 2, .failed("exit 3")))
      #expect(await events.next() == .outcome(response: 3, .lapsed("locked")))
      for reason in RequestEnd.allCases { #expect(await events.next() == .closed(app: "a", id: "1", reason: reason)) }
      #expect(await events.next() == .closed(app: "a", id: "1", reason: .unknown))
    }
  }

  @Test func `Malformed signals and signals of other senders are ignored`() async throws {
    try await withCenter { bus, fake, center in
      let events = Reader(try await center.events())
      let odd: [(MemberName, [Value])] = [
        ("Delivered", []), ("Delivered", ["a", "1"]), ("Delivered", ["a", .uint32(1), .properties([:])]),
        ("Responded", [.uint32(1), "a", "1", "more", .properties([:])]), ("Closed", ["a", "1", .uint32(1)]),
        ("Outcome", ["done", .uint64(1)]), ("Something", ["a", "1", "b"]),
      ]
      for (member, arguments) in odd { try await fake.emit(member, arguments) }
      let stranger = try await bus.connect(on: fake.connection.loop)
      try await stranger.emit(
        Signal(FakeCenter.path, FakeCenter.interface, "Delivered", ["forged", "1", .properties([:])]))
      try await stranger.call(.toBus("GetId"))
      try await fake.emit("Delivered", ["a", "1", .properties([:])])
      #expect(await events.next() == .delivered(app: "a", id: "1"))
      await stranger.close()
    }
  }

  @Test func `Several readers get the same events`() async throws {
    try await withCenter { _, fake, center in
      // In one turn, so that the second call comes while the first is being answered.
      async let firstStream = center.events()
      async let secondStream = center.events()
      let (first, second) = (Reader(try await firstStream), Reader(try await secondStream))
      try await fake.emit("Delivered", ["a", "1", .properties([:])])
      #expect(await first.next() == .delivered(app: "a", id: "1"))
      #expect(await second.next() == .delivered(app: "a", id: "1"))
    }
  }

  /// What it said last is heard before the end.
  @Test func `The events end when the center leaves`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let center = try await Center.connect(toBus: bus.address, on: loop)
      for _ in 0..<50 {
        let fake = try await FakeCenter.start(on: bus, loop)
        let events = Reader(try await center.events())
        for number: UInt64 in 1...3 { try await fake.emit("Outcome", [.uint64(number), "done"]) }
        try await fake.connection.releaseName(FakeCenter.name)
        for number: UInt64 in 1...3 { #expect(await events.next() == .outcome(response: number, .done)) }
        #expect(await events.next() == nil)
        await fake.connection.close()
      }
      await center.close()
    }
  }

  /// The new one has never been asked to tell, so that a stream that went on would be silent for ever.
  @Test func `The events end when another center takes over`() async throws {
    try await withCenter { bus, fake, center in
      let events = Reader(try await center.events())
      let other = try await FakeCenter.start(on: bus, fake.connection.loop, .replaceExisting)
      #expect(await events.next() == nil)
      let again = Reader(try await center.events())
      try await fake.emit("Delivered", ["old", "1", .properties([:])])
      try await other.emit("Delivered", ["new", "1", .properties([:])])
      #expect(await again.next() == .delivered(app: "new", id: "1"))
      await other.connection.close()
      #expect(await again.next() == nil)
    }
  }

  @Test func `The events end with the bus and with the connection`() async throws {
    for isKilled in [true, false] {
      try await withBus(PrivateBus()) { loop, bus in
        let fake = try await FakeCenter.start(on: bus, loop)
        let center = try await Center.connect(toBus: bus.address)
        let events = Reader(try await center.events())
        if isKilled { bus.kill() } else { await center.close() }
        #expect(await events.next() == nil)
        await center.close()
        await fake.connection.close()
      }
    }
  }

  @Test func `An unread stream does not keep the center open`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let fake = try await FakeCenter.start(on: bus, loop)
      let center = try await Center.connect(toBus: bus.address)
      let unread = try await center.events()
      do { _ = try await center.events() }
      try await fake.emit("Delivered", ["a", "1", .properties([:])])
      await center.close()
      let rest = await unread.reduce(into: []) { $0.append($1) }
      #expect(rest.count <= 1)
      await fake.connection.close()
    }
  }
}
