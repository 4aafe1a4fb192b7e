// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// The days of a repetition, queried by month.
protocol DayPattern: Sendable {
  /// The days of a month.
  func days(of month: Month) -> BitSet

  /// The number of steps of that query.
  var steps: Int { get }

  /// The first month, this one or later, that may have a day; nil if there is none. It makes long searches short.
  func candidate(from month: Month) -> Month?

  /// After this many months without a day there will be none.
  var cycle: Int { get }

  /// Whether the days of any 400 years are those of the next 400 years, which begin on the same weekday.
  var isSameAfter400Years: Bool { get }
}

/// A whole number of weeks.
private let daysPer400Years = 146_097

extension DayPattern {
  /// The first day that is not before `date`.
  func first(from date: CivilDate, _ search: inout DateSearch) throws(TriggerError) -> CivilDate? {
    var day = date.day
    var month = Month(containing: date)
    var fruitless = 0
    while fruitless < cycle, let candidate = candidate(from: month) {
      if candidate.start != month.start { day = 1 }
      try search.take(steps)
      if let found = days(of: candidate).first(from: day) { return CivilDate(dayNumber: candidate.start + found - 1) }
      guard let next = candidate.next else { return nil }
      (month, day) = (next, 1)
      fruitless += 1
    }
    return nil
  }

  /// Counts the days from `start` on and before `end`.
  func count(
    from start: CivilDate, before end: CivilDate, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    guard start < end else { return 0 }
    let cycles = isSameAfter400Years ? (end.dayNumber - start.dayNumber) / daysPer400Years : 0
    if cycles > 1, let first = start.adding(days: daysPer400Years),
      let rest = start.adding(days: cycles * daysPer400Years)
    {
      return try cycles * count(from: start, before: first, &search) + count(from: rest, before: end, &search)
    }
    let last = end.dayNumber
    var count = 0
    var month = Month(containing: start)
    try search.take(steps)
    if month.start < start.dayNumber { count -= days(of: month).count(below: start.day) }
    while let candidate = candidate(from: month), candidate.start < last {
      try search.take(steps)
      count += days(of: candidate).count(below: last - candidate.start + 1)
      guard let next = candidate.next else { break }
      month = next
    }
    return count
  }
}

/// A pattern of days with the same times of day on each.
struct CalendarPattern<Days: DayPattern>: WallDates {
  let days: Days
  let times: TimesOfDay
  let namesHours: Bool

  func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    guard let day = try days.first(from: moment.date, &search) else { return nil }
    if day > moment.date { return CivilDateTime(dayNumber: day.dayNumber, second: times.second(at: 0)) }
    if let second = times.first(from: moment.time.secondOfDay) {
      return CivilDateTime(dayNumber: day.dayNumber, second: second)
    }
    guard let next = day.adding(days: 1), let later = try days.first(from: next, &search) else { return nil }
    return CivilDateTime(dayNumber: later.dayNumber, second: times.second(at: 0))
  }

  func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    guard start < end else { return 0 }
    return try count(before: end, since: start.date, &search) - count(before: start, since: start.date, &search)
  }

  private func count(
    before end: CivilDateTime, since day: CivilDate, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    try search.take(days.steps)
    let isOnLast = days.days(of: Month(containing: end.date)).contains(end.date.day)
    return try days.count(from: day, before: end.date, &search) * times.count
      + (isOnLast ? times.count(before: end.time.secondOfDay) : 0)
  }
}

extension CalendarPattern: Equatable, Hashable where Days: Hashable {}
