// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// The numbers of the notifications that left the screen, in order: the latest are kept for late clicks.
struct Departures {
  /// How many are kept.
  static let most = 250
  /// How long these are kept.
  static let longest: Duration = .seconds(24 * 3600)

  /// If a number was reused since, its notification has a different time.
  typealias Departure = (number: PostedNumber, leftAt: Duration)

  private var list: [Departure] = []
  private var start = 0

  mutating func add(_ number: PostedNumber, at leftAt: Duration) { list.append((number, leftAt)) }

  /// Removes and returns the oldest one if there are too many or it is too old; nil if all are kept.
  mutating func takeOverdue(_ now: Duration) -> Departure? {
    guard start < list.count, list.count - start > Self.most || list[start].leftAt < now - Self.longest else {
      return nil
    }
    let oldest = list[start]
    start += 1
    // Not one by one, which would move all others each time.
    if start > Self.most {
      list.removeFirst(start)
      start = 0
    }
    return oldest
  }
}
