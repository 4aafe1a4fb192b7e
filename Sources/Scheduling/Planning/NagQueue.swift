// SPDX-License-Identifier: Apache-2.0

/// The deliveries that are shown again, by the elapsed time at which that is: changes of the wall clock do not matter.
///
/// Each step takes the same time however many they are, but for one in so many, which looks at all.
struct NagQueue {
  /// One whose deadline has come.
  struct Come {
    let number: DeliveryRecord.Number
    let deadline: Int64
    /// Whether it would have woken the machine.
    let wakes: Bool
  }

  private struct Wait {
    let deadline: Int64
    let wakes: Bool
  }

  private var waits: [DeliveryRecord.Number: Wait] = [:]
  private var all = Heap()
  /// Those that wake the machine.
  private var waking = Heap()

  var isEmpty: Bool { waits.isEmpty }

  /// Adds one, or gives it another deadline.
  mutating func set(_ number: DeliveryRecord.Number, at deadline: Int64, wakes: Bool) {
    waits[number] = Wait(deadline: deadline, wakes: wakes)
    let place = Place(deadline: deadline, number: number)
    // The places of those that were answered in the meantime go once they are as many as the others.
    let most = 2 * waits.count + 64
    if all.count < most { all.push(place) } else { all = Heap(places { _ in true }) }
    guard wakes else { return }
    if waking.count < most { waking.push(place) } else { waking = Heap(places(where: \.wakes)) }
  }

  private func places(where fits: (Wait) -> Bool) -> [Place] {
    waits.filter { fits($0.value) }.map { Place(deadline: $0.value.deadline, number: $0.key) }
  }

  /// Removes one; returns whether it was there.
  @discardableResult
  mutating func remove(_ number: DeliveryRecord.Number) -> Bool { waits.removeValue(forKey: number) != nil }

  /// The next deadline; nil if there is none.
  mutating func next() -> Int64? {
    while let first = all.first, waits[first.number]?.deadline != first.deadline { all.pop() }
    return all.first?.deadline
  }

  /// The next deadline that wakes the machine.
  mutating func nextWake() -> Int64? {
    while let first = waking.first {
      if let wait = waits[first.number], wait.wakes, wait.deadline == first.deadline { break }
      waking.pop()
    }
    return waking.first?.deadline
  }

  /// Removes and returns the first one whose deadline has come.
  mutating func popFirst(through now: Int64) -> Come? {
    guard let deadline = next(), deadline <= now, let first = all.first else { return nil }
    all.pop()
    return waits.removeValue(forKey: first.number).map {
      Come(number: first.number, deadline: deadline, wakes: $0.wakes)
    }
  }

  /// A deadline that one has, or has had.
  private struct Place {
    let deadline: Int64
    let number: DeliveryRecord.Number

    static func < (left: Place, right: Place) -> Bool { (left.deadline, left.number) < (right.deadline, right.number) }
  }

  /// A binary heap, the smallest first.
  private struct Heap {
    private var places: [Place] = []

    init() {}

    init(_ places: [Place]) {
      self.places = places
      for parent in (0..<places.count / 2).reversed() { siftDown(from: parent) }
    }

    var count: Int { places.count }
    var first: Place? { places.first }

    mutating func push(_ place: Place) {
      places.append(place)
      var child = places.count - 1
      while child > 0 {
        let parent = (child - 1) / 2
        guard places[child] < places[parent] else { return }
        places.swapAt(child, parent)
        child = parent
      }
    }

    mutating func pop() {
      guard let last = places.popLast(), !places.isEmpty else { return }
      places[0] = last
      siftDown(from: 0)
    }

    private mutating func siftDown(from start: Int) {
      var parent = start
      while true {
        let left = 2 * parent + 1
        guard left < places.count else { return }
        let right = left + 1
        let child = right < places.count && places[right] < places[left] ? right : left
        guard places[child] < places[parent] else { return }
        places.swapAt(child, parent)
        parent = child
      }
    }
  }
}
