// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

@testable import suzud

/// Tests the order of calls when one of them takes several turns of the loop.
@Suite(.timeLimit(.minutes(1))) struct LongCallsTests {
  // It joined a queue that was there no more, and was never answered.
  @Test func `A call that comes while a long one ends does not wait for it`() async throws {
    try await withLoop { loop in
      let isAnswered = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        loop.perform {
          let calls = LongCalls(on: loop)
          var done = Optional(continuation)
          _ = loop.schedule(after: .seconds(10)) { done.take()?.resume(returning: false) }
          var gate: CheckedContinuation<Void, Never>?
          loop.start {
            try? await calls.run(true, from: Caller(":1.1")) { await loop.withContinuation { gate = $0 } }
          }
          loop.start {
            await loop.nextTurn()
            // The first call ends in this turn, behind what is queued already.
            gate?.resume()
            loop.start {
              try? await calls.run(true, from: Caller(":1.1")) {}
              done.take()?.resume(returning: true)
            }
          }
        }
      }
      #expect(isAnswered)
    }
  }

  @Test func `A later call does not overtake a request whose source has to ask first`() async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(conditions: presence) { stand in
      let caller = try #require(await stand.client.uniqueName)
      let cancelled = Inbox<Int>()
      presence.asks = {
        _ = Task(executorPreference: stand.loop) {
          cancelled.put((try? await stand.center.cancel("test", ["away"], .all, from: Caller(caller))) ?? -1)
        }
        // The call has begun by then.
        await stand.loop.nextTurn()
        await stand.loop.nextTurn()
      }
      try await stand.notify("away", ["on": "idle 5m"])
      #expect(try await cancelled.next() == 1)
    }
  }
}
