// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// The days that a rule's BY… parts allow; a date must match every part. For a rule by days or longer, also only days
/// in every `interval`th period.
struct RuleDays: DayPattern {
  private let months: BitSet
  private let weekdays: Weekdays
  /// Weekdays with an ordinal, within the month or the year.
  private let ordinals: [(ordinal: Int, weekday: Weekday)]
  private let ordinalsAreOfYear: Bool
  private let monthDays: [Int]
  private let yearDays: [Int]
  private let weekNumbers: [Int]
  private let weekStart: Weekday
  fileprivate let periods: Periods

  /// The periods that count, from that of the start.
  fileprivate enum Periods {
    case all
    case years(Int, from: Int)
    case months(Int, from: Int)
    /// From the day number of a week's first day.
    case weeks(Int, from: Int)
    case days(Int, from: Int)
  }

  /// Parts that the rule leaves open come from the start. If `skipsPeriods` is false, days of all periods count.
  init(_ rule: RecurrenceRule, from start: CivilDate, skipsPeriods: Bool) {
    var (months, monthDays, weekdays) = (rule.months, rule.monthDays, rule.days)
    if rule.days.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty {
      switch rule.frequency {
      case .yearly where !rule.weekNumbers.isEmpty, .weekly:
        weekdays = [RecurrenceRule.Day(ordinal: nil, weekday: start.weekday)]
      case .yearly:
        if months.isEmpty { months = [start.month] }
        monthDays = [start.day]
      case .monthly: monthDays = [start.day]
      default: break
      }
    }
    self.months = months.isEmpty ? BitSet(1...12) : BitSet(months)
    self.monthDays = monthDays
    self.weekdays =
      weekdays.isEmpty ? .all : Weekdays(weekdays.filter { $0.ordinal == nil }.map { Weekdays($0.weekday) })
    ordinals = weekdays.compactMap { day in day.ordinal.map { ($0, day.weekday) } }
    ordinalsAreOfYear = rule.frequency == .yearly && rule.months.isEmpty
    yearDays = rule.yearDays
    weekNumbers = rule.weekNumbers
    weekStart = rule.weekStart
    periods = skipsPeriods && rule.interval > 1 ? Periods(rule, from: start) : .all
  }

  /// Whether the rule does not restrict days.
  var isEveryDay: Bool {
    guard case .all = periods else { return false }
    return months == BitSet(1...12) && weekdays == .all && [monthDays, yearDays, weekNumbers].allSatisfy(\.isEmpty)
  }

  func candidate(from month: Month) -> Month? {
    guard let number = months.first(from: month.number) else {
      return Month(year: month.year + 1, number: months.first).flatMap(ofPeriods)
    }
    return ofPeriods(number == month.number ? month : Month(year: month.year, number: number) ?? month)
  }

  /// The first month, this one or later, in a period that counts.
  private func ofPeriods(_ month: Month) -> Month? {
    /// The distance from a number to the next one that counts.
    func ahead(_ number: Int, _ first: Int, _ interval: Int) -> Int {
      let behind = (number - first) % interval
      return behind == 0 ? 0 : behind < 0 ? -behind : interval - behind
    }
    switch periods {
    case .all: return month
    case .years(let interval, let first):
      let years = ahead(month.year, first, interval)
      return years == 0 ? month : Month(year: month.year + years, number: months.first)
    case .months(let interval, let first):
      let index = month.index + ahead(month.index, first, interval)
      return index == month.index ? month : Month(year: index / 12, number: index % 12 + 1)
    case .weeks(let interval, let first):
      // A week that began before the month may extend into it.
      let start = month.start - 6 + ahead(month.start - 6, first, interval * 7)
      return start <= month.end ? month : CivilDate(dayNumber: start).map(Month.init(containing:))
    case .days(let interval, let first):
      let start = month.start + ahead(month.start, first, interval)
      return start <= month.end ? month : CivilDate(dayNumber: start).map(Month.init(containing:))
    }
  }

  /// The lists are searched once per month.
  var steps: Int {
    let weeks = weekNumbers.isEmpty ? 0 : 4 + weekNumbers.count / 4
    return 1 + ordinals.count / 2 + (monthDays.count + yearDays.count) / 8 + weeks
  }

  var isSameAfter400Years: Bool {
    switch periods {
    case .all: true
    case .years(let interval, _): 400 % interval == 0
    case .months(let interval, _): 4800 % interval == 0
    case .weeks(let interval, _): 20_871 % interval == 0
    case .days(let interval, _): 146_097 % interval == 0
    }
  }

