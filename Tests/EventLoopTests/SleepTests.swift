// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: they are tested here, with the timers of the kernel, which simulated clocks would replace.
import Testing

@testable import EventLoop

/// Tests the sleep of a task on a loop.
@Suite(.timeLimit(.minutes(2))) struct SleepTests {
  @Test func `A sleep takes the given time`() async throws {
    try await withLoop { loop in
      let start = EventLoop.Clock.monotonic.now
      try await loop.sleep(for: .milliseconds(20))
      #expect(EventLoop.Clock.monotonic.now - start >= .milliseconds(20))
      try await loop.sleep(for: .seconds(-1))
    }
  }

  // The way to it led through the global pool: the loop had nothing to do meanwhile, and a simulated machine moved on.
  @Test func `A task of the loop does not leave it for its sleep`() throws {
    nonisolated(unsafe) var sleeping = 0
    nonisolated(unsafe) var rounds = 0
    let clocks = SimulatedClocks(monotonic: .zero, elapsed: .zero, wall: .zero)
    let loop = try EventLoop(simulating: clocks)
    nonisolated(unsafe) let simulated = clocks
    Thread.start {
      simulated.install()
      defer { simulated.uninstall() }
      simulated.whenIdle = {
        // Each round begins when the loop has nothing to do.
        if loop.nearestDeadline(on: .monotonic) != nil { sleeping += 1 }
        simulated.monotonic += .seconds(2)
        loop.runDeadlines()
        rounds += 1
        if rounds > 200 { return loop.stop() }
        loop.start { try? await loop.sleep(for: .seconds(1)) }
      }
      loop.run()
      simulated.whenIdle = {}
    }.join()
    #expect(sleeping == 200)
  }

  @Test func `A task cancelled before its sleep does not sleep`() async throws {
    try await withLoop { loop in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await loop.sleep(for: .seconds(3600))
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      let left = try await loop.inside { $0.monotonicTimers.count }
      #expect(left == 0)
    }
  }

  @Test func `A task cancelled during its sleep wakes at once, and leaves no deadline`() async throws {
    try await withLoop { loop in
      let task = Task { try await loop.sleep(for: .seconds(3600)) }
      while try await loop.inside({ $0.monotonicTimers.count }) == 0 {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let left = try await loop.inside { $0.monotonicTimers.count }
      #expect(left == 0)
    }
  }

  @Test func `A task cancelled after its sleep has slept normally`() async throws {
    try await withLoop { loop in
      try await Task {
        try await loop.sleep(for: .milliseconds(1))
        withUnsafeCurrentTask { $0?.cancel() }
      }.value
    }
  }

  @Test func `A sleep ends once, whenever it is cancelled`() async throws {
    try await withLoop { loop in
      await withTaskGroup { group in
        for number in 0..<1_000 {
          group.addTask {
            let task = Task { try await loop.sleep(for: .microseconds(number)) }
            for _ in 0..<(number % 7) { await Task.yield() }
            task.cancel()
            _ = await task.result
          }
        }
      }
      let left = try await loop.inside { $0.monotonicTimers.count }
      #expect(left == 0)
    }
  }
}
