// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// Ordered wall clock dates and times without a zone: the common interface of calendar expressions, recurrences and
/// Apple's date components.
///
/// Years of dates are skipped by counting bits; a ``DateSearch`` counts the remaining steps.
public protocol WallDates: Sendable {
  /// Whether the schedule names an hour. If so, it fires once when the clock shows that hour twice; otherwise it fires
  /// in every real hour.
  var namesHours: Bool { get }

  /// Returns the first date that is not before `moment`; nil if there is none up to the year 9999.
  func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime?

  /// Counts the dates from `start` on and before `end`.
  func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int
}

extension WallDates {
  /// Whether the moment is one of the dates.
  func contains(_ moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> Bool {
    try first(from: moment, &search) == moment
  }

  /// Returns the `number`th date (1 is the first) that is not before `start`; nil if there are not that many.
  func date(
    _ number: Int, from start: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> CivilDateTime? {
    guard number > 0, let first = try first(from: start, &search) else { return nil }
    // Finds the first second up to which there are enough dates: doubles the distance until it is far enough, then
    // halves it. Only the dates in between are counted, so the whole costs no more than a few searches of that length.
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

  /// Returns nil outside the years 1 to 9999.
  init?(clock: Int) {
    guard let civil = Instant(Int64(clock)).civil(at: .utc) else { return nil }
    self = civil
  }

  /// Creates a date from its day number and a time from its seconds.
  init?(dayNumber: Int, second: Int) { self.init(clock: dayNumber * 86_400 + second) }
}

/// Division that rounds down, also before 1970.
func floor(_ number: Int, _ divisor: Int) -> Int {
  number >= 0 ? number / divisor : (number - divisor + 1) / divisor
}
