// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// A rule with its start, RFC 5545's `DTSTART`: these two say everything, so that nothing else need be kept to know the
/// hundredth date after a restart.
///
/// The start is the first date only if the rule says so; what the rule leaves open (the time of day, the weekday of
/// `FREQ=WEEKLY`) is the start's.
public struct Recurrence: Sendable {
  /// The rule.
  public let rule: RecurrenceRule
  /// Where it begins.
  public let start: CivilDateTime
  /// What is left out, RFC 5545's `EXDATE`; counted nevertheless where the rule has a count.
  public let exceptions: ExceptionDates
  private let pattern: any WallDates
  /// Where the rule has an end on the wall clock.
  private let last: CivilDateTime?

  /// Refused where it would have no dates at all.
  public init(
    _ rule: RecurrenceRule, from start: CivilDateTime, except exceptions: ExceptionDates = ExceptionDates()
  ) throws(TriggerError) {
    self.rule = rule
    self.start = start
    self.exceptions = exceptions
    pattern = rule.pattern(from: start)
    guard pattern.first(from: start) != nil else {
      throw TriggerError(
        .impossible, "the rule never comes, however long one waits: no day and time have all that it asks for",
        example: "FREQ=MONTHLY;BYMONTHDAY=-1")
    }
    last =
      switch rule.until {
      case .date(let date): CivilDateTime(dayNumber: date.dayNumber, second: 86_399)
      case .wall(let wall): wall
      case .instant, nil: nil
      }
  }

  /// The moment after which there is none, where the rule ends at a moment of UTC.
  public var end: Instant? {
    if case .instant(let instant) = rule.until { instant } else { nil }
  }

  /// Its date by its number, 1 being the first; those that are left out have one too.
  public func date(_ number: Int) -> CivilDateTime? {
    guard number <= rule.count ?? .max, let date = pattern.date(number, from: start), date <= last ?? date else {
      return nil
    }
    return date
  }

  /// The number of one of its dates, as ``date(_:)`` has it.
  public func number(of date: CivilDateTime) -> Int? {
    guard date >= start, pattern.contains(date), isWithin(date) else { return nil }
    return pattern.count(from: start, before: date) + 1
  }

  /// Whether a date of the pattern comes before the rule's end. Counting to it costs less than knowing the last date,
  /// which may be thousands of years away.
  private func isWithin(_ date: CivilDateTime) -> Bool {
    if let last { return date <= last }
    return rule.count.map { pattern.count(from: start, before: date) < $0 } ?? true
  }
}

extension Recurrence: WallDates {
  /// Hourly and more often it is of every hour, unless it has `BYHOUR`.
  public var namesHours: Bool { pattern.namesHours }

  /// The first that is not before `moment`, nor left out.
  public func first(from moment: CivilDateTime) -> CivilDateTime? {
    var moment = max(moment, start)
    while let date = pattern.first(from: moment), isWithin(date) {
      // A whole day that is left out is left at once.
      guard let end = exceptions.end(of: date) else { return date }
      moment = end
    }
    return nil
  }

  /// How many there are from `start` on and before `end`, without those left out.
  public func count(from start: CivilDateTime, before end: CivilDateTime) -> Int {
    let start = max(start, self.start)
    let end = last.flatMap { $0.adding(seconds: 1) }.map { min($0, end) } ?? end
    guard start < end else { return 0 }
    guard let most = rule.count else { return count(inPatternFrom: start, before: end) }
    let past = pattern.count(from: self.start, before: start)
    guard past < most else { return 0 }
    if past + pattern.count(from: start, before: end) <= most { return count(inPatternFrom: start, before: end) }
    // The first that is too much ends it.
    return pattern.date(most - past + 1, from: start).map { count(inPatternFrom: start, before: $0) } ?? 0
  }

  private func count(inPatternFrom start: CivilDateTime, before end: CivilDateTime) -> Int {
    pattern.count(from: start, before: end) - exceptions.count(in: pattern, from: start, before: end)
  }
}

extension RecurrenceRule {
  /// The rule's dates without its count and its end.
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

  /// Times are split: what says when a tick may begin, and what is in it.
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
