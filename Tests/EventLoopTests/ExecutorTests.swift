// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

/// Tests the loop as the executor of actors and tasks.
@Suite(.timeLimit(.minutes(2))) struct ExecutorTests {
  actor Counter {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    var count = 0
    private var waiter: CheckedContinuation<Int, Never>?

    init(on loop: EventLoop) { self.loop = loop }

    func increment() {
      #expect(loop.isOnLoop)
      // Two steps: a second thread in here would lose one.
      let next = count + 1
      count = next
    }

    func incrementBy(_ other: Counter) async {
      await other.increment()
      increment()
    }

    func wait() async -> Int { await loop.withContinuation { waiter = $0 } }

    func answer(_ number: Int) {
      waiter?.resume(returning: number)
      waiter = nil
    }

    private var waitingRound: Int?
    private var turns = 0

    /// Waits `rounds` times; after how many turns of the loop the slowest answer was there.
    func turnsUntilAnswered(rounds: Int) async -> Int {
      var slowest = 0
      for round in 0..<rounds {
        waitingRound = round
        perform(after: 8) { counter in  // when the continuation is there
          counter.turns = 0
          counter.answer(round)
          counter.countTurns(of: round)
        }
        #expect(await wait() == round)
        #expect(loop.isOnLoop)
        waitingRound = nil
        slowest = max(slowest, turns)
      }
      return slowest
    }

    private func countTurns(of round: Int) {
      guard waitingRound == round else { return }
      turns += 1
      perform(after: 0) { $0.countTurns(of: round) }
    }

    private nonisolated func perform(after turns: Int, _ body: @escaping @Sendable (isolated Counter) -> Void) {
      loop.perform {
        if turns > 0 { self.perform(after: turns - 1, body) } else { self.assumeIsolated { body($0) } }
      }
    }
  }

  @Test func `An actor on the loop does one thing at a time`() async throws {
    try await withLoop { loop in
      let counter = Counter(on: loop)
      let other = Counter(on: loop)
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { for _ in 0..<200 { await counter.increment() } } }
        for _ in 0..<50 { group.addTask { for _ in 0..<200 { await counter.incrementBy(other) } } }
      }
      #expect(await counter.count == 20_000)
      #expect(await other.count == 10_000)
    }
  }

  @Test func `Callbacks of the loop may enter an actor of the loop without waiting`() async throws {
    let pipe = Pipe()
    let events = Events<String>()
    try await withLoop { loop in
      let counter = Counter(on: loop)
      try await loop.inside { loop in
        let enter = { @Sendable (event: String) in
          counter.assumeIsolated { $0.increment() }
          counter.preconditionIsolated()
          events.add(event)
        }
        _ = loop.schedule(after: .zero) { enter("deadline") }
        let box = Confined<EventLoop.DescriptorWatch?>(nil)
        box.value = try loop.watch(pipe.reader, for: .readable) { _ in
          enter("descriptor")
          box.value?.cancel()
        }
        pipe.write("a")
        enter("closure")
      }
      #expect(Set(await events.next(3)) == ["closure", "deadline", "descriptor"])
      #expect(await counter.count == 3)
    }
  }

  actor Elsewhere {
    func isOn(_ loop: EventLoop) -> Bool { loop.isOnLoop }
  }

  @concurrent static func isOn(_ loop: EventLoop) async -> Bool { loop.isOnLoop }

  @Test func `A task that prefers the loop runs there, whatever it calls`() async throws {
    try await withLoop { loop in
      let counter = Counter(on: loop)
      let places = await Task(executorPreference: loop) {
        var places = [loop.isOnLoop]
        places.append(await Self.isOn(loop))
        await counter.increment()
        places.append(loop.isOnLoop)
        await Task.yield()
        places.append(loop.isOnLoop)
        async let child = Self.isOn(loop)
        places.append(await child)
        // An actor without an executor of its own goes where the task prefers to be.
        places.append(await Elsewhere().isOn(loop))
        return places
      }.value
      #expect(places == [true, true, true, true, true, true])
      #expect(await Self.isOn(loop) == false)
    }
  }

  /// By way of the thread pool it would take two switches between threads, in which the loop turns a hundred times.
  @Test(arguments: [false, true])
  func `A reply resumes in one of the next turns, without a detour to the thread pool`(prefersLoop: Bool) async throws {
    try await withLoop { loop in
      let counter = Counter(on: loop)
      let turns = await Task(executorPreference: prefersLoop ? loop : nil) {
        await counter.turnsUntilAnswered(rounds: 1_000)
      }.value
      #expect(turns <= 5)
    }
  }
}
