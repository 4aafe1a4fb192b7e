// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// `BYSETPOS` for weeks, months and years: the nth dates of each period's.
struct PositionPattern: WallDates {
  let days: RuleDays
  let times: TimesOfDay
  let positions: [Int]
  let frequency: RecurrenceRule.Frequency
  let weekStart: Weekday
  let namesHours = true

  func first(from moment: CivilDateTime) -> CivilDateTime? {
    let clock = moment.clock
    var start = period(of: moment.date).lowerBound
    var fruitless = 0
    while fruitless < periodsPerCycle, let day = CivilDate(dayNumber: start).flatMap(days.first(from:)) {
      let period = period(of: day)
      let dates = dates(of: period)
      if let found = dates.first(where: { $0 >= clock }) { return CivilDateTime(clock: found) }
      fruitless += 1
      start = period.upperBound + 1
    }
    return nil
  }

  func count(from start: CivilDateTime, before end: CivilDateTime) -> Int {
    let (first, last) = (start.clock, end.clock)
    var count = 0
    var next = period(of: start.date).lowerBound
    while let day = CivilDate(dayNumber: next).flatMap(days.first(from:)) {
      let period = period(of: day)
      guard period.lowerBound * 86_400 < last else { break }
      count += dates(of: period).count { $0 >= first && $0 < last }
      next = period.upperBound + 1
    }
    return count
  }

  /// After so many periods the calendar repeats itself, 400 years being a whole number of weeks; where `INTERVAL` leaves
  /// some out, no later.
  private var periodsPerCycle: Int {
    switch frequency {
    case .yearly: 400
    case .monthly: 4800
    default: 20_871
    }
  }

  /// The day numbers of the period that a date is in.
  private func period(of date: CivilDate) -> ClosedRange<Int> {
    switch frequency {
    case .yearly:
      let start = date.dayNumber - date.dayOfYear + 1
      return start...(start + date.daysInYear - 1)
    case .monthly:
      let start = date.firstOfMonth.dayNumber
      return start...(start + date.daysInMonth - 1)
    default:
      let start = date.dayNumber - weekStart.days(until: date.weekday)
      // The first week there is may begin before the first day.
      return max(start, CivilDate.first.dayNumber)...(start + 6)
    }
  }

  /// Those at the positions, sorted, in seconds of the clock.
  private func dates(of period: ClosedRange<Int>) -> [Int] {
    let days = daysOfPattern(in: period)
    let count = days.count * times.count
    return positions.map { $0 > 0 ? $0 - 1 : count + $0 }.filter { 0..<count ~= $0 }.sortedUnique.map {
      days[$0 / times.count] * 86_400 + times.second(at: $0 % times.count)
    }
  }

  private func daysOfPattern(in period: ClosedRange<Int>) -> [Int] {
    var found: [Int] = []
    var month = CivilDate(dayNumber: period.lowerBound).map(Month.init(containing:))
    while let here = month, here.start <= period.upperBound {
      found += days.days(of: here).map { here.start + $0 - 1 }.filter(period.contains)
      month = here.next
    }
    return found
  }
}
