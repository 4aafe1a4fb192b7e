// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

/// Tests queued work, running and stopping of a loop.
@Suite(.timeLimit(.minutes(2))) struct EventLoopTests {
  // MARK: Work

  @Test func `Work that eight threads queue at once is complete and in order per thread`() async throws {
    let threads = 8
    let each = 12_500
    let events = Events<[[Int]]>()
    try await withLoop { loop in
      let seen = Confined([[Int]](repeating: [], count: threads))
      let producers = (0..<threads).map { number in
        Thread.start {
          for step in 0..<each {
            loop.perform {
              seen.value[number].append(step)
              if seen.value.allSatisfy({ $0.count == each }) { events.add(seen.value) }
            }
          }
        }
      }
      let orders = await events.next()[0]
      for producer in producers { producer.join() }
      #expect(orders.allSatisfy { $0 == Array(0..<each) })
    }
  }

  // The work waits for something that the loop does in the meantime: on the loop's own thread it would wait for ever.
  @Test func `Work that is given away leaves the loop free, and what follows runs on the loop`() async throws {
    let pipe = Pipe()
    let isOnLoop = try await withLoop { loop in
      await withCheckedContinuation { (continuation: CheckedContinuation<[Bool], Never>) in
        loop.perform {
          let reader = pipe.reader
          loop.performAway {
            var byte: UInt8 = 0
            return (read(reader, &byte, 1) == 1, loop.isOnLoop)
          } then: { (isRead: Bool, wasOnLoop: Bool) in
            continuation.resume(returning: [isRead, !wasOnLoop, loop.isOnLoop])
          }
          loop.performNext { pipe.write("a") }
        }
      }
    }
    #expect(isOnLoop == [true, true, true])
  }

  // Once, 64 pieces of work ran first: the daily copy of a large store held up all calls for 900 ms.
  @Test(arguments: [1, 100])
  func `Long pieces of work let descriptors have a turn after a few of them`(queuedAtOnce: Int) async throws {
    let pipe = Pipe()
    let pieces = try await withLoop { loop in
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
        loop.perform {
          let (pieces, isOver) = (Confined(0), Confined(false))
          let watch = Confined<EventLoop.DescriptorWatch?>(nil)
          @Sendable func work(left: Int, isRepeated: Bool) {
            if isOver.value { return }
            pieces.value += 1
            let end = EventLoop.Clock.monotonic.now + .milliseconds(2)
            while EventLoop.Clock.monotonic.now < end {}
            if isRepeated, left > 0 { loop.performNext { work(left: left - 1, isRepeated: true) } }
          }
          do {
            watch.value = try loop.watch(pipe.reader, for: .readable) { _ in
              watch.value?.cancel()
              isOver.value = true
              continuation.resume(returning: pieces.value)
            }
          } catch {
            continuation.resume(throwing: error)
          }
          for _ in 0..<queuedAtOnce {
            loop.performNext { work(left: 100, isRepeated: queuedAtOnce == 1) }
          }
          pipe.write("a")
        }
      }
    }
    #expect(pieces <= 2)
  }

  // Descriptors had one turn after each piece: behind the cancelling of large requests, a call waited for 500 ms.
  @Test func `Descriptors have as much time as long pieces of work`() async throws {
    let pipe = Pipe()
    let (messages, pieces) = try await withLoop { loop in
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<(Int, Int), any Error>) in
        loop.perform {
          let (messages, pieces) = (Confined(0), Confined(0))
          let watch = Confined<EventLoop.DescriptorWatch?>(nil)
          @Sendable func spin(_ time: Duration) {
            let end = EventLoop.Clock.monotonic.now + time
            while EventLoop.Clock.monotonic.now < end {}
          }
          @Sendable func work() {
            pieces.value += 1
            spin(.milliseconds(10))
            if messages.value < 100 { loop.performNext(work) }
          }
          do {
            watch.value = try loop.watch(pipe.reader, for: .readable) { _ in
              _ = pipe.read()
              messages.value += 1
              spin(.milliseconds(1))
              if messages.value < 100 { return pipe.write("a") }
              watch.value?.cancel()
              continuation.resume(returning: (messages.value, pieces.value))
            }
          } catch {
            continuation.resume(throwing: error)
          }
          pipe.write("a")
          loop.performNext(work)
        }
      }
    }
    // 100 ms of messages beside pieces of 10 ms: about ten.
    #expect(messages == 100)
    #expect(pieces < 30)
  }

  // Both ran in one turn, which was twice as long as each of them.
  @Test func `A descriptor does not wait for the work behind a long handler or behind a long piece of work`()
    async throws
  {
    let (first, second) = (Pipe(), Pipe())
    let order = try await withLoop { loop in
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[String], any Error>) in
        loop.perform {
          let order = Confined<[String]>([])
          let watches = Confined<[EventLoop.DescriptorWatch]>([])
          @Sendable func long(_ name: String) {
            order.value.append(name)
            let end = EventLoop.Clock.monotonic.now + .milliseconds(15)
            while EventLoop.Clock.monotonic.now < end {}
            second.write("b")
          }
          do {
            watches.value = [
              try loop.watch(first.reader, for: .readable) { _ in
                _ = first.read()
                long("handler")
                loop.performNext { long("work") }
                loop.performNext {
                  order.value.append("more work")
                  for watch in watches.value { watch.cancel() }
                  continuation.resume(returning: order.value)
                }
              },
              try loop.watch(second.reader, for: .readable) { _ in
                _ = second.read()
                order.value.append("descriptor")
              },
            ]
          } catch {
            continuation.resume(throwing: error)
          }
          first.write("a")
        }
      }
    }
    #expect(order == ["handler", "descriptor", "work", "descriptor", "more work"])
  }

  @Test func `Work that queues more work for ever delays neither descriptors nor deadlines`() async throws {
    let pipe = Pipe()
    let events = Events<String>()
    try await withLoop { loop in
      let isOver = Confined(false)
      @Sendable func spin() {
        if !isOver.value { loop.perform(spin) }
      }
      try await loop.inside { loop in
        spin()
        _ = try loop.watch(pipe.reader, for: .readable) { _ in
          if pipe.read() == "a" { events.add("descriptor") }
        }
        _ = loop.schedule(after: .milliseconds(1)) { events.add("deadline") }
      }
      pipe.write("a")
      #expect(Set(await events.next(2)) == ["descriptor", "deadline"])
      try await loop.inside { _ in isOver.value = true }
    }
  }

  @Test func `An idle loop does not wake up, whatever waits in it`() async throws {
    let pipe = Pipe()
    try await withLoop { loop in
      try await loop.inside { loop in
        for clock in EventLoop.Clock.allCases { _ = loop.schedule(at: clock.now + .seconds(3600), on: clock) {} }
        loop.schedule(after: .seconds(1800)) {}.cancel()
        _ = loop.onClockSet {}
        _ = try loop.watch(pipe.reader, for: .readable) { _ in }
      }
      let thread = await LoopThread(of: loop)
      let rest = try #require(try thread.rest())
      #expect(rest > .seconds(3500) && rest <= .seconds(3600), "\(rest)")
      // The answer means something: it changes with the deadlines.
      try await loop.inside { _ = $0.schedule(after: .seconds(60)) {} }
      let shorter = try #require(try thread.rest())
      #expect(shorter > .seconds(30) && shorter <= .seconds(60), "\(shorter)")
    }
  }

  // MARK: Running and stopping

  @Test func `Work queued before the loop stops still runs, and so does the work it queues`() throws {
    let loop = try EventLoop()
    let order = Confined<[Int]>([])
    loop.perform {
      order.value.append(1)
      loop.stop()
      loop.perform {
        order.value.append(3)
        loop.perform { order.value.append(4) }
      }
    }
    loop.perform { order.value.append(2) }
    loop.run()
    #expect(order.value == [1, 2, 3, 4])
  }

  @Test func `A loop stopped before it began runs its queued work, and may run again`() throws {
    let loop = try EventLoop()
    let count = Confined(0)
    for round in 1...3 {
      loop.perform { count.value += 1 }
      loop.stop()
      loop.run()
      #expect(count.value == round)
    }
    #expect(!loop.isOnLoop)
  }

  @Test func `Stopping from another thread ends a loop that waits, again and again`() async throws {
    let loop = try EventLoop()
    for _ in 0..<200 {
      let runner = Thread.start { loop.run() }
      loop.stop()
      runner.join()
    }
  }

  @Test func `Work that arrives while the loop stops runs in this run or the next`() throws {
    let loop = try EventLoop()
    let count = Confined(0)
    for _ in 0..<200 {
      let runner = Thread.start { loop.run() }
      let worker = Thread.start { for _ in 0..<50 { loop.perform { count.value += 1 } } }
      loop.stop()
      runner.join()
      worker.join()
    }
    loop.stop()
    loop.run()
    #expect(count.value == 200 * 50)
  }

  @Test func `Two threads may wait for the end of the same loop`() throws {
    let loop = try EventLoop.onOwnThread(named: "test")
    let waiters = (0..<2).map { _ in Thread.start { loop.stopAndWait() } }
    for waiter in waiters { waiter.join() }
    loop.stopAndWait()
  }

  /// In a process of its own: nothing else opens descriptors or starts threads there.
  @Test func `A thousand loops leave neither descriptors nor threads behind`() async {
    await #expect(processExitsWith: .success) {
      func cycle(waiting: Bool) throws {
        let loop = try EventLoop.onOwnThread(named: "test")
        loop.perform { _ = loop.schedule(after: .seconds(3600)) {} }
        if waiting { loop.stopAndWait() } else { loop.stop() }
      }
      try cycle(waiting: true)
      let descriptors = countEntries(of: "/proc/self/fd")
      let threads = countEntries(of: "/proc/self/task")
      for _ in 0..<1_000 { try cycle(waiting: true) }
      // The kernel lists a thread for a moment after it was joined; a loop that left something would leave a thousand.
      #expect(abs(countEntries(of: "/proc/self/fd") - descriptors) < 10)
      #expect(abs(countEntries(of: "/proc/self/task") - threads) < 10)
    }
  }

  @Test func `A loop without waiters frees its thread and its memory`() async throws {
    let ended = Events<Void>()
    try await {
      let loop = try EventLoop.onOwnThread(named: "test")
      let sentinel = Sentinel { ended.add(()) }
      try await loop.inside { loop in
        _ = loop.schedule(after: .seconds(3600)) {}
        // Held by a handler that stays as long as the loop does.
        try loop.onSignal(SIGUSR1) { _ = sentinel }
      }
      loop.stop()
    }()
    #expect(await ended.next().count == 1)
  }
}

/// Tells when it goes.
private final class Sentinel: Sendable {
  let onEnd: @Sendable () -> Void
  init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
  deinit { onEnd() }
}
