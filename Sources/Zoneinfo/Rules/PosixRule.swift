// SPDX-License-Identifier: Apache-2.0

/// A zone as one line, the same in every year: `CET-1CEST,M3.5.0,M10.5.0/3`. The last line of a zone's file has this form for
/// the time after its last entry, and the variable `TZ` may have it.
struct PosixRule: Hashable, Sendable {
  /// Clocks are set in summer, or rather from `start` to `end`, which in the south are in the other order.
  struct Daylight: Hashable, Sendable {
    let type: LocalTimeType
    let start: Switch
    let end: Switch
  }

  /// When clocks are set.
  struct Switch: Hashable, Sendable {
    let day: Day
    /// In seconds after 00:00 on the clock that is about to be set; up to a week before or after that day.
    let time: Int
  }

  /// A day that every year has.
  enum Day: Hashable, Sendable {
    /// `J1` to `J365`: 29 February is never counted.
    case julian(Int)
    /// `0` to `365`: 29 February is counted.
    case fromZero(Int)
    /// `M3.5.0`: in this month the first to fourth, or with 5 the last such weekday; Sunday is 0.
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
    // Day 0 was a Thursday, 4 with Sunday as 0. The week of any of these years is far from overflowing.
    let firstWeekday = first + 4 - 7 * Gregorian.floorDivide(first + 4, 7)
    var day = (weekday - firstWeekday + 7) % 7 + 7 * (week - 1)
    if day >= Gregorian.days(inMonth: month, of: year) { day -= 7 }
    return first + day
  }
}

extension PosixRule {
  /// When daylight saving is in force, from a year on and for so many years, in seconds since 1970. What touches or overlaps
  /// is one: with `XXX3EDT4,0/0,J365/23` the summer of all years is one.
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
