// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// `BYSETPOS` for weeks, months and years: the nth dates of each period.
///
/// The dates of a period are ranked, but never listed: their number follows from the bits of its months.
struct PositionPattern: WallDates {
  let days: RuleDays
  let times: TimesOfDay
  let frequency: RecurrenceRule.Frequency
  let weekStart: Weekday
  let namesHours = true
  /// Ranks from the start of a period, 0 being its first date, ascending.
  private let ranks: [Int]
  /// Ranks from its end, 0 being its last date, ascending.
  private let ranksFromEnd: [Int]

  init(
    days: RuleDays, times: TimesOfDay, positions: [Int], frequency: RecurrenceRule.Frequency, weekStart: Weekday
  ) {
    (self.days, self.times, self.frequency, self.weekStart) = (days, times, frequency, weekStart)
    ranks = positions.filter { $0 > 0 }.map { $0 - 1 }.sortedUnique
    ranksFromEnd = positions.filter { $0 < 0 }.map { -$0 - 1 }.sortedUnique
  }

  func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    guard nearestRank < mostDays * times.count else { return nil }
    var start = period(of: moment.date).lowerBound
    var fruitless = 0
    while fruitless < periodsPerCycle, let date = CivilDate(dayNumber: start),
      let day = try days.first(from: date, &search)
    {
      let period = period(of: day)
      let count = try self.count(in: period, before: nil, &search)
      let past = period.contains(moment.date.dayNumber) ? try self.count(in: period, before: moment, &search) : 0
      if let rank = first(from: past, of: count) { return try self.date(rank, in: period, &search) }
      fruitless += 1
      start = period.upperBound + 1
    }
    return nil
  }

  func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    guard start < end else { return 0 }
    let cycle = 146_097
    let cycles = days.isSameAfter400Years ? (end.date.dayNumber - start.date.dayNumber) / cycle : 0
    if cycles > 1, let first = start.adding(days: cycle), let rest = start.adding(days: cycles * cycle) {
      return try cycles * count(from: start, before: first, &search) + count(from: rest, before: end, &search)
    }
    var count = 0
    var next = period(of: start.date).lowerBound
    // Most periods have the same number of dates.
    var known = (count: -1, picked: 0)
    while let date = CivilDate(dayNumber: next), let day = try days.first(from: date, &search) {
      let period = period(of: day)
      guard period.lowerBound <= end.date.dayNumber else { break }
      let all = try self.count(in: period, before: nil, &search)
      if period.contains(start.date.dayNumber) || period.contains(end.date.dayNumber) {
        let past = period.contains(start.date.dayNumber) ? try self.count(in: period, before: start, &search) : 0
        let before = period.contains(end.date.dayNumber) ? try self.count(in: period, before: end, &search) : all
        count += picked(of: all, before: before) - picked(of: all, before: past)
        try search.take((ranks.count + ranksFromEnd.count) / 8)
      } else {
        if known.count != all {
          known = (all, picked(of: all, before: all))
          try search.take((ranks.count + ranksFromEnd.count) / 8)
        }
        count += known.picked
      }
      next = period.upperBound + 1
    }
    return count
  }

  // MARK: Ranks

  private var nearestRank: Int { min(ranks.first ?? .max, ranksFromEnd.first ?? .max) }

  /// The smallest selected rank that is not below `rank`, among that many dates.
  private func first(from rank: Int, of count: Int) -> Int? {
    let forwards = ranks.first { $0 >= rank }.flatMap { $0 < count ? $0 : nil }
    let backwards = ranksFromEnd.last { count - 1 - $0 >= rank }.map { count - 1 - $0 }
    guard let forwards else { return backwards }
    return backwards.map { min($0, forwards) } ?? forwards
  }

  /// The number of selected ranks below `end`, among that many dates.
  private func picked(of count: Int, before end: Int) -> Int {
    ranks.count { $0 < min(count, end) }
      + ranksFromEnd.count { back in
        let rank = count - 1 - back
        return 0..<end ~= rank && !isRank(rank)
      }
  }

  private func isRank(_ rank: Int) -> Bool {
    var (low, high) = (0, ranks.count)
    while low < high {
      let middle = (low + high) / 2
      if ranks[middle] < rank { low = middle + 1 } else { high = middle }
    }
    return low < ranks.count && ranks[low] == rank
  }

  // MARK: Periods

  /// After this number of periods the calendar repeats itself, because 400 years are a whole number of weeks; with
  /// `INTERVAL`, no later.
  private var periodsPerCycle: Int {
    switch frequency {
    case .yearly: 400
    case .monthly: 4800
    default: 20_871
    }
  }

  /// The maximum for any period.
  private var mostDays: Int {
    switch frequency {
    case .yearly: 366
    case .monthly: 31
    default: 7
    }
  }

  /// The day numbers of the period that contains a date.
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
      // The first supported week may begin before the first supported day.
      return max(start, CivilDate.first.dayNumber)...(start + 6)
    }
  }

  /// Counts the dates of a period before a moment in it; of the whole period for nil.
  private func count(
    in period: ClosedRange<Int>, before moment: CivilDateTime?, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    var count = 0
    let end = moment?.date.dayNumber ?? period.upperBound + 1
    var month = CivilDate(dayNumber: period.lowerBound).map(Month.init(containing:))
    while let here = month, here.start <= period.upperBound, here.start <= end {
      try search.take(days.steps)
      let found = days.days(of: here)
      let past = found.count(below: max(period.lowerBound - here.start, 0) + 1)
      count += max(0, found.count(below: min(end, period.upperBound + 1) - here.start + 1) - past) * times.count
      if let moment, here.start...here.end ~= end, found.contains(end - here.start + 1) {
        count += times.count(before: moment.time.secondOfDay)
      }
      month = here.next
    }
    return count
  }

  /// The date of a period with that many dates before it.
  private func date(
    _ rank: Int, in period: ClosedRange<Int>, _ search: inout DateSearch
  ) throws(TriggerError) -> CivilDateTime? {
    let (day, time) = rank.quotientAndRemainder(dividingBy: times.count)
    var left = day
    var month = CivilDate(dayNumber: period.lowerBound).map(Month.init(containing:))
    while let here = month, here.start <= period.upperBound {
      try search.take(days.steps)
      let found = days.days(of: here)
      let past = found.count(below: max(period.lowerBound - here.start, 0) + 1)
      if left < found.count - past {
        return CivilDateTime(dayNumber: here.start + found.element(at: past + left) - 1, second: times.second(at: time))
      }
      left -= found.count - past
      month = here.next
    }
    return nil
  }
}

extension CivilDateTime {
  /// The same time of day that many days later; nil after the year 9999.
  func adding(days: Int) -> CivilDateTime? { date.adding(days: days).map { CivilDateTime($0, time) } }
}
