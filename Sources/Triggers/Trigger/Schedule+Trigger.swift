// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
public import Zoneinfo

extension Schedule {
  /// Finds the dates of the schedule; nil means now.
  ///
  /// `rules` returns the rules of a named zone, or of the machine's for nil. Throws if there would be no date at all.
  public func trigger(
    made: Instant, rules: (String?) throws(TriggerError) -> ZoneRules
  ) throws(TriggerError) -> Trigger? {
    var search = DateSearch()
    return try trigger(made: made, rules: rules, &search)
  }

  /// The same as part of a search.
  public func trigger(
    made: Instant, rules: (String?) throws(TriggerError) -> ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Trigger? {
    guard let trigger = try storedTrigger(made: made, rules: rules, &search) else { return nil }
    if let repetition, repetition.count != nil, case .rule(let text) = repetition.pattern,
      text.uppercased().contains("COUNT=")
    {
      throw TriggerError(
        .invalid, "the rule has its own limit, COUNT", key: "count", advice: "give only one of the two")
    }
    do throws(TriggerError) {
      try trigger.checkComing(self, in: try rules(trigger.zone), &search)
    } catch {
      throw error.code == .tooLong ? error.about(key) : error
    }
    return trigger
  }

  /// The key of the schedule.
  private var key: String {
    switch dates {
    case .now, .after: "in"
    case .at: "at"
    case .match: "match"
    case .repeating(let repetition):
      switch repetition.pattern {
      case .after: "in"
      case .every: "every"
      case .rule: "rule"
      case .match: "match"
      }
    case .on: "on"
    }
  }

  /// The same for a schedule that was checked at its creation; all dates may have passed since.
  public func storedTrigger(
    made: Instant, rules: (String?) throws(TriggerError) -> ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Trigger? {
    var expression: CalendarExpression?
    if case .every(let text) = repetition?.pattern, !Self.isDuration(text) {
      expression = try about("every") { () throws(TriggerError) in try .parse(text, &search) }
    }
    let zone = zone ?? expression?.zone
    let zoneRules = try about("zone") { () throws(TriggerError) in try rules(zone) }
    let from = try bound("from", bounds.from, made, zoneRules, isEnd: false)
    let until = try bound("until", bounds.until, made, zoneRules, isEnd: true)
    guard let timing = try timing(made, zoneRules, from, expression, &search) else { return nil }
    return try Trigger(timing, zone: zone, made: made, from: from, until: until, count: count(of: timing))
  }

  /// The number of dates that the trigger must count: an interval counts its own.
  private func count(of timing: Trigger.Timing) -> Int? {
    switch (dates, timing) {
    case (.match, _): 1
    case (_, .interval): nil
    default: repetition?.count
    }
  }

  /// The same schedule in exact form, `tomorrow 7:30` as its date and time, and a rule with its start: for storing it,
  /// so that it means the same on another day or in another zone.
  public func settled(
    made: Instant, rules: (String?) throws(TriggerError) -> ZoneRules
  ) throws(TriggerError) -> Schedule {
    try trigger(made: made, rules: rules).map(settled) ?? self
  }

  /// The same if the trigger is known.
  public func settled(as trigger: Trigger) -> Schedule {
    Schedule(trusted: settledDates(trigger), zone: zone, missed: missed, grace: grace, wake: wake)
  }

  private func settledDates(_ trigger: Trigger) -> Dates {
    let start: String
    switch trigger.timing {
    case .moment(let moment):
      // The offset that the user gave does not change the moment, but it is that of a later edit.
      let offset: UTCOffset? = if case .at(let text) = dates { HumanTime.offset(in: text) } else { nil }
      return .at(offset.flatMap(moment.rfc3339) ?? moment.description)
    case .wall(let wall): return .at(HumanTime(meaning: .wall(wall)).description)
    case .rule(let recurrence): start = HumanTime(meaning: .wall(recurrence.start)).description
    case .interval(let interval): start = interval.first.description
    case .calendar, .match: start = (trigger.from ?? .instant(trigger.made.adding(seconds: 1))).description
    }
    let bounds = Bounds(from: start, until: trigger.until?.description)
    return switch dates {
    case .repeating(let repetition): .repeating(Repetition(repetition.pattern, bounds, count: repetition.count))
    case .match(let components, _): .match(components, bounds)
    case .now, .after, .at, .on: dates
    }
  }

  private func timing(
    _ made: Instant, _ rules: ZoneRules, _ from: Trigger.Bound?, _ expression: CalendarExpression?,
    _ search: inout DateSearch
  ) throws(TriggerError) -> Trigger.Timing? {
    switch dates {
    case .now, .on: return nil
    case .after(let delay): return .moment(made.adding(seconds: delay.roundedUp))
    case .at(let text): return try single(text, made, rules)
    case .match(let components, _): return try timing(components, &search)
    case .repeating(let repetition):
      switch repetition.pattern {
      case .after(let pause): return .interval(try interval("in", pause, made, rules, from))
      case .every(let text):
        if let expression { return .calendar(expression) }
        guard let pause = try? Duration.parse(text) else {
          throw ExpressionAdvice(try Scanner(text, example: "15m").words()).improve(
            TriggerError(
              .invalid, "\(text.inQuotes) is not a duration", key: "every", example: "15m",
              advice: Int(text).flatMap { 1..<1000 ~= $0 ? "did you mean '\($0)m'?" : nil }))
        }
        return .interval(try interval("every", pause, made, rules, from))
      case .rule(let lines):
        return .rule(
          try about("rule") { () throws(TriggerError) in
            try Recurrence(lines: lines, from: from?.wall(in: rules), made: made, rules, &search)
          })
      case .match(let components): return try timing(components, &search)
      }
    }
  }

  private func timing(_ components: [String: Int], _ search: inout DateSearch) throws(TriggerError) -> Trigger.Timing {
    .match(try about("match") { () throws(TriggerError) in try ComponentMatch(named: components, &search) })
  }

  private func single(_ text: String, _ made: Instant, _ rules: ZoneRules) throws(TriggerError) -> Trigger.Timing {
    let time = try about("at") { () throws(TriggerError) in
      try HumanTime.refuseHours(text)
      return try HumanTime.parse(text, now: made, zone: rules)
    }
    return switch time.meaning {
    case .moment(let moment): .moment(try checked(moment, "at", text))
    case .elapsed(let duration): .moment(try checked(made.adding(seconds: duration.roundedUp), "at", text))
    case .wall(let wall): .wall(wall)
    case .day(let day): .wall(CivilDateTime(day, .midnight))
    }
  }

  private func interval(
    _ key: String, _ duration: Duration, _ made: Instant, _ rules: ZoneRules, _ from: Trigger.Bound?
  ) throws(TriggerError) -> Interval {
    let (seconds, fraction) = duration.components
    guard fraction == 0 || seconds == 0 else {
      throw TriggerError(.invalid, "a repetition needs whole seconds", key: key, example: "15m")
    }
    let first = from?.instant(in: rules) ?? made.adding(seconds: seconds)
    return try about(key) { () throws(TriggerError) in
      try Interval(first: first, every: seconds, count: repetition?.count)
    }
  }

  func bound(
    _ key: String, _ text: String?, _ made: Instant, _ rules: ZoneRules, isEnd: Bool
  ) throws(TriggerError) -> Trigger.Bound? {
    guard let text else { return nil }
    let time: HumanTime
    do throws(TriggerError) {
      try HumanTime.refuseHours(text)
      time = try HumanTime.parse(text, now: made, zone: rules, acceptsToday: true)
    } catch {
      // A bound may be a past date, in full; only the dates themselves must be to come.
      guard error.code == .inThePast else { throw error.about(key) }
      if isEnd { throw Self.hasPassed(text) }
      throw TriggerError(
        .invalid, error.problem + ", which must be written in full", key: key, column: error.column,
        example: "2026-11-21 07:30")
    }
    return switch time.meaning {
    case .moment(let moment): .instant(try checked(moment, key, text))
    case .elapsed(let duration): .instant(try checked(made.adding(seconds: duration.roundedUp), key, text))
    case .wall(let wall): .wall(wall)
    case .day(let day):
      .wall((isEnd ? CivilDateTime(dayNumber: day.dayNumber, second: 86_399) : nil) ?? CivilDateTime(day, .midnight))
    }
  }

  /// The error for an end that has passed.
  static func hasPassed(_ until: String) -> TriggerError {
    TriggerError(.inThePast, "\(until.inQuotes) has passed", key: "until", advice: "give a later time, or none")
  }

  /// Moments are stored as dates in UTC, whose supported years differ at both ends.
  private func checked(_ moment: Instant, _ key: String, _ text: String) throws(TriggerError) -> Instant {
    guard moment.civil(at: .utc) != nil else {
      throw TriggerError(
        .invalid, "\(text.inQuotes) is not within the years 1 to 9999 of UTC", key: key, example: "9999-12-31")
    }
    return moment
  }

  /// Whether the text begins with a digit and has only characters of a duration.
  private static func isDuration(_ text: String) -> Bool {
    let text = text.drop { $0 == " " }
    return text.first?.isNumber == true && !text.contains { ":-*~.,/".contains($0) }
  }

  private func about<Value>(
    _ key: String, _ body: () throws(TriggerError) -> Value
  ) throws(TriggerError) -> Value {
    do throws(TriggerError) { return try body() } catch { throw error.key.isEmpty ? error.about(key) : error }
  }
}

extension Trigger {
  fileprivate func checkComing(
    _ schedule: Schedule, in rules: ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) {
    guard try first(in: rules, &search) == nil else { return }
    if let until, let text = schedule.bounds.until {
      if until.instant(in: rules) < made { throw Schedule.hasPassed(text) }
      throw TriggerError(
        .inThePast, "no date of this schedule is before \(text.inQuotes)", key: "until",
        advice: "give a later time, or none")
    }
    if repeats || wallDates != nil {
      throw TriggerError(.inThePast, "every date of this schedule has passed", example: "Mon..Fri 07:30")
    }
    let time = if case .at(let text) = schedule.dates { text.inQuotes } else { "this time" }
    throw TriggerError(.inThePast, "\(time) has passed", key: "at", example: "tomorrow 07:30")
  }
}

extension Trigger.Bound: CustomStringConvertible {
  /// The text that can be parsed again.
  public var description: String {
    switch self {
    case .instant(let instant): instant.description
    case .wall(let wall): HumanTime(meaning: .wall(wall)).description
    }
  }

  func instant(in rules: ZoneRules) -> Instant {
    switch self {
    case .instant(let instant): instant
    case .wall(let wall): rules.resolve(wall)
    }
  }

  func wall(in rules: ZoneRules) -> CivilDateTime? {
    switch self {
    case .instant(let instant): rules.civil(at: instant)
    case .wall(let wall): wall
    }
  }
}

extension Recurrence {
  /// Parses a rule, and lines with exceptions after it; without a start it begins at its creation.
  fileprivate init(
    lines: String, from start: CivilDateTime?, made: Instant, _ rules: ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) {
    let lines = lines.split(whereSeparator: \.isNewline).map(String.init)
    var (moments, days) = (Set<CivilDateTime>(), Set<CivilDate>())
    for line in lines.dropFirst() {
      let exceptions = try ExceptionDates.parse(line)
      moments.formUnion(exceptions.moments)
      days.formUnion(exceptions.days)
    }
    let rule = try RecurrenceRule.parse(lines.first ?? "")
    try self.init(
      rule, from: start ?? rule.start(after: made, rules), except: ExceptionDates(moments: moments, days: days),
      &search)
  }
}

extension RecurrenceRule {
  /// The start of a rule that has none: now; but a rule with an hour starts at a full hour, and one with a minute at a
  /// full minute.
  ///
  /// After the clocks were set forward, times that they skipped are still to come: a rule with an hour includes these.
  fileprivate func start(after made: Instant, _ rules: ZoneRules) -> CivilDateTime {
    let now = (hours.isEmpty ? nil : rules.skippedTime(at: made)) ?? rules.civil(at: made) ?? .first
    let namesNoSecond = frequency != .secondly && seconds.isEmpty
    let namesNoMinute = frequency != .minutely && minutes.isEmpty
    guard namesNoSecond, !(hours.isEmpty && minutes.isEmpty) else { return now }
    let step = namesNoMinute ? 3600 : 60
    let past = now.time.secondOfDay % step
    return past == 0 ? now : now.adding(seconds: step - past) ?? now
  }
}

extension ZoneRules {
  /// The skipped time that comes at this moment, with the offset before the gap; nil if none does.
  fileprivate func skippedTime(at instant: Instant) -> CivilDateTime? {
    // No gap is longer than a day.
    var last = instant.adding(seconds: -86_401)
    while let change = nextTransition(after: last), change.instant <= instant {
      let length = change.after.offset.seconds - change.before.offset.seconds
      if instant < change.instant.adding(seconds: Int64(length)) { return instant.civil(at: change.before.offset) }
      last = change.instant
    }
    return nil
  }
}

extension Duration {
  /// Rounds up to whole seconds: never earlier than requested.
  var roundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
