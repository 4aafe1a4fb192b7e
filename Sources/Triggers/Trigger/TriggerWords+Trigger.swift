// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
public import Zoneinfo

extension TriggerWords {
  /// Converts the words to a trigger; nil if they are empty, which means now.
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
    do throws(TriggerError) {
      try trigger.checkComing(self, in: try rules(trigger.zone), &search)
    } catch {
      throw error.code == .tooLong ? error.about(key) : error
    }
    return trigger
  }

  /// The key of the schedule.
  private var key: String {
    every != nil ? "every" : rule != nil ? "rule" : match != nil ? "match" : at != nil ? "at" : "in"
  }

  /// The same for words that were checked at their creation; all dates may have passed since.
  public func storedTrigger(
    made: Instant, rules: (String?) throws(TriggerError) -> ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) -> Trigger? {
    try checkTogether()
    var expression: CalendarExpression?
    if let every, !Self.isDuration(every) {
      expression = try about("every") { () throws(TriggerError) in try .parse(every, &search) }
    }
    let zone = zone ?? expression?.zone
    let zoneRules = try about("zone") { () throws(TriggerError) in try rules(zone) }
    let from = try bound("from", from, made, zoneRules, isEnd: false)
    let until = try bound("until", until, made, zoneRules, isEnd: true)
    guard let timing = try timing(made, zoneRules, from, expression, &search) else { return nil }
    let isCounted = if case .interval = timing { true } else { false }
    return try Trigger(
      timing, zone: zone, made: made, from: from, until: until,
      count: match != nil && repeats != true ? 1 : isCounted ? nil : count)
  }

  /// The same words in exact form, `tomorrow 7:30` as its date and time, and a rule with its start: for storing them,
  /// so that they mean the same on another day or in another zone.
  public func settled(
    made: Instant, rules: (String?) throws(TriggerError) -> ZoneRules
  ) throws(TriggerError) -> TriggerWords {
    try trigger(made: made, rules: rules).map(settled) ?? self
  }

  /// The same if the trigger is known.
  public func settled(as trigger: Trigger) -> TriggerWords {
    var words = self
    switch trigger.timing {
    case .moment(let moment):
      words.delay = nil
      words.at = moment.description
    case .wall(let wall): words.at = HumanTime(meaning: .wall(wall)).description
    case .rule(let recurrence): words.from = HumanTime(meaning: .wall(recurrence.start)).description
    case .interval(let interval): words.from = interval.first.description
    case .calendar, .match:
      words.from = (trigger.from ?? .instant(trigger.made.adding(seconds: 1))).description
    }
    words.until = trigger.until?.description
    return words
  }

  private func timing(
    _ made: Instant, _ rules: ZoneRules, _ from: Trigger.Bound?, _ expression: CalendarExpression?,
    _ search: inout DateSearch
  ) throws(TriggerError) -> Trigger.Timing? {
    if let delay {
      if repeats == true { return .interval(try interval("in", delay, made, rules, from)) }
      return .moment(made.adding(seconds: delay.roundedUp))
    }
    if let at {
      let time = try about("at") { () throws(TriggerError) in try HumanTime.parse(at, now: made, zone: rules) }
      return switch time.meaning {
      case .moment(let moment): .moment(try checked(moment, "at", at))
      case .elapsed(let duration): .moment(try checked(made.adding(seconds: duration.roundedUp), "at", at))
      case .wall(let wall): .wall(wall)
      case .day(let day): .wall(CivilDateTime(day, .midnight))
      }
    }
    if let expression { return .calendar(expression) }
    if let every {
      guard let duration = try? Duration.parse(every) else {
        throw TriggerError(.invalid, "\(every.inQuotes) is not a duration", key: "every", example: "15m")
      }
      return .interval(try interval("every", duration, made, rules, from))
    }
    if let rule {
      return .rule(
        try about("rule") { () throws(TriggerError) in
          try Recurrence(lines: rule, from: from?.wall(in: rules), made: rules.civil(at: made) ?? .first, &search)
        })
    }
    if let match {
      return .match(try about("match") { () throws(TriggerError) in try ComponentMatch(named: match, &search) })
    }
    return nil
  }

  private func interval(
    _ key: String, _ duration: Duration, _ made: Instant, _ rules: ZoneRules, _ from: Trigger.Bound?
  ) throws(TriggerError) -> Interval {
    let (seconds, fraction) = duration.components
    guard fraction == 0 || seconds == 0 else {
      throw TriggerError(.invalid, "a repetition needs whole seconds", key: key, example: "15m")
    }
    let first = from?.instant(in: rules) ?? made.adding(seconds: seconds)
    return try about(key) { () throws(TriggerError) in try Interval(first: first, every: seconds, count: count) }
  }

  private func bound(
    _ key: String, _ text: String?, _ made: Instant, _ rules: ZoneRules, isEnd: Bool
  ) throws(TriggerError) -> Trigger.Bound? {
    guard let text else { return nil }
    let time: HumanTime
    do throws(TriggerError) { time = try HumanTime.parse(text, now: made, zone: rules) } catch {
      // A bound may be a past date, in full; only the dates themselves must be to come.
      guard error.code == .inThePast else { throw error.about(key) }
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

extension TriggerWords {
  private func checkTogether() throws(TriggerError) {
    let given = [
      ("in", delay != nil), ("at", at != nil), ("every", every != nil), ("rule", rule != nil), ("match", match != nil),
    ]
    .filter(\.1).map(\.0)
    guard given.count <= 1 else {
      throw TriggerError(.invalid, "'\(given[0])' and '\(given[1])' cannot be combined", key: given[1])
    }
    let canRepeat = every != nil || rule != nil || ((delay != nil || match != nil) && repeats == true)
    if repeats == true && !canRepeat {
      throw TriggerError(.invalid, "applies only to 'in' and 'match'", key: "repeat", example: "every: 07:30")
    }
    if repeats == false && (every != nil || rule != nil) {
      throw TriggerError(.invalid, "'\(given[0])' always repeats", key: "repeat", example: "at: 07:30")
    }
    for (key, isGiven) in [("from", from != nil), ("until", until != nil), ("count", count != nil)]
    where isGiven && !canRepeat && match == nil {
      throw TriggerError(.invalid, "applies only to repetitions", key: key, example: "every: 15m")
    }
    if count != nil && match != nil && repeats != true {
      throw TriggerError(.invalid, "requires 'repeat: true' with 'match'", key: "count")
    }
  }
}

extension Trigger {
  fileprivate func checkComing(
    _ words: TriggerWords, in rules: ZoneRules, _ search: inout DateSearch
  ) throws(TriggerError) {
    guard try first(in: rules, &search) == nil else { return }
    if repeats || wallDates != nil {
      throw TriggerError(.inThePast, "every date of this schedule has passed", example: "Mon..Fri 07:30")
    }
    throw TriggerError(
      .inThePast, (words.at.map { "\($0.inQuotes)" } ?? "this time") + " has passed", key: "at",
      example: "tomorrow 07:30")
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
    lines: String, from start: CivilDateTime?, made: CivilDateTime, _ search: inout DateSearch
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
      rule, from: start ?? rule.start(after: made), except: ExceptionDates(moments: moments, days: days), &search)
  }
}

extension RecurrenceRule {
  /// The start of a rule that has none: now; but a rule with an hour starts at a full hour, and one with a minute at a
  /// full minute.
  fileprivate func start(after now: CivilDateTime) -> CivilDateTime {
    let namesNoSecond = frequency != .secondly && seconds.isEmpty
    let namesNoMinute = frequency != .minutely && minutes.isEmpty
    guard namesNoSecond, !(hours.isEmpty && minutes.isEmpty) else { return now }
    let step = namesNoMinute ? 3600 : 60
    let past = now.time.secondOfDay % step
    return past == 0 ? now : now.adding(seconds: step - past) ?? now
  }
}

extension Duration {
  /// Rounds up to whole seconds: never earlier than requested.
  var roundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
