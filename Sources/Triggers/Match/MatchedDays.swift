// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// The days that match given components.
struct MatchedDays: DayPattern, Hashable {
  /// Returns nil if there are none.
  private let years: ClosedRange<Int>?
  private let isOfEveryYear: Bool
  private let yearForWeekOfYear: Int?
  private let months: BitSet
  private let weekOfYear, weekOfMonth, ordinal, day, dayOfYear: Int?
  private let weekdays: Weekdays
  /// Whether only the first matching day of each month counts, because the lowest value of the other components does
  /// not apply.
  private let isFirstOfMonth: Bool

  init(_ given: [ComponentMatch.Component: Int]) {
    let hasDate = given.hasDay
    let isWeekly = given[.weekOfYear] != nil || given[.yearForWeekOfYear] != nil
    let year = given[.year]
    yearForWeekOfYear = given[.yearForWeekOfYear]
    // A year's first week may begin in the year before.
    let weekly = given[.yearForWeekOfYear].map { max($0 - 1, CivilDate.years.lowerBound)...$0 }
    let (plain, ofWeeks) = (year.map { $0...$0 } ?? CivilDate.years, weekly ?? CivilDate.years)
    years = plain.overlaps(ofWeeks) ? plain.clamped(to: ofWeeks) : nil
    isOfEveryYear = year == nil && weekly == nil
    // A year of weeks without a week means its first one.
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
      // A week without a weekday means its first day.
      weekdays = isWeekly && !isPinned && weekOfMonth == nil && ordinal == nil ? Weekdays(.sunday) : .all
    }
    isFirstOfMonth =
      given[.weekday] == nil ? weekOfMonth != nil || ordinal != nil : hasMonth && !isPinned && !isOfWeek
  }

  func candidate(from month: Month) -> Month? {
    guard let years, !months.isEmpty, month.year <= years.upperBound else { return nil }
    if month.year < years.lowerBound { return Month(year: years.lowerBound, number: months.first) }
    if months.contains(month.number) { return month }
    if let number = months.first(from: month.number) { return Month(year: month.year, number: number) }
    return month.year < years.upperBound ? Month(year: month.year + 1, number: months.first) : nil
  }

  var steps: Int { weekOfYear != nil || yearForWeekOfYear != nil ? 3 : 1 }
  var cycle: Int { 4800 + 12 }
  var isSameAfter400Years: Bool { isOfEveryYear }

  func days(of month: Month) -> BitSet {
    guard months.contains(month.number), years?.contains(month.year) == true else { return .none }
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

  /// Weeks from Sunday to Saturday; the first one contains the 1st.
  private static func week(_ number: Int, of month: Month) -> BitSet {
    let firstSaturday = month.first(.saturday)
    return BitSet(max(1, firstSaturday + 7 * (number - 2) + 1)...firstSaturday + 7 * (number - 1))
  }

  /// A week with all its days belongs to the year of its Saturday.
  private func weeksOfYear(of month: Month) -> BitSet {
    var days = BitSet.none
    var saturday = month.first(.saturday)
    while saturday - 6 <= month.length {
      if let end = CivilDate(dayNumber: month.start + saturday - 1) {
        let week = (end.dayOfYear - 1) / 7 + 1
        if weekOfYear ?? week == week, yearForWeekOfYear ?? end.year == end.year {
          days = days | BitSet(max(1, saturday - 6)...min(saturday, month.length))
        }
      }
      saturday += 7
    }
    return days
  }
}
