// SPDX-License-Identifier: Apache-2.0
import Testing
import Zoneinfo

/// Tests calendar dates, weekdays and weeks, also against Python.
@Suite struct CivilDateTests {
  /// Every 29th day of the years 1 to 9999 (29 and 7 have no common factor), and every day from 1890 to 2110.
  @Test func `Day numbers, weekdays and weeks match Python`() throws {
    let numbers = try Python.numbers(
      """
      import datetime
      epoch = datetime.date(1970, 1, 1).toordinal()
      days = list(range(1, datetime.date.max.toordinal() + 1, 29))
      days += range(datetime.date(1890, 1, 1).toordinal(), datetime.date(2111, 1, 1).toordinal())
      days.append(datetime.date.max.toordinal())
      for ordinal in days:
        date = datetime.date.fromordinal(ordinal)
        iso = date.isocalendar()
        out.extend((ordinal - epoch, date.year, date.month, date.day, iso[0], iso[1], iso[2], date.timetuple().tm_yday))
      """)
    #expect(numbers.count > 200_000 * 8)
    var wrong: [String] = []
    numbers.withUnsafeBufferPointer { all in
      for start in stride(from: 0, to: all.count, by: 8) {
        let row = (0..<8).map { Int(all[start + $0]) }
        guard let date = CivilDate(year: row[1], month: row[2], day: row[3]) else {
          wrong.append("\(row)")
          continue
        }
        let week = date.week()
        if date.dayNumber != row[0] || CivilDate(dayNumber: row[0]) != date || week.year != row[4]
          || week.number != row[5] || date.weekday.rawValue != row[6] || date.dayOfYear != row[7]
        {
          wrong.append("\(row): \(date)")
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test(arguments: [
    (2026, 2, 29), (2100, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
    (2026, 1, 32),
    (0, 1, 1), (10000, 1, 1), (Int.min, Int.min, Int.min), (Int.max, Int.max, Int.max), (2026, 1, Int.max),
  ])
  func `An invalid date cannot be made`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test func `Leap days follow the Gregorian rule`() {
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2028, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 1600, month: 2, day: 29)?.daysInYear == 366)
    #expect(
      (1...12).compactMap { CivilDate(year: 2026, month: $0, day: 1)?.daysInMonth }
        == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
  }

  @Test func `Adding never changes the day and never leaves the calendar`() throws {
    let end = try #require(CivilDate("2026-01-31"))
    #expect(end.adding(months: 1) == nil)
    #expect(end.adding(months: 2) == CivilDate("2026-03-31"))
    #expect(end.adding(months: -11) == nil)
    #expect(end.adding(months: -13) == CivilDate("2024-12-31"))
    #expect(end.adding(days: 28) == CivilDate("2026-02-28"))
    #expect(CivilDate("2024-02-29")?.adding(years: 1) == nil)
    #expect(CivilDate("2024-02-29")?.adding(years: 4) == CivilDate("2028-02-29"))
    for number in [Int.min, Int.max, -4_000_000, 4_000_000] {
      #expect(end.adding(days: number) == nil)
      #expect(end.adding(months: number) == nil)
      #expect(end.adding(years: number) == nil)
      #expect(CivilDate(dayNumber: number) == nil)
    }
    #expect(CivilDate.last.adding(days: 1) == nil)
    #expect(CivilDate.first.adding(days: -1) == nil)
    #expect(CivilDate.first.adding(days: 3_652_058) == .last)
  }

  @Test func `The nth weekday of a month is found from both ends`() {
    #expect(CivilDate(year: 2026, month: 3, ordinal: -1, .sunday) == CivilDate("2026-03-29"))
    #expect(CivilDate(year: 2026, month: 3, ordinal: 5, .sunday) == CivilDate("2026-03-29"))
    #expect(CivilDate(year: 2026, month: 3, ordinal: 1, .sunday) == CivilDate("2026-03-01"))
    #expect(CivilDate(year: 2026, month: 3, ordinal: 2, .saturday) == CivilDate("2026-03-14"))
    #expect(CivilDate(year: 2026, month: 2, ordinal: 5, .sunday) == nil)
    #expect(CivilDate(year: 2026, month: 2, ordinal: -5, .sunday) == nil)
    #expect(CivilDate(year: 2026, month: 2, ordinal: -4, .sunday) == CivilDate("2026-02-01"))
    #expect(CivilDate(year: 2026, month: 2, ordinal: 0, .sunday) == nil)
    #expect(CivilDate(year: 2026, month: 2, ordinal: .min, .sunday) == nil)
  }

  @Test func `Weeks may start on any day`() {
    for start in Weekday.allCases {
      for year in [1, 1998, 2004, 2020, 2026, 9999] {
        for dayOfYear in [1, 2, 3, 4, 5, 6, 7, 180, 360, 361, 362, 363, 364, 365] {
          guard let date = CivilDate(year: year, dayOfYear: dayOfYear) else { continue }
          let week = date.week(startingOn: start)
          #expect(1...53 ~= week.number)
          guard CivilDate.years.contains(week.year) else { continue }
          let same = CivilDate(weekYear: week.year, week: week.number, weekday: date.weekday, startingOn: start)
          #expect(same == date)
        }
      }
    }
    // The example of RFC 5545, 3.8.5.3: week 20 on Mondays; and the years with 53 weeks.
    #expect(CivilDate(weekYear: 1997, week: 20, weekday: .monday) == CivilDate("1997-05-12"))
    #expect((2000...2030).filter { CivilDate.weeks(inYear: $0) == 53 } == [2004, 2009, 2015, 2020, 2026])
    #expect(CivilDate(weekYear: 2025, week: 53, weekday: .monday) == nil)
    #expect(CivilDate.weeks(inYear: .max) >= 52 && CivilDate.weeks(inYear: .min) >= 52)
  }

  @Test func `Weekdays wrap around`() {
    #expect(Weekday.sunday.adding(days: 1) == .monday)
    #expect(Weekday.monday.adding(days: -1) == .sunday)
    #expect(Weekday.monday.adding(days: .min) == Weekday.monday.adding(days: .min % 7))
    #expect(Weekday.monday.adding(days: .max) == Weekday.monday.adding(days: .max % 7))
    #expect(Weekday.friday.days(until: .monday) == 3)
    #expect(Weekday.friday.days(until: .friday) == 0)
  }

  @Test(arguments: [
    "2026-1-1", "2026-02-30", "26-01-01", "2026-01-01 ", " 2026-01-01", "20260101", "+026-01-01", "2026/01/01", "",
    "0000-01-01",
    "２026-01-01", "2026-01-0١",
  ])
  func `An invalid date text is rejected`(text: String) {
    #expect(CivilDate(text) == nil)
  }

  @Test func `Dates are ordered and formatted`() {
    let dates = ["0001-01-01", "1999-12-31", "2000-01-01", "2000-02-29", "2000-03-01", "9999-12-31"].compactMap {
      CivilDate($0)
    }
    #expect(dates.count == 6 && dates == dates.shuffled().sorted())
    #expect(
      dates.map(\.description)
        == ["0001-01-01", "1999-12-31", "2000-01-01", "2000-02-29", "2000-03-01", "9999-12-31"])
  }
}
