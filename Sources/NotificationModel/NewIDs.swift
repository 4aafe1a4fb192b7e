// SPDX-License-Identifier: Apache-2.0

/// Makes ids for requests that come without one: short enough to type, and unique in practice.
///
/// Ids made in quick succession are neighbours in the store's indexes. With random ids, each request of a burst changed
/// another page of these, and a commit wrote several times as much.
package struct NewIDs {
  /// The letters of an id, in the order in which the store compares them; without 0, 1, l and o, which look alike.
  private static let letters = Array("23456789abcdefghijkmnpqrstuvwxyz".utf8)
  private static let bitsPerLetter = 5
  private static let length = 10
  /// The number of ids, and the time, after which the next one is unrelated to those before.
  private static let longestRun = 16_384
  private static let longestTime: Duration = .seconds(1)
  /// Neighbours differ in more than their last letter, so that a typing error rarely names another request.
  private static let largestStep: UInt64 = 1 << 15

  private var last: UInt64 = 0
  private var left = 0
  private var end: Duration = .zero

  package init() {}

  /// - Parameter now: the monotonic time.
  package mutating func next(at now: Duration) -> RequestID {
    var numbers = SystemRandomNumberGenerator()
    return next(at: now, using: &numbers)
  }

  package mutating func next(at now: Duration, using numbers: inout some RandomNumberGenerator) -> RequestID {
    if left == 0 || now >= end {
      last = numbers.next()
      (left, end) = (Self.longestRun, now + Self.longestTime)
    } else {
      last &+= UInt64.random(in: 1...Self.largestStep, using: &numbers)
    }
    left -= 1
    let places = (0..<Self.length).reversed().map { UInt64($0 * Self.bitsPerLetter) }
    return RequestID(
      trusted: String(
        decoding: places.map { Self.letters[Int(truncatingIfNeeded: last >> $0) & (Self.letters.count - 1)] },
        as: UTF8.self))
  }
}
