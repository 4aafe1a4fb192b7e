// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

/// Tests calls whose message is written once and sent several times.
@Suite(.timeLimit(.minutes(1))) struct WrittenCallTests {
  private static let echo = MethodDescription(
    "Echo", in: ("text", String.self), ("number", UInt32.self), ("rest", [String: Value].self),
    out: ("text", String.self), ("number", UInt32.self), ("rest", [String: Value].self))

  @Test func `Each call has its own number, and the same arguments otherwise`() async throws {
    let echo = Method(Self.echo) { _, text, number, rest, _ in (text, number, rest) }
    try await Peers.withPair(PrivateBus(), [echo]) { _, client in
      // The number is aligned: what is before it ends at each place of a word.
      for text in ["", "a", "ab", "abc", "abcd", "äöü 🔔"] {
        let rest: [String: Value] = ["text": .string(text), "flag": true]
        var call = try await client.write(Self.echo, of: Peers.object, changing: 1, text, 9, rest)
        for number: UInt32 in [0, 1, 0x0102_0304, .max] {
          let answer = try await client.answer(to: &call, number, as: Self.echo)
          #expect(answer.0 == text && answer.1 == number && answer.2 == rest)
        }
      }
    }
  }

  @Test func `Calls that are open at once have answers of their own, in the order in which these come`() async throws {
    let doors = (1...20).map { _ in Door() }
    let echo = Method(Self.echo) { _, text, number, rest, _ in
      await doors[Int(number) - 1].wait()
      return (text, number, rest)
    }
    try await Peers.withPair(PrivateBus(), [echo]) { _, client in
      let answers = Inbox<UInt32?>()
      var call = try await client.write(Self.echo, of: Peers.object, changing: 1, "text", 0, [:])
      for number: UInt32 in 1...20 {
        try await client.send(
          &call, number, as: Self.echo, answered: { answers.put(try? $0.get().1) }, whenLate: { _ in })
      }
      for number: UInt32 in (1...20).reversed() {
        doors[Int(number) - 1].open()
        #expect(try await answers.next() == number)
      }
    }
  }

  @Test func `Without an answer, a call learns why, once, and a late answer comes`() async throws {
    let door = Door()
    let echo = Method(Self.echo) { _, text, number, rest, _ in
      await door.wait()
      return (text, number, rest)
    }
    try await Peers.withPair(PrivateBus(), [echo]) { _, client in
      let (reasons, late) = (Inbox<BusError.Code?>(), Inbox<UInt32?>())
      var call = try await client.write(Self.echo, of: Peers.object, changing: 1, "text", 0, [:])
      for (number, limit) in [(1, .milliseconds(1)), (2, Connection.usualLimit)] as [(UInt32, Duration)] {
        try await client.send(&call, number, as: Self.echo, limit: limit) {
          reasons.put($0.failure?.failureCode)
        } whenLate: {
          late.put(try? $0.get().1)
        }
      }
      #expect(try await reasons.next() == .timedOut)
      door.open()
      #expect(try await late.next() == 1)
      #expect(try await reasons.next() == nil)
    }
  }

  @Test func `The end of the connection ends each open call once`() async throws {
    let door = Door()
    let echo = Method(Self.echo) { _, text, number, rest, _ in
      await door.wait()
      return (text, number, rest)
    }
    try await Peers.withPair(PrivateBus(), [echo]) { _, client in
      let reasons = Inbox<BusError.Code?>()
      var call = try await client.write(Self.echo, of: Peers.object, changing: 1, "text", 0, [:])
      for number: UInt32 in 1...3 {
        try await client.send(
          &call, number, as: Self.echo, answered: { reasons.put($0.failure?.failureCode) }, whenLate: { _ in })
      }
      await client.close()
      #expect(reasons.waiting == [.closed, .closed, .closed])
      door.open()
    }
  }

  @Test func `The last argument can be the number, or the only one`() async throws {
    let last = MethodDescription(
      "Last", in: ("byte", UInt8.self), ("number", UInt32.self), out: ("number", UInt32.self))
    let only = MethodDescription("Only", in: ("number", UInt32.self), out: ("number", UInt32.self))
    let methods = [Method(last) { _, _, number, _ in number }, Method(only) { _, number, _ in number }]
    try await Peers.withPair(PrivateBus(), methods) { _, client in
      var call = try await client.write(last, of: Peers.object, changing: 1, 7, 0)
      #expect(try await client.answer(to: &call, 5, as: last) == 5)
      call = try await client.write(only, of: Peers.object, changing: 0, 0)
      #expect(try await client.answer(to: &call, 6, as: only) == 6)
    }
  }

  @Test func `Descriptors, invalid texts and a closed connection are refused`() async throws {
    try await Peers.withPair(PrivateBus()) { _, client in
      let end = Value.unixFD(UnixFD(owning: dup(0)))
      for (text, rest) in [("a", ["end": end]), ("a\0b", [:])] {
        let error = await #expect(throws: CallError.self) {
          try await client.write(Self.echo, of: Peers.object, changing: 1, text, 0, rest)
        }
        #expect(error?.failureCode == .invalidValue)
      }
      var call = try await client.write(Self.echo, of: Peers.object, changing: 1, "a", 0, [:])
      await client.close()
      let error = await #expect(throws: CallError.self) { try await client.answer(to: &call, 1, as: Self.echo) }
      #expect(error?.failureCode == .closed)
    }
  }
}

extension Connection {
  /// Sends a call with that number, and waits for its results.
  fileprivate func answer<Input, Output: Sendable>(
    to call: inout WrittenCall, _ number: UInt32, as method: MethodDescription<Input, Output>
  ) async throws -> Output {
    let answers = Inbox<Result<Output, CallError>>()
    try send(&call, number, as: method, answered: { answers.put($0) }, whenLate: { _ in })
    return try await answers.next().get()
  }
}

extension Result where Failure == CallError {
  fileprivate var failure: CallError? { if case .failure(let error) = self { error } else { nil } }
}
