// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The ends whose event waits, because the user may still be answering: a dialog is open, or the server may report the
/// click after the close. They are stored already.
struct PostponedEnds {
  private struct Hold {
    var count = 0
    var ended: Ended?
  }

  /// The holds of each request, without its date.
  private var holds: [RequestKey: [DeliveryRecord.Number: Hold]] = [:]

  /// From now on, the end of this delivery is not reported, until ``release(_:)`` was called as often.
  mutating func hold(_ due: Due) {
    guard let delivery = due.record?.delivery else { return }
    holds[RequestKey(due).base, default: [:]][delivery, default: Hold()].count += 1
  }

  /// Returns the end to report now; nil if the delivery has not ended, or is still held.
  mutating func release(_ due: Due) -> Ended? {
    let key = RequestKey(due).base
    guard let delivery = due.record?.delivery, var hold = holds[key]?[delivery] else { return nil }
    hold.count -= 1
    if hold.count > 0 {
      holds[key]?[delivery] = hold
      return nil
    }
    holds[key]?[delivery] = nil
    if holds[key]?.isEmpty == true { holds[key] = nil }
    return hold.ended
  }

  /// Keeps the end if its delivery is held; returns false if it must be reported now.
  mutating func keep(_ ended: Ended) -> Bool {
    guard let delivery = ended.delivery, holds[ended.key.base]?[delivery] != nil else { return false }
    holds[ended.key.base]?[delivery]?.ended = ended
    return true
  }

  /// Removes and returns the ends of a request: after a newer one with its id is delivered, they would be taken for the
  /// end of that one.
  mutating func takeAll(of key: RequestKey) -> [Ended] {
    guard let taken = holds[key.base] else { return [] }
    let ended = taken.filter { $0.value.ended != nil }
    for delivery in ended.keys { holds[key.base]?[delivery] = nil }
    if holds[key.base]?.isEmpty == true { holds[key.base] = nil }
    return ended.sorted { $0.key < $1.key }.compactMap(\.value.ended)
  }
}
