// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Times of day: all combinations of some hours, minutes and seconds. There is at least one.
struct TimesOfDay: Hashable, Sendable {
  let hours, minutes, seconds: BitSet

  static let allHours = BitSet(0...23)
  /// For minutes and for seconds.
  static let allSixty = BitSet(0...59)
  static let zero = BitSet(0...0)

  private var minutesTimesSeconds: Int { minutes.count * seconds.count }
  var count: Int { hours.count * minutesTimesSeconds }

  /// The earliest that is not before `second`, in seconds after 00:00:00.
  func first(from second: Int) -> Int? {
    var (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60)
    if hours.contains(hour) {
      if minutes.contains(minute), let found = seconds.first(from: second) { return hour * 3600 + minute * 60 + found }
      if let found = minutes.first(from: minute + 1) { return hour * 3600 + found * 60 + seconds.first }
    }
    guard let found = hours.first(from: hour + 1) else { return nil }
    (hour, minute, second) = (found, minutes.first, seconds.first)
    return hour * 3600 + minute * 60 + second
  }

  /// Counts the times before `second`.
  func count(before second: Int) -> Int {
    let (hour, minute) = (second / 3600, second / 60 % 60)
    var count = hours.count(below: hour) * minutesTimesSeconds
    guard hour < 24, hours.contains(hour) else { return count }
    count += minutes.count(below: minute) * seconds.count
    return minutes.contains(minute) ? count + seconds.count(below: second % 60) : count
  }

  /// The time with that many before it; it must exist.
  func second(at rank: Int) -> Int {
    let (hour, rest) = rank.quotientAndRemainder(dividingBy: minutesTimesSeconds)
    let (minute, second) = rest.quotientAndRemainder(dividingBy: seconds.count)
    return hours.element(at: hour) * 3600 + minutes.element(at: minute) * 60 + seconds.element(at: second)
  }
}
