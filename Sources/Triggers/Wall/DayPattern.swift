// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Which days a repetition may fall on, told by the month.
protocol DayPattern: Sendable {
  /// Those of this month, whichever it is.
  func days(of month: Month) -> BitSet

  /// The first month, this one or later, that may have any; nil where none comes. It is what makes a long search short.
  func candidate(from month: Month) -> Month?

  /// After so many candidates without a day there will be none.
  var cycle: Int { get }
}

extension DayPattern {
  /// As long as there are months.
  var cycle: Int { .max }

  /// The first day that is not before `date`.
  func first(from date: CivilDate) -> CivilDate? {
    var day = date.day
    var month = Month(containing: date)
    var fruitless = 0
    while fruitless < cycle, let candidate = candidate(from: month) {
      if candidate.start != month.start { day = 1 }
      if let found = days(of: candidate).first(from: day) { return CivilDate(dayNumber: candidate.start + found - 1) }
      guard let next = candidate.next else { return nil }
      (month, day) = (next, 1)
      fruitless += 1
    }
    return nil
  }

  /// How many days there are from `start` on and before `end`.
  func count(from start: CivilDate, before end: CivilDate) -> Int {
    guard start < end else { return 0 }
    let last = end.dayNumber
    var count = 0
    var month = Month(containing: start)
    if month.start < start.dayNumber { count -= days(of: month).count(below: start.day) }
    while let candidate = candidate(from: month), candidate.start < last {
      count += days(of: candidate).count(below: last - candidate.start + 1)
      guard let next = candidate.next else { break }
      month = next
    }
    return count
  }
}

/// The same times of day on all days of a pattern.
struct CalendarPattern<Days: DayPattern>: WallDates {
  let days: Days
  let times: TimesOfDay
  let namesHours: Bool

  func first(from moment: CivilDateTime) -> CivilDateTime? {
    guard let day = days.first(from: moment.date) else { return nil }
    if day > moment.date { return CivilDateTime(dayNumber: day.dayNumber, second: times.second(at: 0)) }
    if let second = times.first(from: moment.time.secondOfDay) {
      return CivilDateTime(dayNumber: day.dayNumber, second: second)
    }
    guard let later = day.adding(days: 1).flatMap(days.first(from:)) else { return nil }
    return CivilDateTime(dayNumber: later.dayNumber, second: times.second(at: 0))
  }

  func count(from start: CivilDateTime, before end: CivilDateTime) -> Int {
    guard start < end else { return 0 }
    return count(before: end, since: start.date) - count(before: start, since: start.date)
  }

  private func count(before end: CivilDateTime, since day: CivilDate) -> Int {
    let isOnLast = days.days(of: Month(containing: end.date)).contains(end.date.day)
    return days.count(from: day, before: end.date) * times.count
      + (isOnLast ? times.count(before: end.time.secondOfDay) : 0)
  }
}

extension CalendarPattern: Equatable, Hashable where Days: Hashable {}
