// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// Dates and times on the wall clock, in their order, of no particular zone: what a calendar expression, a recurrence and
/// Apple's date components have in common.
///
/// Nothing is stepped through: years of dates are passed over by counting bits, so that a search has an end and is short.
public protocol WallDates: Sendable {
  /// Whether it says at which hour, and so happens once where the clock shows that hour twice; else it is of every hour.
  var namesHours: Bool { get }

  /// The first that is not before `moment`; nil if there is none up to the year 9999.
  func first(from moment: CivilDateTime) -> CivilDateTime?

  /// How many there are from `start` on and before `end`.
  func count(from start: CivilDateTime, before end: CivilDateTime) -> Int
}

extension WallDates {
  /// The first that is after `moment`.
  public func first(after moment: CivilDateTime) -> CivilDateTime? {
    moment.adding(seconds: 1).flatMap(first(from:))
  }

  /// One after the other, computed when they are asked for.
  public func dates(from moment: CivilDateTime) -> some Sequence<CivilDateTime> {
    sequence(first: first(from: moment)) { $0.map { first(after: $0) } }.lazy.prefix { $0 != nil }.compactMap { $0 }
  }

  /// Whether this is one of them.
  public func contains(_ moment: CivilDateTime) -> Bool { first(from: moment) == moment }

  /// The `number`th (1 is the first) that is not before `start`; nil if there are not so many.
  public func date(_ number: Int, from start: CivilDateTime) -> CivilDateTime? {
    guard number > 0, let first = first(from: start) else { return nil }
    // The first second through which there are so many: double the distance until it is far enough, then halve. Only
    // what lies in between is counted, so that the whole costs no more than a few searches of its length.
    var (low, countAtLow) = (0, 0)
    var high = 1
    func count(through distance: Int) -> Int {
      let end = first.adding(seconds: distance) ?? .last
      return countAtLow + self.count(from: first.adding(seconds: low) ?? .last, before: end)
    }
    while true {
      let count = count(through: high)
      if count >= number { break }
      if first.adding(seconds: high) == nil { return nil }
      (low, countAtLow) = (high, count)
      high *= 2
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      let count = count(through: middle)
      if count >= number { high = middle } else { (low, countAtLow) = (middle, count) }
    }
    return first.adding(seconds: low)
  }
}

extension CivilDateTime {
  /// Seconds on a clock that is never set.
  var clock: Int { Int(Instant(self, at: .utc).seconds) }

  /// Nil outside of the years 1 to 9999.
  init?(clock: Int) {
    guard let civil = Instant(Int64(clock)).civil(at: .utc) else { return nil }
    self = civil
  }

  /// A date by its day number and a time by its seconds.
  init?(dayNumber: Int, second: Int) { self.init(clock: dayNumber * 86_400 + second) }
}

/// Division that goes down, also before 1970.
func floor(_ number: Int, _ divisor: Int) -> Int {
  number >= 0 ? number / divisor : (number - divisor + 1) / divisor
}
