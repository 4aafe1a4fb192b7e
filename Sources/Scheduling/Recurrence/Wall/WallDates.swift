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
    // The first second before which there are so many, less one: double the distance until it is far enough, then halve.
    var low: Int64 = 0
    var high: Int64 = 1
    func isEnough(_ distance: Int64) -> Bool {
      guard let end = first.adding(seconds: Int(distance)) else { return true }
      return count(from: first, before: end) >= number
    }
    while !isEnough(high) { (low, high) = (high, high * 2) }
    while high - low > 1 {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle }
    }
    guard let date = first.adding(seconds: Int(low)), contains(date), count(from: first, before: date) == number - 1
    else { return nil }
    return date
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
