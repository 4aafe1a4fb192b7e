// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// Dates and times on the wall clock, in their order, of no particular zone: what a calendar expression, a recurrence and
/// Apple's date components have in common.
///
/// Years of dates are passed over by counting bits; what is left to step through is counted by a ``DateSearch``.
public protocol WallDates: Sendable {
  /// Whether it says at which hour, and so happens once where the clock shows that hour twice; else it is of every hour.
  var namesHours: Bool { get }

  /// The first that is not before `moment`; nil if there is none up to the year 9999.
  func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime?

  /// How many there are from `start` on and before `end`.
  func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int
}

extension WallDates {
  /// Whether this is one of them.
  func contains(_ moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> Bool {
    try first(from: moment, &search) == moment
  }

  /// The `number`th (1 is the first) that is not before `start`; nil if there are not so many.
  func date(
    _ number: Int, from start: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> CivilDateTime? {
    guard number > 0, let first = try first(from: start, &search) else { return nil }
    // The first second through which there are so many: double the distance until it is far enough, then halve. Only
    // what lies in between is counted, so that the whole costs no more than a few searches of its length.
    var (low, countAtLow) = (0, 0)
    var high = 1
    func count(through distance: Int, _ search: inout DateSearch) throws(TriggerError) -> Int {
      let end = first.adding(seconds: distance) ?? .last
      return try countAtLow + self.count(from: first.adding(seconds: low) ?? .last, before: end, &search)
    }
    while true {
      let count = try count(through: high, &search)
      if count >= number { break }
      if first.adding(seconds: high) == nil { return nil }
      (low, countAtLow) = (high, count)
      high *= 2
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      let count = try count(through: middle, &search)
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
