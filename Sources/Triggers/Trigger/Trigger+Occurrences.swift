// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

extension Trigger {
  /// The maximum delay of a single date that still counts as now.
  private static let tolerance: Int64 = 60

  /// The first date; nil if all have passed. A rule may begin with the moment of its creation, which is its start; a
  /// single date that has just passed is still due.
  public func first(in rules: ZoneRules, _ search: inout DateSearch) throws(TriggerError) -> Occurrence? {
    let isSingle = wallDates == nil && !repeats
    return try next(after: made.adding(seconds: isSingle ? -Self.tolerance - 1 : -1), in: rules, &search)
  }

  /// The first date after a moment; nil if there is none. `rules` are those of the trigger's zone or, if it floats, of
  /// the machine's.
  ///
  /// If dates are counted, `last` (an earlier date, possibly long ago) avoids counting from the beginning, and keeps
  /// the number right if a floating trigger has changed its zone since.
  public func next(
    after moment: Instant, in rules: ZoneRules, last: Occurrence? = nil, _ search: inout DateSearch
  ) throws(TriggerError) -> Occurrence? {
    let moment = max(moment, earliest(in: rules).adding(seconds: -1))
    guard let found = try first(after: moment, in: rules, &search), found.instant <= latest(in: rules) else {
      return nil
    }
    guard let count else { return found }
    let (known, since) = last.flatMap { last in last.number.map { ($0, last.instant) } } ?? (0, .earliest)
    // This is the first date after the moment: only earlier dates need counting, usually none.
    let number = try known + total(after: since, through: moment, in: rules, &search) + 1
    return number <= count ? found.numbered(number) : nil
  }

  /// Counts the dates after one moment, up to and including another: the missed ones. It does not step through them.
  public func count(
    after start: Instant, through end: Instant, in rules: ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    let found = try total(after: start, through: end, in: rules, &search)
    guard let count, found > 0 else { return found }
    return try max(0, min(found, count - total(after: .earliest, through: start, in: rules, &search)))
  }

  /// The last date after one moment, up to and including another: the one that stands for all missed dates.
  public func last(
    after start: Instant, through end: Instant, in rules: ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Occurrence? {
    let count = try count(after: start, through: end, in: rules, &search)
    guard count > 0, start < end else { return nil }
    // Finds the moment by which all of them have passed by bisection: only the dates in between are counted.
    var (low, high) = (max(start, earliest(in: rules).adding(seconds: -1)).seconds, end.seconds)
    var countAtLow = 0
    while high - low > 1 {
      let middle = low + (high - low) / 2
      let number = try countAtLow + total(after: Instant(low), through: Instant(middle), in: rules, &search)
      if number >= count { high = middle } else { (low, countAtLow) = (middle, number) }
    }
    return try next(after: Instant(low), in: rules, &search)
  }

  /// The same without regard to the number of dates.
  private func total(
    after start: Instant, through end: Instant, in rules: ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    let start = max(start, earliest(in: rules).adding(seconds: -1))
    let end = min(end, latest(in: rules))
    guard start < end else { return 0 }
    if let wallDates {
      return try LocalDates(dates: wallDates, rules: rules).count(after: start, through: end, &search)
    }
    if case .interval(let interval) = timing { return interval.count(after: start, through: end) }
    return try first(after: start, in: rules, &search).map { $0.instant <= end } == true ? 1 : 0
  }

  private func first(
    after moment: Instant, in rules: ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Occurrence? {
    if let wallDates {
      return try LocalDates(dates: wallDates, rules: rules).first(after: moment, &search).map {
        Occurrence(instant: $0.instant, wall: $0.wall, zone: zone, fold: $0.fold, number: nil)
      }
    }
    switch timing {
    case .wall(let wall):
      let instant = rules.resolve(wall)
      return instant > moment ? Occurrence(instant: instant, wall: wall, zone: zone, fold: 0, number: nil) : nil
    case .interval(let interval):
      return interval.next(after: moment).map {
        Occurrence(instant: $0.instant, wall: nil, zone: nil, fold: 0, number: $0.number)
      }
    case .moment(let instant):
      return instant > moment ? Occurrence(instant: instant, wall: nil, zone: nil, fold: 0, number: nil) : nil
    case .calendar, .rule, .match: return nil
    }
  }

  /// The first moment that counts: for a repetition without `from`, the one after its creation.
  private func earliest(in rules: ZoneRules) -> Instant {
    switch (timing, from) {
    case (.moment, _), (.wall, _), (.interval, nil): .earliest
    case (_, .instant(let instant)): instant
    case (_, .wall(let wall)): rules.resolve(wall)
    case (.rule(let recurrence), nil): min(rules.resolve(recurrence.start), made.adding(seconds: 1))
    case (_, nil): made.adding(seconds: 1)
    }
  }

  /// The last moment that counts.
  public func latest(in rules: ZoneRules) -> Instant {
    let end: Instant =
      switch until {
      case .instant(let instant): instant
      case .wall(let wall): rules.resolve(wall)
      case nil: .latest
      }
    if case .rule(let recurrence) = timing, let own = recurrence.end { return min(end, own) }
    return end
  }
}

extension Trigger.Occurrence {
  fileprivate func numbered(_ number: Int) -> Trigger.Occurrence {
    Trigger.Occurrence(instant: instant, wall: wall, zone: zone, fold: fold, number: number)
  }
}

extension Instant {
  /// Before all dates, and far enough from the smallest number for arithmetic.
  static let earliest = Instant(-1 << 62)
}
