// SPDX-License-Identifier: Apache-2.0

/// A zone described by one line for all years: `CET-1CEST,M3.5.0,M10.5.0/3`. It is the last line of a zone file, for
/// the time after its last entry, and may be the value of `TZ`.
struct PosixRule: Hashable, Sendable {
  /// Daylight saving from `start` to `end`; in the southern hemisphere `end` comes first in the year.
  struct Daylight: Hashable, Sendable {
    let type: LocalTimeType
    let start: Switch
    let end: Switch
  }

  /// The date and time of a change.
  struct Switch: Hashable, Sendable {
    let day: Day
    /// Seconds after 00:00 on the clock before the change; up to a week before or after that day.
    let time: Int
  }

  /// A day of the year.
  enum Day: Hashable, Sendable {
    /// `J1` to `J365`: 29 February is never counted.
    case julian(Int)
    /// `0` to `365`: 29 February is counted.
    case fromZero(Int)
    /// `M3.5.0`: the first to fourth such weekday of the month, or the last for 5; Sunday is 0.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  let standard: LocalTimeType
  let daylight: Daylight?
}

extension PosixRule.Day {
  /// Days from 1970-01-01.
  func number(in year: Int) -> Int {
    switch self {
    case .julian(let day):
      Gregorian.dayNumber(year, 1, 1) + day - (day < 60 || !Gregorian.isLeap(year) ? 1 : 0)
    case .fromZero(let day):
      Gregorian.dayNumber(year, 1, 1) + day
    case .weekday(let month, let week, let weekday):
      Self.number(in: year, month, week, weekday)
    }
  }

  private static func number(in year: Int, _ month: Int, _ week: Int, _ weekday: Int) -> Int {
    let first = Gregorian.dayNumber(year, month, 1)
    // Day 0 was a Thursday, 4 with Sunday as 0. No overflow in the supported years.
    let firstWeekday = first + 4 - 7 * Gregorian.floorDivide(first + 4, 7)
    var day = (weekday - firstWeekday + 7) % 7 + 7 * (week - 1)
    if day >= Gregorian.days(inMonth: month, of: year) { day -= 7 }
    return first + day
  }
}

extension PosixRule {
  /// The periods of daylight saving for `years` years, in seconds since 1970. Adjoining or overlapping ones are merged:
  /// with `XXX3EDT4,0/0,J365/23` all years form one.
  func summers(from firstYear: Int, years: Int) -> [Range<Int64>] {
    guard let daylight else { return [] }
    var summers: [Range<Int64>] = []
    summers.reserveCapacity(years)
    for year in firstYear..<firstYear + years {
      let start = Self.seconds(daylight.start, year, on: standard)
      var end = Self.seconds(daylight.end, year, on: daylight.type)
      if start == end { continue }
      if start > end { end = Self.seconds(daylight.end, year + 1, on: daylight.type) }
      if let last = summers.last, last.upperBound >= start {
        summers[summers.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else if start < end {
        summers.append(start..<end)
      }
    }
    return summers
  }

  private static func seconds(_ change: Switch, _ year: Int, on clock: LocalTimeType) -> Int64 {
    Int64(change.day.number(in: year) * CivilTime.secondsPerDay + change.time - clock.offset.seconds)
  }
}
