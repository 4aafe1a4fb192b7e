// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// A rule with its start, RFC 5545's `DTSTART`. These two define all dates, so the hundredth date after a restart needs
/// no other state.
///
/// The start is the first date only if it matches the rule. Parts that the rule leaves open (the time of day, the
/// weekday of `FREQ=WEEKLY`) come from the start.
public struct Recurrence: Sendable {
  /// The rule.
  public let rule: RecurrenceRule
  /// The start.
  public let start: CivilDateTime
  /// Excluded dates, RFC 5545's `EXDATE`; they count towards the rule's count.
  public let exceptions: ExceptionDates
  private let pattern: any WallDates
  /// The rule's end on the wall clock, if it has one.
  private let last: CivilDateTime?

  /// Throws if there would be no dates at all.
  public init(
    _ rule: RecurrenceRule, from start: CivilDateTime, except exceptions: ExceptionDates = ExceptionDates()
  ) throws(TriggerError) {
    var search = DateSearch()
    try self.init(rule, from: start, except: exceptions, &search)
  }

  init(
    _ rule: RecurrenceRule, from start: CivilDateTime, except exceptions: ExceptionDates, _ search: inout DateSearch
  ) throws(TriggerError) {
    self.rule = rule
    self.start = start
    self.exceptions = exceptions
    pattern = rule.pattern(from: start)
    guard try pattern.first(from: start, &search) != nil else {
      throw TriggerError(
        .impossible, "the rule never occurs: no date satisfies all its parts",
        example: "FREQ=MONTHLY;BYMONTHDAY=-1")
    }
    last =
      switch rule.until {
      case .date(let date): CivilDateTime(dayNumber: date.dayNumber, second: 86_399)
      case .wall(let wall): wall
      case .instant, nil: nil
      }
  }

  /// The last possible moment, if the rule ends at a moment of UTC.
  public var end: Instant? {
    if case .instant(let instant) = rule.until { instant } else { nil }
  }

  /// Returns the date with that number, 1 being the first; excluded dates have numbers, too.
  public func date(_ number: Int, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    guard number <= rule.count ?? .max, let date = try pattern.date(number, from: start, &search),
      date <= last ?? date
    else { return nil }
    return date
  }

  /// Returns the number of one of its dates; the reverse of ``date(_:_:)``.
  public func number(of date: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> Int? {
    guard date >= start, try pattern.contains(date, &search), try isWithin(date, &search) else { return nil }
    return try count(before: date, &search) + 1
  }

  /// Whether a date of the pattern is before the rule's end. Counting up to it is cheaper than finding the last date,
  /// which may be thousands of years away.
  private func isWithin(_ date: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> Bool {
    if let last { return date <= last }
    guard let count = rule.count else { return true }
    return try self.count(before: date, &search) < count
  }

  /// Counts the dates of the pattern before a moment, continuing from the search's last count.
  private func count(before moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> Int {
    let number: Int
    if let known = search.counted {
      number =
        known.moment <= moment
        ? try known.number + pattern.count(from: known.moment, before: moment, &search)
        : try known.number - pattern.count(from: moment, before: known.moment, &search)
    } else {
      number = try pattern.count(from: start, before: moment, &search)
    }
    search.counted = (moment, number)
    return number
  }
}

extension Recurrence: WallDates {
  /// An hourly or more frequent rule fires in every real hour, unless it has `BYHOUR`.
  public var namesHours: Bool { pattern.namesHours }

  /// Returns the first date that is not before `moment` and not excluded.
  public func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    var moment = max(moment, start)
    while let date = try pattern.first(from: moment, &search), try isWithin(date, &search) {
      // An excluded whole day is skipped in one step.
      guard let end = exceptions.end(of: date) else { return date }
      try search.take()
      moment = end
    }
    return nil
  }

  /// Counts the dates from `start` on and before `end`, without excluded ones.
  public func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    let start = max(start, self.start)
    let end = last.flatMap { $0.adding(seconds: 1) }.map { min($0, end) } ?? end
    guard start < end else { return 0 }
    guard let most = rule.count else { return try count(inPatternFrom: start, before: end, &search) }
    let past = try count(before: start, &search)
    guard past < most else { return 0 }
    if try count(before: end, &search) <= most { return try count(inPatternFrom: start, before: end, &search) }
    // The first date beyond the end stops the count.
    guard let first = try pattern.date(most - past + 1, from: start, &search) else { return 0 }
    return try count(inPatternFrom: start, before: first, &search)
  }

  private func count(
    inPatternFrom start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    let all = try pattern.count(from: start, before: end, &search)
    return all == 0 ? 0 : try all - exceptions.count(in: pattern, from: start, before: end, &search)
  }
}

extension RecurrenceRule {
  /// The dates of the rule without its count and its end.
  fileprivate func pattern(from start: CivilDateTime) -> any WallDates {
    let isOfDays = [.daily, .weekly, .monthly, .yearly].contains(frequency)
    func values(_ own: [Int], _ startsOwn: Int, isCounted: Bool, _ all: BitSet) -> BitSet {
      own.isEmpty ? (isCounted ? all : BitSet(startsOwn...startsOwn)) : BitSet(own)
    }
    let times = TimesOfDay(
      hours: values(hours, start.time.hour, isCounted: !isOfDays, TimesOfDay.allHours),
      minutes: values(
        minutes, start.time.minute, isCounted: frequency == .minutely || frequency == .secondly, TimesOfDay.allSixty),
      seconds: values(seconds, start.time.second, isCounted: frequency == .secondly, TimesOfDay.allSixty))
    let namesHours = isOfDays || !hours.isEmpty
    let isPositioned = !positions.isEmpty
    if isPositioned && isOfDays && frequency != .daily {
      let days = RuleDays(self, from: start.date, skipsPeriods: true)
      return PositionPattern(
        days: days, times: times, positions: positions, frequency: frequency, weekStart: weekStart)
    }
    if isPositioned || (!isOfDays && interval > 1) {
      return ticks(from: start, times, namesHours)
    }
    let days = RuleDays(self, from: start.date, skipsPeriods: true)
    return CalendarPattern(days: days, times: times, namesHours: namesHours)
  }

  /// Splits the times into those at which a tick may begin, and those within a tick.
  private func ticks(from start: CivilDateTime, _ times: TimesOfDay, _ namesHours: Bool) -> TickPattern {
    let zero = TimesOfDay.zero
    let (unit, starts, inner) =
      switch frequency {
      case .hourly:
        (
          3600, TimesOfDay(hours: times.hours, minutes: zero, seconds: zero),
          TimesOfDay(hours: zero, minutes: times.minutes, seconds: times.seconds)
        )
      case .minutely:
        (
          60, TimesOfDay(hours: times.hours, minutes: times.minutes, seconds: zero),
          TimesOfDay(hours: zero, minutes: zero, seconds: times.seconds)
        )
      case .secondly:
        (1, times, TimesOfDay(hours: zero, minutes: zero, seconds: zero))
      default:
        (86_400, TimesOfDay(hours: zero, minutes: zero, seconds: zero), times)
      }
    let count = inner.count
    let ranks =
      positions.isEmpty
      ? Array(0..<count) : positions.map { $0 > 0 ? $0 - 1 : count + $0 }.filter { 0..<count ~= $0 }.sortedUnique
    return TickPattern(
      unit: unit, interval: interval, origin: floor(start.clock, unit),
      days: RuleDays(self, from: start.date, skipsPeriods: false), starts: starts,
      offsets: ranks.map(inner.second(at:)),
      namesHours: namesHours)
  }
}
