// SPDX-License-Identifier: Apache-2.0
import DBus
import Dispatch
import EventLoop
import TestSupport
import Testing

/// Tests calls that reach a center before its notification server has said who it is, as that of a command which starts
/// the center.
@Suite(.timeLimit(.minutes(2)))
struct EarlyCallTests {
  /// Runs `body` with a server that shows three notifications of a killed center, and answers nothing until `body` says
  /// so.
  private static func run(
    _ body: @Sendable (FaultStand, _ answer: @Sendable () -> Void) async throws -> Void
  ) async throws {
    try await FaultStand.run { stand in
      try await withLoop { own in
        let server = try await ScriptedServer.start(on: stand.bus, own)
        let (first, _) = try await stand.startReady()
        try await stand.watch()
        for id in ["a", "b", "c"] { try await stand.notify(id) }
        for _ in 0..<3 { _ = try await stand.events.next { $0.hasPrefix("Delivered") } }
        // The answer comes from the store, which contains all reported events.
        let delivered = try await stand.list("Delivered")
        #expect(delivered.count == 3)
        try await stand.kill(first)
        let mayAnswer = DispatchSemaphore(value: 0)
        own.perform { mayAnswer.wait() }
        let (second, _) = try await stand.startReady()
        do { try await body(stand) { mayAnswer.signal() } } catch {
          mayAnswer.signal()
          throw error
        }
        try await stand.awaitServer()
        try await stand.end(second)
        await server.die()
      }
    }
  }

  @Test func `A call that began the center finds what is on the screen`() async throws {
    try await Self.run { stand, answer in
      async let dismissed = stand.call("Dismiss", ["test", .strings(["a", "b"])])
      // Calls that do not look at the screen do not wait. This one comes behind the other.
      let before = try await stand.list("Delivered")
      #expect(before.count == 3)
      answer()
      let count = try await dismissed
      #expect(count == [.uint32(2)])
      let after = try await stand.list("Delivered")
      #expect(after.count == 1)
    }
  }

  @Test func `A server that does not answer holds up no call for long`() async throws {
    try await Self.run { stand, answer in
      let count = try await stand.call("Dismiss", ["test", .strings(["a"])])
      #expect(count == [.uint32(0)])
      answer()
    }
  }
}
