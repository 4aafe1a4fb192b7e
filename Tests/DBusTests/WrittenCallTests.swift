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
          let sent = try await client.begin(&call, number, as: Self.echo) { _ in }
          let answer = try await client.results(of: sent, as: Self.echo)
          #expect(answer.0 == text && answer.1 == number && answer.2 == rest)
        }
      }
    }
  }

  @Test func `Calls that are open at once have answers of their own`() async throws {
    let echo = Method(Self.echo) { _, text, number, rest, _ in (text, number, rest) }
    try await Peers.withPair(PrivateBus(), [echo]) { _, client in
      var call = try await client.write(Self.echo, of: Peers.object, changing: 1, "text", 0, [:])
      var sent: [SentCall] = []
      for number: UInt32 in 1...20 { sent.append(try await client.begin(&call, number, as: Self.echo) { _ in }) }
      for (index, one) in sent.enumerated() {
        #expect(try await client.results(of: one, as: Self.echo).1 == UInt32(index + 1))
      }
    }
  }

  @Test func `The last argument can be the number, or the only one`() async throws {
    let last = MethodDescription(
      "Last", in: ("byte", UInt8.self), ("number", UInt32.self), out: ("number", UInt32.self))
    let only = MethodDescription("Only", in: ("number", UInt32.self), out: ("number", UInt32.self))
    let methods = [Method(last) { _, _, number, _ in number }, Method(only) { _, number, _ in number }]
    try await Peers.withPair(PrivateBus(), methods) { _, client in
      var call = try await client.write(last, of: Peers.object, changing: 1, 7, 0)
      #expect(try await client.results(of: client.begin(&call, 5, as: last) { _ in }, as: last) == 5)
      call = try await client.write(only, of: Peers.object, changing: 0, 0)
      #expect(try await client.results(of: client.begin(&call, 6, as: only) { _ in }, as: only) == 6)
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
      let error = await #expect(throws: CallError.self) { try await client.begin(&call, 1, as: Self.echo) { _ in } }
      #expect(error?.failureCode == .closed)
    }
  }
}
