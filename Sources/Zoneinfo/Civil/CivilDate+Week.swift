// SPDX-License-Identifier: Apache-2.0

extension CivilDate {
  /// A numbered week: week 1 is the first with at least four days in the year. With Monday as the start this is ISO
  /// 8601; RFC 5545 allows any start (`WKST`).
  public struct Week: Hashable, Sendable {
    /// The year that contains most of the week; near New Year it may differ from the date's year.
    public let year: Int
    /// 1 to 52 or 53.
    public let number: Int
    /// The first day of the week.
    public let start: Weekday
  }

  /// The week that contains this date.
  public func week(startingOn start: Weekday = .monday) -> Week {
    let number = dayNumber
    // A week belongs to the year of its fourth day.
    let middle = number - start.days(until: Weekday(dayNumber: number)) + 3
    let year = Gregorian.date(middle).year
    return Week(year: year, number: (middle - Gregorian.dayNumber(year, 1, 1)) / 7 + 1, start: start)
  }

  /// A day of a numbered week; nil if the year has no such week, or the day is outside the years 1 to 9999.
  public init?(weekYear: Int, week: Int, weekday: Weekday, startingOn start: Weekday = .monday) {
    guard Self.years.contains(weekYear), week >= 1, week <= Self.weeks(inYear: weekYear, startingOn: start)
    else { return nil }
    let first = Self.firstDayNumber(ofWeekYear: weekYear, startingOn: start)
    self.init(dayNumber: first + 7 * (week - 1) + start.days(until: weekday))
  }

  /// The number of weeks in a year, 52 or 53.
  public static func weeks(inYear year: Int, startingOn start: Weekday = .monday) -> Int {
    // The pattern repeats every 400 years; the remainder keeps the sum from overflowing.
    let year = year % 400
    let days =
      firstDayNumber(ofWeekYear: year + 1, startingOn: start) - firstDayNumber(ofWeekYear: year, startingOn: start)
    return days / 7
  }

  /// The first week always contains 4 January.
  private static func firstDayNumber(ofWeekYear year: Int, startingOn start: Weekday) -> Int {
    let fourth = Gregorian.dayNumber(year, 1, 4)
    return fourth - start.days(until: Weekday(dayNumber: fourth))
  }
}
