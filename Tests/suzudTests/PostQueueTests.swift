// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import suzud

private func key(_ number: Int) -> RequestKey { RequestKey(app: "test", id: "\(number)") }

/// Tests the queue of requests to the notification server.
struct PostQueueTests {
  /// Takes everything that may be posted now, and leaves it in flight.
  private func drain(_ queue: inout PostQueue) -> [PostQueue.Turn] {
    var turns: [PostQueue.Turn] = []
    while let turn = queue.next() { turns.append(turn) }
    return turns
  }

  @Test func `Requests go out in order, and no more at once than the window allows`() {
    var queue = PostQueue()
    for number in 0..<100 { queue.add(key(number)) }
    let first = drain(&queue)
    #expect(first.map(\.key) == (0..<PostQueue.window).map(key))
    queue.finish(first[9])
    #expect(queue.next()?.key == key(PostQueue.window))
    #expect(queue.next() == nil)
    #expect(queue.inFlight == PostQueue.window)
  }

  @Test func `A narrower window lets through no more than it says`() {
    var queue = PostQueue()
    queue.window = 1
    for number in 0..<3 { queue.add(key(number)) }
    let first = drain(&queue)
    #expect(first.map(\.key) == [key(0)])
    queue.finish(first[0])
    #expect(drain(&queue).map(\.key) == [key(1)])
  }

  @Test func `A key stands in the queue once, in its first place`() {
    var queue = PostQueue()
    for number in [1, 2, 1, 3, 2] { queue.add(key(number)) }
    #expect(drain(&queue).map(\.key) == [1, 2, 3].map(key))
    #expect(queue.isEmpty)
  }

  // Each was once put before the one put back just before, so that sixty-four refusals reversed the order.
  @Test func `A refused request keeps its place, in whatever order the refusals come`() {
    var queue = PostQueue()
    for number in 0..<100 { queue.add(key(number)) }
    for turn in drain(&queue).shuffled() {
      queue.finish(turn)
      queue.putBack(turn)
    }
    #expect(drain(&queue).map(\.key) == (0..<PostQueue.window).map(key))
  }

  @Test func `A removed request is not posted, even if it had been put back`() {
    var queue = PostQueue()
    for number in 1...4 { queue.add(key(number)) }
    let turns = drain(&queue)
    for turn in turns {
      queue.finish(turn)
      queue.putBack(turn)
    }
    queue.remove(key(1))
    queue.remove(key(3))
    #expect(!queue.isEmpty)
    #expect(drain(&queue).map(\.key) == [2, 4].map(key))
    queue.add(key(9))
    queue.remove(key(9))
    #expect(queue.isEmpty)
    #expect(queue.next() == nil)
  }

  @Test func `A key that left the queue and comes again stands at its end`() {
    var queue = PostQueue()
    for number in 1...3 { queue.add(key(number)) }
    queue.remove(key(1))
    queue.add(key(1))
    #expect(drain(&queue).map(\.key) == [2, 3, 1].map(key))
  }

  // Two calls in parallel once left two popups of one id on the screen: the second call did not know the number to
  // replace.
  @Test func `The next request with an id waits in its place for the answer to the first`() {
    var queue = PostQueue()
    for number in 1...2 { queue.add(key(number)) }
    let turns = drain(&queue)
    for number in [2, 3, 1, 4] { queue.add(key(number)) }
    #expect(drain(&queue).map(\.key) == [3, 4].map(key))
    #expect(!queue.isEmpty)
    queue.finish(turns[0])
    queue.finish(turns[1])
    #expect(drain(&queue).map(\.key) == [2, 1].map(key))
    #expect(queue.isEmpty)
  }

  @Test func `A request that waits for an answer can be removed, or moved to the end`() throws {
    var queue = PostQueue()
    queue.add(key(1))
    let first = queue.next()
    let turn = try #require(first)
    queue.add(key(1))
    #expect(queue.next() == nil)
    queue.remove(key(1))
    #expect(queue.isEmpty)
    queue.add(key(2))
    queue.add(key(1))
    queue.finish(turn)
    #expect(drain(&queue).map(\.key) == [2, 1].map(key))
  }

