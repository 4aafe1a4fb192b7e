// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// A call without an answer yet.
struct PendingCall {
  /// Called exactly once, because the caller removes the entry from the table first; inside libdbus's dispatch, before
  /// the next message is processed.
  typealias Caller = (Reply) -> Void

  let caller: Caller
  let answerer: Answerer
  let deadline: EventLoop.Deadline
  let whenLate: LateReplyHandler?
}

/// The calls without an answer yet, in the order of their serials, which is that of sending.
///
/// A binary search finds a call. A dictionary would cost every short program its first look-up of how its keys are
/// hashed: a thirtieth of the time of `suzu notify`.
struct PendingCalls {
  /// Answered calls stay as nil until they are the majority.
  private var calls: [(serial: UInt32, call: PendingCall?)] = []
  private(set) var count = 0

  /// From this number on, places of answered calls are given back.
  private static let fewest = 32

  /// Adds a call, whose serial comes after those of the others, through the largest one back to 1.
  mutating func add(_ call: PendingCall, _ serial: UInt32) {
    calls.append((serial, call))
    count += 1
  }

  subscript(serial: UInt32) -> PendingCall? { index(of: serial).flatMap { calls[$0].call } }

  mutating func remove(_ serial: UInt32) -> PendingCall? {
    guard let index = index(of: serial), let call = calls[index].call else { return nil }
    calls[index].call = nil
    count -= 1
    if count == 0 {
      calls.removeAll(keepingCapacity: calls.count <= Self.fewest)
    } else if calls.count > max(Self.fewest, 2 * count) {
      calls.removeAll { $0.call == nil }
    }
    return call
  }

  /// Removes all, and returns them in order.
  mutating func removeAll() -> [PendingCall] {
    defer { self = PendingCalls() }
    return calls.compactMap(\.call)
  }

  private func index(of serial: UInt32) -> Int? {
    guard let base = calls.first?.serial else { return nil }
    // Distances from the oldest one ascend, also where the serials begin again.
    let distance = serial &- base
    var (low, high) = (0, calls.count)
    while low < high {
      let middle = (low + high) / 2
      if calls[middle].serial &- base < distance { low = middle + 1 } else { high = middle }
    }
    return low < calls.count && calls[low].serial == serial ? low : nil
  }
}
