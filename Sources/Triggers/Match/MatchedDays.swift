// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// The days whose components are the given ones.
struct MatchedDays: DayPattern, Hashable {
  private let years: ClosedRange<Int>
  private let yearForWeekOfYear: Int?
  private let months: BitSet
  private let weekOfYear, weekOfMonth, ordinal, day, dayOfYear: Int?
  private let weekdays: Weekdays
  /// Whether only the first day of each month that has the rest counts, the others being no lowest value.
  private let isFirstOfMonth: Bool

  init(_ given: [ComponentMatch.Component: Int]) {
    let hasDate = given.hasDay
    let isWeekly = given[.weekOfYear] != nil || given[.yearForWeekOfYear] != nil
    let year = given[.year]
    years = year.map { $0...$0 } ?? CivilDate.years
    yearForWeekOfYear = given[.yearForWeekOfYear]
    // A year of weeks without a week: its first.
    weekOfYear = given[.weekOfYear] ?? (given[.yearForWeekOfYear] != nil && given[.month] == nil ? 1 : nil)
    weekOfMonth = given[.weekOfMonth]
    ordinal = given[.weekdayOrdinal]
    dayOfYear = given[.dayOfYear]

    let quarter = given[.quarter].map { 3 * ($0 - 1) + 1 }
    let hasDayOfYear = dayOfYear != nil || isWeekly
    if let month = given[.month] {
      months = quarter.map { $0...$0 + 2 ~= month } ?? true ? BitSet(month...month) : .none
    } else if let quarter {
      months = BitSet(quarter...(hasDayOfYear ? quarter + 2 : quarter))
    } else {
      months = year != nil && !hasDayOfYear ? BitSet(1...1) : BitSet(1...12)
    }
    let hasMonth = given[.month] != nil || quarter != nil || year != nil

    let isPinned = given[.day] != nil || dayOfYear != nil
    let isOfWeek = isWeekly || weekOfMonth != nil || ordinal != nil
    day = given[.day] ?? (hasDate && !isPinned && !isOfWeek && given[.weekday] == nil ? 1 : nil)
    if let weekday = given[.weekday] {
      weekdays = Weekdays(Weekday.sunday.adding(days: weekday - 1))
    } else {
      // A week without a weekday: its first day.
      weekdays = isWeekly && !isPinned && weekOfMonth == nil && ordinal == nil ? Weekdays(.sunday) : .all
    }
    isFirstOfMonth =
      given[.weekday] == nil ? weekOfMonth != nil || ordinal != nil : hasMonth && !isPinned && !isOfWeek
  }

  func candidate(from month: Month) -> Month? {
    if month.year < years.lowerBound { return Month(year: years.lowerBound, number: 1) }
    return month.year > years.upperBound ? nil : month
  }

  func days(of month: Month) -> BitSet {
    guard months.contains(month.number), years.contains(month.year) else { return .none }
    var days = month.days(on: weekdays)
    if let day { days = days & BitSet(day...day) }
    if let dayOfYear {
      let day = dayOfYear - month.daysBefore
      days = 1...month.length ~= day ? days & BitSet(day...day) : .none
    }
    if let ordinal { days = days & BitSet(7 * ordinal - 6...7 * ordinal) }
    if let weekOfMonth { days = days & Self.week(weekOfMonth, of: month) }
    if weekOfYear != nil || yearForWeekOfYear != nil { days = days & weeksOfYear(of: month) }
    return isFirstOfMonth ? BitSet(days.prefix(1)) : days
  }

  /// Sunday to Saturday; the first week has the 1st in it.
  private static func week(_ number: Int, of month: Month) -> BitSet {
    let firstSaturday = month.first(.saturday)
    return BitSet(max(1, firstSaturday + 7 * (number - 2) + 1)...firstSaturday + 7 * (number - 1))
  }

  private func weeksOfYear(of month: Month) -> BitSet {
    BitSet(
      month.days.filter { day in
        let number = month.start + day - 1
        guard let date = CivilDate(dayNumber: number) else { return false }
        // A week belongs to the year that its Saturday is in.
        let saturday = number + date.weekday.days(until: .saturday)
        guard let end = CivilDate(dayNumber: saturday) else { return false }
        let week = (end.dayOfYear - 1) / 7 + 1
        return (weekOfYear.map { $0 == week } ?? true) && (yearForWeekOfYear.map { $0 == end.year } ?? true)
      })
  }
}
