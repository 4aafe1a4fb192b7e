// SPDX-License-Identifier: Apache-2.0

/// The deliveries that are shown again, by the elapsed time at which that is: changes of the wall clock do not matter.
///
/// Each step takes the same time however many they are.
struct NagQueue {
  private struct Place {
    let deadline: Int64
    let number: DeliveryRecord.Number

    static func < (left: Place, right: Place) -> Bool { (left.deadline, left.number) < (right.deadline, right.number) }
  }

  /// The current deadline of each; places with another one are stale.
  private var deadlines: [DeliveryRecord.Number: Int64] = [:]
  /// A binary heap.
  private var heap: [Place] = []
  /// Those that wake the machine.
  private var waking: Set<DeliveryRecord.Number> = []

  var isEmpty: Bool { deadlines.isEmpty }

  /// Adds one, or gives it another deadline.
  mutating func set(_ number: DeliveryRecord.Number, at deadline: Int64, wakes: Bool) {
    deadlines[number] = deadline
    if wakes { waking.insert(number) } else { waking.remove(number) }
    // The places of those that were answered in the meantime go once they are as many as the others.
    if heap.count > 2 * deadlines.count + 64 {
      heap = deadlines.map { Place(deadline: $0.value, number: $0.key) }.sorted(by: <)
    } else {
      heap.append(Place(deadline: deadline, number: number))
      siftUp()
    }
  }

  /// Removes one; returns whether it was there.
  @discardableResult
  mutating func remove(_ number: DeliveryRecord.Number) -> Bool {
    waking.remove(number)
    return deadlines.removeValue(forKey: number) != nil
  }

  /// The next deadline; nil if there is none.
  mutating func next() -> Int64? {
    dropStale()
    return heap.first?.deadline
  }

  /// The next deadline that wakes the machine.
  func nextWake() -> Int64? { waking.compactMap { deadlines[$0] }.min() }

  /// Removes and returns the first one whose deadline has come.
  mutating func popFirst(through now: Int64) -> DeliveryRecord.Number? {
    dropStale()
    guard let first = heap.first, first.deadline <= now else { return nil }
    popHeap()
    deadlines[first.number] = nil
    waking.remove(first.number)
    return first.number
  }

  private mutating func dropStale() {
    while let first = heap.first, deadlines[first.number] != first.deadline { popHeap() }
  }

  private mutating func popHeap() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    siftDown()
  }

  private mutating func siftUp() {
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right] < heap[left] ? right : left
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
