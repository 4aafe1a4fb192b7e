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

  // Each of them changed most pages of the index of ids, so that twice as much was written as now.
  @Test func `The ids of one long call are neighbours, also beside those of another one`() async throws {
    try await CenterStand.run { stand in
      let other = try await stand.bus.connect(on: stand.loop)
      let requests = Value.array(
        of: .properties, Array(repeating: .properties(["app": "test", "title": "Tea", "in": "2d"]), count: 3000))
      async let first = stand.call("NotifyMany", [requests])
      async let second = stand.call("NotifyMany", [requests], as: other)
      let ids = try await [first, second].map { $0[0].strings ?? [] }
      #expect(ids.map(\.count) == [3000, 3000])
      let callers = ids.enumerated().flatMap { call in call.element.map { (id: $0, call: call.offset) } }
        .sorted { $0.id < $1.id }.map(\.call)
      // One run of each, and one more if the ids of a call go past the last one.
      #expect(zip(callers, callers.dropFirst()).count { $0 != $1 } <= 2)
    }
  }
}
