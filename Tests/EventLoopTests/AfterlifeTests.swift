// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: the end of a loop interrupts them.
import Glibc
import Testing

@testable import EventLoop

/// Tests a loop whose own thread has ended.
@Suite(.timeLimit(.minutes(2))) struct AfterlifeTests {
  actor Resident {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let onEnd: @Sendable (Bool) -> Void
    private(set) var count = 0

    init(on loop: EventLoop, onEnd: @escaping @Sendable (Bool) -> Void = { _ in }) {
      self.loop = loop
      self.onEnd = onEnd
    }

    /// Two steps, between which it leaves the loop: a second thread in here would lose one.
    func increment() async {
      let next = count + 1
      #expect(loop.isOnLoop)
      count = next
      await Task.yield()
    }

    isolated deinit { onEnd(loop.isOnLoop) }
  }

  @Test func `Work runs in order and one piece at a time, from any thread`() async throws {
    let loop = try EventLoop.onOwnThread(named: "test")
    loop.stopAndWait()
    let threads = 8
    let each = 2_000
    let events = Events<[[Int]]>()
    let seen = Confined([[Int]](repeating: [], count: threads))
    let producers = (0..<threads).map { number in
      Thread.start {
        for step in 0..<each {
          loop.perform {
            #expect(loop.isOnLoop)
            seen.value[number].append(step)
            if seen.value.allSatisfy({ $0.count == each }) { events.add(seen.value) }
          }
        }
      }
    }
    let orders = await events.next()[0]
    for producer in producers { producer.join() }
    #expect(orders.allSatisfy { $0 == Array(0..<each) })
    #expect(!loop.isOnLoop)
  }

  @Test func `A task that calls an actor of the loop goes on`() async throws {
    let loop = try EventLoop.onOwnThread(named: "test")
    let resident = Resident(on: loop)
    await resident.increment()
    loop.stopAndWait()
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { await resident.increment() } }
    }
    #expect(await resident.count == 101)
  }

  @Test func `An actor released after the end of its loop is freed, and the loop with it`() async throws {
    let ends = Events<Bool>()
    let loopEnds = Events<Void>()
    weak var leftover: EventLoop?
    weak var resident: Resident?
    try await {
      let loop = try await Self.loop { loopEnds.add(()) }
      leftover = loop
      let last = Resident(on: loop) { ends.add($0) }
      resident = last
      await last.increment()
      loop.stopAndWait()
    }()
    #expect(await ends.next() == [true])
    _ = await loopEnds.next()
    #expect(leftover == nil && resident == nil)
  }

  /// A loop that tells when it is let go.
  private static func loop(onEnd: @escaping @Sendable () -> Void) async throws -> EventLoop {
    let loop = try EventLoop.onOwnThread(named: "test")
    let sentinel = Sentinel(onEnd)
    // A handler that stays as long as the loop does; the signal is blocked on the loop's thread only.
    try await loop.inside { loop in try loop.onSignal(SIGUSR1) { _ = sentinel } }
    return loop
  }

  private final class Sentinel: Sendable {
    let onEnd: @Sendable () -> Void
    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  @Test func `The end is reported on the loop, once, to the remaining observers`() async throws {
    let told = Events<String>()
    let loop = try EventLoop.onOwnThread(named: "test")
    try await loop.inside { loop in
      _ = loop.onEnd { [unowned loop] in told.add(loop.isOnLoop ? "first" : "elsewhere") }
      loop.onEnd { told.add("not any more") }.cancel()
      _ = loop.onEnd { [unowned loop] in
        told.add("second")
        loop.perform { told.add("what it leaves to be done") }
      }
    }
    loop.stopAndWait()
    try await loop.inside { loop in _ = loop.onEnd { told.add("late") } }
    #expect(await told.next(4) == ["first", "second", "what it leaves to be done", "late"])
  }

  @Test func `Sleeps, watches and waits for children end with the loop, and no task stays behind`() async throws {
    let loopEnds = Events<Void>()
    weak var leftover: EventLoop?
    let pipe = Pipe()
    let started = Events<Int32>()
    try await {
      let loop = try await Self.loop { loopEnds.add(()) }
      leftover = loop
      try await loop.inside { loop in
        // Each holds the loop.
        let other = try loop.watch(pipe.reader, for: .writable) { _ in _ = loop }
        _ = try loop.watch(pipe.reader, for: .writable) { _ in other.cancel() }
        for clock in EventLoop.Clock.allCases {
          _ = loop.schedule(at: clock.now + .seconds(3600), on: clock) { _ = loop }
        }
        _ = loop.onClockSet { _ = loop }
        _ = try loop.watch(folders: ["/"]) { _ in _ = loop }
      }
      let sleeper = Task { try await loop.sleep(for: .seconds(3600)) }
      var command = ChildProcess.Command(["sleep", "3600"], limit: .seconds(3600))
      command.whenStarted = { started.add($0) }
      let child = Task { [command] in await ChildProcess.run(command, on: loop) }
      while try await loop.inside({ $0.monotonicTimers.count }) < 3 { await Task.yield() }
      loop.stopAndWait()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
      #expect(await child.value == .running)
      await #expect(throws: CancellationError.self) { try await loop.sleep(for: .seconds(3600)) }
    }()
    _ = await loopEnds.next()
    #expect(leftover == nil)
    // The program runs on.
    #expect(kill(await started.next()[0], SIGKILL) == 0)
  }

  @Test func `No work gets lost between the last turn and the end of the thread`() async throws {
    let done = Events<Void>()
    var expected = 0
    for round in 0..<300 {
      let loop = try EventLoop.onOwnThread(named: "test")
      let worker = Thread.start {
        for _ in 0..<20 { loop.perform { done.add(()) } }
      }
      if round % 2 == 0 { loop.stopAndWait() } else { loop.stop() }
      worker.join()
      expected += 20
    }
    #expect(await done.next(expected).count == expected)
  }

  /// In a process of its own: nothing else opens descriptors or starts threads there.
  @Test func `Neither descriptors nor threads stay behind`() async {
    await #expect(processExitsWith: .success) {
      func cycle() async throws {
        let loopEnds = Events<Void>()
        try await {
          let loop = try await Self.loop { loopEnds.add(()) }
          let resident = Resident(on: loop)
          await resident.increment()
          loop.stopAndWait()
        }()
        _ = await loopEnds.next()
      }
      try await cycle()
      let descriptors = countEntries(of: "/proc/self/fd")
      let threads = countEntries(of: "/proc/self/task")
      for _ in 0..<500 { try await cycle() }
      // The last one may be about to close its own, and the runtime may have got another thread.
      #expect(countEntries(of: "/proc/self/fd") <= descriptors + 10)
      #expect(countEntries(of: "/proc/self/task") <= threads + 4)
    }
  }
}