  @Test(arguments: [PostQueue.State.pausing, .hung])
  func `No request goes out during a pause`(state: PostQueue.State) {
    var queue = PostQueue()
    queue.add(key(1))
    queue.state = state
    #expect(queue.next() == nil)
    #expect(queue.inFlight == 0)
    queue.state = .open
    #expect(queue.next()?.key == key(1))
  }

  @Test func `Pauses double up to the longest, and start over after a success`() {
    var timeouts = Timeouts()
    timeouts.pauses.first = .seconds(1)
    timeouts.pauses.longest = .seconds(5)
    var queue = PostQueue(timeouts: timeouts)
    #expect(
      (0..<5).map { _ in queue.nextPause() } == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    queue.succeed()
    #expect(queue.nextPause() == .seconds(1))
  }

  @Test(arguments: 0..<20)
  func `The queue agrees with a plain list of keys and tickets after any steps`(seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    var queue = PostQueue()
    var line: [(ticket: Int, key: RequestKey)] = []
    var flying: [(ticket: Int, turn: PostQueue.Turn)] = []
    var lastTicket = 0
    for _ in 0..<2000 {
      let key = key(Int.random(in: 0..<40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        queue.add(key)
        if !line.contains(where: { $0.key == key }) {
          lastTicket += 1
          line.append((lastTicket, key))
        }
      case 2:
        queue.remove(key)
        line.removeAll { $0.key == key }
      case 3 where !flying.isEmpty:
        let (ticket, turn) = flying.remove(at: Int.random(in: flying.indices, using: &random))
        queue.finish(turn)
        queue.putBack(turn)
        if !line.contains(where: { $0.key == turn.key }) {
          line.append((ticket, turn.key))
          line.sort { $0.ticket < $1.ticket }
        }
      case 4 where !flying.isEmpty:
        queue.finish(flying.remove(at: Int.random(in: flying.indices, using: &random)).turn)
      default:
        let turn = queue.next()
        let isFree = { (key: RequestKey) in !flying.contains { $0.turn.key == key } }
        let index = flying.count < PostQueue.window ? line.firstIndex { isFree($0.key) } : nil
        #expect(turn?.key == index.map { line[$0].key })
        if let turn, let index { flying.append((line.remove(at: index).ticket, turn)) }
      }
      #expect(queue.isEmpty == line.isEmpty)
      #expect(queue.inFlight == flying.count)
    }
  }

  // Compares processor times with each other, so that neither a slow nor a busy machine fails it. With a search in each
  // step it took 100 times as long.
  @Test func `Ten times as many requests take about ten times as long`() {
    func time(_ count: Int) -> Double {
      processorTime {
        var queue = PostQueue()
        for number in 0..<count { queue.add(key(number)) }
        for number in stride(from: 0, to: count, by: 3) { queue.remove(key(number)) }
        for number in 0..<count { queue.add(key(number)) }
        while let turn = queue.next() {
          if turn.key.id.hasSuffix("7") { queue.remove(turn.key) }
          queue.finish(turn)
        }
      }
    }
    // The shortest of several runs, because other tests run at the same time.
    let few = (0..<10).map { _ in time(2000) }.min() ?? 0
    let many = (0..<5).map { _ in time(20_000) }.min() ?? 0
    #expect(many < few * 40, "2000: \(few), 20000: \(many)")
  }

  @Test func `A request that is replaced again and again does not make the queue longer`() {
    var queue = PostQueue()
    queue.state = .hung
    for _ in 0..<10_000 {
      queue.add(key(1))
      queue.remove(key(1))
    }
    queue.add(key(2))
    #expect(queue.places < 200)
    queue.state = .open
    #expect(drain(&queue).map(\.key) == [key(2)])
  }
}

/// The processor time of this thread for `body`, in seconds.
private func processorTime(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  body()
  return now() - start
}
