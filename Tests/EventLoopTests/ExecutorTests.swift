// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

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

    /// Waits `rounds` times for something that comes in the loop's next turn; how often its thread slept meanwhile.
    func sleepsWhileWaiting(rounds: Int) async -> Int {
      let before = switches()
      for round in 0..<rounds {
        perform { $0.answer(round) }
        #expect(await wait() == round)
        #expect(loop.isOnLoop)
      }
      return switches() - before
    }

    /// Some turns later, so that the continuation is there.
    private nonisolated func perform(turns: Int = 8, _ body: @escaping @Sendable (isolated Counter) -> Void) {
      loop.perform {
        if turns > 0 { self.perform(turns: turns - 1, body) } else { self.assumeIsolated { body($0) } }
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

  /// Each reply that resumed in the thread pool first would leave the loop with nothing to do, and asleep.
  @Test(arguments: [false, true])
  func `A reply resumes on the loop, not by way of the thread pool`(prefersLoop: Bool) async throws {
    try await withLoop { loop in
      let counter = Counter(on: loop)
      let sleeps = await Task(executorPreference: prefersLoop ? loop : nil) {
        await counter.sleepsWhileWaiting(rounds: 1_000)
      }.value
      #expect(sleeps < 100)
    }
  }
}
