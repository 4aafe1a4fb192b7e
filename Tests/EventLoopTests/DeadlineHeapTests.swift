// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EventLoop

/// Tests the heap of deadlines against a sorted list.
struct DeadlineHeapTests {
  /// Numbers that are the same in every run.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test func `Equal dates come out in the order they were added`() {
    var heap = DeadlineHeap()
    var order: [Int] = []
    for number in 0..<100 { _ = heap.insert(at: .seconds(number % 3)) { order.append(number) } }
    while let action = heap.popDue(at: .seconds(3)) { action() }
    #expect(order == (0..<100).sorted { ($0 % 3, $0) < ($1 % 3, $1) })
  }

  @Test func `Only due entries come out`() {
    var heap = DeadlineHeap()
    var calls = 0
    _ = heap.insert(at: .seconds(5)) { calls += 1 }
    heap.popDue(at: .milliseconds(4999))?()
    #expect(calls == 0)
    #expect(heap.nearest == .seconds(5))
    heap.popDue(at: .seconds(5))?()
    #expect(calls == 1)
    #expect(heap.nearest == nil)
  }

  @Test func `A used key removes no other entry`() {
    var heap = DeadlineHeap()
    let first = heap.insert(at: .seconds(1)) {}
    heap.remove(first)
    _ = heap.insert(at: .seconds(2)) {}
    heap.remove(first)
    #expect(heap.count == 1)
  }

  @Test(arguments: 1...8)
  func `The heap behaves like a sorted list after any steps`(seed: UInt64) {
    var random = Generator(state: seed)
    var heap = DeadlineHeap()
    var model: [(date: Duration, number: Int)] = []
    var keys: [DeadlineHeap.Key] = []
    var popped: [Int] = []
    for _ in 0..<3_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let date = Duration.seconds(Int.random(in: 0..<50, using: &random))
        let number = keys.count
        keys.append(heap.insert(at: date) { popped.append(number) })
        model.append((date, number))
      case 5..<8 where !keys.isEmpty:
        let number = Int.random(in: 0..<keys.count, using: &random)
        heap.remove(keys[number])
        model.removeAll { $0.number == number }
      default:
        let now = Duration.seconds(Int.random(in: 0..<50, using: &random))
        let due = model.filter { $0.date <= now }.min { ($0.date, $0.number) < ($1.date, $1.number) }
        popped = []
        heap.popDue(at: now)?()
        #expect(popped == (due.map { [$0.number] } ?? []))
        model.removeAll { $0.number == due?.number }
      }
      #expect(heap.count == model.count)
      #expect(heap.nearest == model.map(\.date).min())
    }
  }
}