  /// The calendar repeats itself after 400 years, which are a whole number of weeks; so do every `interval`th years,
  /// after at most as many of them. Intervals of months, weeks and days have longer cycles.
  var cycle: Int {
    switch periods {
    case .all, .years: 4800 + 12
    case .months, .weeks, .days: .max
    }
  }

  func days(of month: Month) -> BitSet {
    guard months.contains(month.number) else { return .none }
    var days = days(in: periods, of: month)
    if days.isEmpty { return days }
    if !monthDays.isEmpty {
      days = days & BitSet(monthDays.map { $0 > 0 ? $0 : month.length + 1 + $0 }.filter { 1...31 ~= $0 })
    }
    if weekdays != .all { days = days & (month.days(on: weekdays) | ordinalDays(of: month)) }
    if !yearDays.isEmpty { days = days & yearDays(of: month) }
    if !weekNumbers.isEmpty { days = days & numberedWeeks(of: month) }
    return days
  }

  private func ordinalDays(of month: Month) -> BitSet {
    var days = BitSet.none
    for (ordinal, weekday) in ordinals {
      let day =
        if ordinalsAreOfYear {
          Self.day(
            ordinal, weekday, firstWeekday: month.firstWeekday.adding(days: -month.daysBefore), of: month.daysInYear)
            - month.daysBefore
        } else {
          Self.day(ordinal, weekday, firstWeekday: month.firstWeekday, of: month.length)
        }
      if 1...month.length ~= day { days.insert(day) }
    }
    return days
  }

  /// The nth such weekday among that many days, starting at 1; the result may be outside.
  private static func day(_ ordinal: Int, _ weekday: Weekday, firstWeekday: Weekday, of length: Int) -> Int {
    if ordinal > 0 { return 1 + firstWeekday.days(until: weekday) + 7 * (ordinal - 1) }
    let last = firstWeekday.adding(days: length - 1)
    return length - weekday.days(until: last) + 7 * (ordinal + 1)
  }

  private func yearDays(of month: Month) -> BitSet {
    let (before, length) = (month.daysBefore, month.daysInYear)
    return BitSet(yearDays.map { ($0 > 0 ? $0 : length + 1 + $0) - before }.filter { 1...month.length ~= $0 })
  }

  /// A day near New Year may be in a week of the other year, whose number counts.
  private func numberedWeeks(of month: Month) -> BitSet {
    var days = BitSet.none
    guard let first = CivilDate(dayNumber: month.start) else { return days }
    let week = first.week(startingOn: weekStart)
    var (year, number) = (week.year, week.number)
    var weeks = CivilDate.weeks(inYear: year, startingOn: weekStart)
    var day = 1
    while day <= month.length {
      if number > weeks {
        (year, number) = (year + 1, 1)
        weeks = CivilDate.weeks(inYear: year, startingOn: weekStart)
      }
      let end = day == 1 ? 1 + month.firstWeekday.days(until: weekStart.adding(days: 6)) : day + 6
      if weekNumbers.contains(number) || weekNumbers.contains(number - weeks - 1) {
        days = days | BitSet(day...min(end, month.length))
      }
      day = end + 1
      number += 1
    }
    return days
  }
}

extension RuleDays {
  private func days(in periods: Periods, of month: Month) -> BitSet {
    switch periods {
    case .all: month.days
    case .years(let interval, let first): (month.year - first) % interval == 0 ? month.days : .none
    case .months(let interval, let first): (month.index - first) % interval == 0 ? month.days : .none
    case .days(let interval, let first): Self.runs(of: 1, every: interval, from: first, in: month)
    case .weeks(let interval, let first): Self.runs(of: 7, every: interval * 7, from: first, in: month)
    }
  }

  /// The days of a month that are in the first `length` of every `interval` days.
  private static func runs(of length: Int, every interval: Int, from first: Int, in month: Month) -> BitSet {
    var days = BitSet.none
    // The run that has begun by the 1st; it may already be over.
    let behind = (month.start - first) % interval
    var run = month.start - (behind < 0 ? behind + interval : behind)
    while run <= month.end {
      let (start, end) = (max(run, month.start), min(run + length - 1, month.end))
      if start <= end { days = days | BitSet(start - month.start + 1...end - month.start + 1) }
      run += interval
    }
    return days
  }
}

extension RuleDays.Periods {
  fileprivate init(_ rule: RecurrenceRule, from start: CivilDate) {
    self =
      switch rule.frequency {
      case .yearly: .years(rule.interval, from: start.year)
      case .monthly: .months(rule.interval, from: start.year * 12 + start.month - 1)
      case .weekly: .weeks(rule.interval, from: start.dayNumber - rule.weekStart.days(until: start.weekday))
      case .daily: .days(rule.interval, from: start.dayNumber)
      case .hourly, .minutely, .secondly: .all
      }
  }
}
