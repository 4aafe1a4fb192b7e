// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests the limits on calls, which are checked on the message before its values are made.
@Suite(.timeLimit(.minutes(1))) struct BoundsTests {
  private static func bytes(_ count: Int) -> Value { .bytes([UInt8](repeating: 7, count: count)) }

  @Test func `Arguments over the limit of a method or its interface are refused with its own error`() async throws {
    let bounds = Bounds(bytes: 1004, refusal: "dev.suzu.Error.LimitExceeded")
    let short = Method("Short", in: ["data": "ay"], bounds: bounds) { _ in [] }
    let table = Interface(
      "dev.suzu.Short1", bounds: Bounds(bytes: 100),
      methods: [short, Method("Shorter", in: ["data": "v"]) { _ in [] }])
    try await Peers.withPair(PrivateBus()) { server, client in
      try await server.export(table, at: "/short")
      func refusal(_ member: MemberName, _ value: Value) async -> ErrorName? {
        let call = MethodCall(to: Peers.name, "/short", table.name, member, [value])
        guard case .refused(let error) = await client.failure(of: call) else { return nil }
        #expect(error.message.contains("'\(member)' are longer than "), "\(error)")
        return error.name
      }
      #expect(await refusal("Short", Self.bytes(1000)) == nil)
      #expect(await refusal("Short", Self.bytes(1001)) == "dev.suzu.Error.LimitExceeded")
      #expect(await refusal("Shorter", .variant(.string("short"))) == nil)
      // Three bytes each, and three for the variant: the length of a signature is one byte.
      func signatures(_ count: Int) -> Value { .variant(.structure(Array(repeating: .signature("s"), count: count))) }
      #expect(await refusal("Shorter", signatures(32)) == nil)
      #expect(await refusal("Shorter", signatures(33)) == .limitsExceeded)
      let long = String(repeating: "x", count: 100)
      for value in [Value.string(long), .structure([true, .string(long)]), Self.bytes(100), .variant(.string(long))] {
        #expect(await refusal("Shorter", .variant(value)) == .limitsExceeded, "\(value.type.code)")
      }
    }
  }

  @Test func `Long arguments are read on demand, as a whole or one by one`() async throws {
    let texts = (0..<2000).map { "text \($0)" }
    let wholeDescription = MethodDescription("Whole", in: ("data", [String].self), out: ("data", [String].self))
    let whole = Method(unread: wholeDescription) { _, data, call in
      #expect(call.size > 20_000 && data.count(upTo: 1500) == 1501 && data.count(upTo: 5000) == 2000)
      // The arguments can be decoded on another thread, too, and again.
      let texts = try await Task.detached { try data.read() }.value
      #expect(try data.read() == texts && data.count(upTo: 5000) == 2000)
      return texts
    }
    let singleDescription = MethodDescription(
      "Single", in: ("first", String.self), ("data", [String].self), out: ("data", [String].self))
    let single = Method(unread: singleDescription) { _, first, data, _ in
      #expect(try first.read() == "first")
      let elements = data.elements()
      var texts: [String] = []
      while texts.count < 1999, let text = try elements.next() { texts.append(text) }
      #expect(elements.nextSize == 5 + 9 && elements.count(upTo: 10) == 1)
      texts.append(try #require(try elements.next()))
      #expect(try elements.next() == nil && elements.nextSize == 0)
      return texts
    }
    try await Peers.withPair(PrivateBus(), [whole, single]) { _, client in
      let first = try await client.call(wholeDescription, of: Peers.object, texts)
      #expect(first == texts)
      let second = try await client.call(singleDescription, of: Peers.object, "first", texts)
      #expect(second == texts)
    }
  }

  @Test func `Descriptors are refused unless the method takes them`() async throws {
    let plain = Method("Plain", in: ["value": "v"]) { _ in [] }
    let number = Method("Number", in: ["descriptor": "h"]) { _ in [] }
    try await Peers.withPair(PrivateBus(), [plain, number, Peers.echo]) { _, client in
      let end = UnixFD(owning: dup(0))
      let refused = await client.failure(of: Peers.call("Plain", [.variant(.unixFD(end))]))
      #expect(refused == .refused(RemoteError(.invalidArgs, "'Plain' takes no descriptors; send none")))
      _ = try await client.call(Peers.call("Number", [.unixFD(end)]))
      _ = try await client.call(Peers.call("Echo", [.variant(.unixFD(end))]))
    }
  }

  @Test func `The bytes held of one caller and of all, and the number of its calls, are limited`() async throws {
    let opened = Door()
    let arrived = Inbox<Int>()
    let hold = MethodDescription("Hold", in: ("data", [UInt8].self), out: ("size", UInt32.self))
    let held = Method(unread: hold) { _, data, call in
      arrived.put(call.size)
      await opened.wait()
      return UInt32(try data.read().count)
    }
    let bus = try PrivateBus()
    try await withLoop { loop in
      var options = Connection.Options()
      options.mostHeld = (ofOne: 20_000, ofAll: 30_000)
      options.mostCallsOfOne = 5
      let server = try await bus.connect(on: loop, options)
      try await server.export(Interface(Peers.interface, methods: [held]), at: Peers.path)
      _ = try await server.requestName(Peers.name)
      let clients = [try await bus.connect(on: loop), try await bus.connect(on: loop), try await bus.connect(on: loop)]
      let answers = Inbox<String>()
      func ask(_ client: Int, _ bytes: Int) {
        Task {
          do {
            let reply = try await clients[client].call(Peers.call("Hold", [Self.bytes(bytes)]))
            answers.put("\(client) \(reply[0].uint32 ?? 0)")
          } catch CallError.refused(let error) where error.name == .limitsExceeded {
            answers.put("\(client) refused")
          }
        }
      }
      ask(0, 12_000)
      _ = try await arrived.next()
      ask(0, 12_000)
      #expect(try await answers.next() == "0 refused")
      ask(1, 15_000)
      _ = try await arrived.next()
      ask(2, 15_000)
      #expect(try await answers.next() == "2 refused")
      for _ in 0..<5 { ask(2, 10) }
      _ = try await arrived.next(5)
      ask(2, 10)
      #expect(try await answers.next() == "2 refused")
      opened.open()
      #expect(try await answers.next(7).sorted() == ["0 12000", "1 15000"] + [String](repeating: "2 10", count: 5))
      // The answers have made room.
      ask(2, 15_000)
      #expect(try await answers.next() == "2 15000")
      for client in clients { await client.close() }
      await server.close()
    }
  }

  @Test func `Answers and signals over a connection's limit are not read`() async throws {
    let long = Method("Long", out: ["data": "ay"]) { _ in [Self.bytes(10_000)] }
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [long]) { server, _ in
      var options = Connection.Options()
      options.longestReply = 5000
      options.longestSignal = 5000
      let client = try await bus.connect(on: server.loop, options)
      var signals = try await client.signals(matching: MatchRule(sender: Peers.name)).makeAsyncIterator()
      #expect(await client.failure(of: Peers.call("Long"))?.failureCode == .tooLarge)
      for count in [10_000, 2 << 20, 10] {
        try await server.emit(Signal(Peers.path, Peers.interface, "News", [Self.bytes(count)]))
      }
      #expect(try await signals.next()?.arguments == [Self.bytes(10)])
      await client.close()
    }
  }

  @Test func `Many slow calls of one caller do not block the loop`() async throws {
    let slow = Method("Slow") { _ in
      // The handler computes.
      let end = ContinuousClock.now + .milliseconds(20)
      while ContinuousClock.now < end {}
      return []
    }
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [slow], pacing: CallPacing()) { server, _ in
      let pulse = Pulse(on: server.loop)
      server.loop.perform { pulse.beat() }
      let printed = try bus.raw(
        """
        client = bus()
        fields = [(PATH, 'o', '\(Peers.path)'), (MEMBER, 's', 'Slow'), (DESTINATION, 's', '\(Peers.name)')]
        client.sendall(b''.join(message(CALL, serial, fields) for serial in range(10, 70)))
        answered = 0
        while answered < 60:
          answered += read_until(client, bytes([REPLY_TO, 1])).count(bytes([REPLY_TO, 1]) + b'u')
        print(answered)
        """)
      #expect(printed == "60")
      let longest = await pulse.end()
      // This took 400 ms when all messages of one read were dispatched in one turn.
      #expect(longest < .milliseconds(200), "\(longest)")
    }
  }
}

/// Runs on a loop as often as possible, and measures the longest time between two runs. @unchecked: used on the loop
/// only, except for the end, which waits for it.
private final class Pulse: @unchecked Sendable {
  private let loop: EventLoop
  private var last: Duration?
  private var longest: Duration = .zero
  private var whenEnded: CheckedContinuation<Duration, Never>?

  init(on loop: EventLoop) { self.loop = loop }

  func beat() {
    let now = EventLoop.Clock.monotonic.now
    if let last { longest = max(longest, now - last) }
    last = now
    if let whenEnded { return whenEnded.resume(returning: longest) }
    _ = loop.schedule(after: .milliseconds(1)) { self.beat() }
  }

  func end() async -> Duration {
    await withCheckedContinuation { continuation in loop.perform { self.whenEnded = continuation } }
  }
}
