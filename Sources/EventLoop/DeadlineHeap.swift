// SPDX-License-Identifier: Apache-2.0

/// A binary heap of dates. Equal dates are removed in the order of insertion, and each can be removed by its key.
struct DeadlineHeap {
  /// Identifies a deadline, even after its removal.
  struct Key: Sendable {
    fileprivate let slot: Int
    /// The number of deadlines inserted before this one.
    fileprivate let order: UInt64
  }

  private struct Entry {
    let date: Duration
    let key: Key
    let action: () -> Void

    func isBefore(_ other: Entry) -> Bool { (date, key.order) < (other.date, other.key.order) }
  }

  /// The index of each slot's entry; slots are reused, so `order` identifies the entry (0: none).
  private struct Slot {
    var position: Int
    var order: UInt64
  }

  private var entries: [Entry] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var lastOrder: UInt64 = 0

  var nearest: Duration? { entries.first?.date }
  var count: Int { entries.count }

  mutating func insert(at date: Duration, _ action: @escaping () -> Void) -> Key {
    lastOrder += 1
    let slot = Slot(position: entries.count, order: lastOrder)
    let key = Key(slot: freeSlots.popLast() ?? slots.count, order: lastOrder)
    if key.slot == slots.count { slots.append(slot) } else { slots[key.slot] = slot }
    entries.append(Entry(date: date, key: key, action: action))
    siftUp(slot.position)
    return key
  }

  mutating func remove(_ key: Key) {
    let slot = slots[key.slot]
    if slot.order == key.order { _ = take(slot.position) }
  }

  mutating func popDue(at now: Duration) -> (() -> Void)? {
    guard let first = entries.first, first.date <= now else { return nil }
    return take(0).action
  }

  private mutating func take(_ position: Int) -> Entry {
    let last = entries.count - 1
    if position != last { exchange(position, last) }
    let taken = entries.removeLast()
    slots[taken.key.slot].order = 0
    freeSlots.append(taken.key.slot)
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
      for child in (2 * parent + 1)...(2 * parent + 2)
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
    slots[entries[a].key.slot].position = a
    slots[entries[b].key.slot].position = b
  }
}
