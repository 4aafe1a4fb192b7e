// SPDX-License-Identifier: Apache-2.0

/// A binary heap of dates; equal dates come out in the order they went in, and any can be taken out by its key.
struct DeadlineHeap {
  private struct Entry {
    let date: Duration
    let key: UInt64
    let action: () -> Void

    func isBefore(_ other: Entry) -> Bool { (date, key) < (other.date, other.key) }
  }

  private var entries: [Entry] = []
  private var positions: [UInt64: Int] = [:]
  private var lastKey: UInt64 = 0

  var nearest: Duration? { entries.first?.date }
  var count: Int { entries.count }

  mutating func insert(at date: Duration, _ action: @escaping () -> Void) -> UInt64 {
    lastKey += 1
    entries.append(Entry(date: date, key: lastKey, action: action))
    positions[lastKey] = entries.count - 1
    siftUp(entries.count - 1)
    return lastKey
  }

  mutating func remove(_ key: UInt64) {
    if let position = positions[key] { _ = take(position) }
  }

  mutating func popDue(at now: Duration) -> (() -> Void)? {
    guard let first = entries.first, first.date <= now else { return nil }
    return take(0).action
  }

  private mutating func take(_ position: Int) -> Entry {
    let last = entries.count - 1
    if position != last { exchange(position, last) }
    let taken = entries.removeLast()
    positions[taken.key] = nil
    if position != last {
      siftUp(position)
      siftDown(position)
    }
    return taken
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].isBefore(entries[parent]) else { return }
      exchange(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && entries[child].isBefore(entries[least]) {
        least = child
      }
      if least == parent { return }
      exchange(least, parent)
      parent = least
    }
  }

  private mutating func exchange(_ a: Int, _ b: Int) {
    entries.swapAt(a, b)
    positions[entries[a].key] = a
    positions[entries[b].key] = b
  }
}
