// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// When a request is shown, and how a date that has come is handled. Pure: the same request, time and zone give the
/// same plan.
struct Plan {
  let request: NotificationRequest
  let trigger: Trigger?
  let rules: ZoneRules
  /// The moments in which a condition counts; nil for a schedule of dates, and for a stored one.
  private var window: ConditionWindow?

  /// How late a date may be and still count as on time, because the machine may be busy. It applies without a grace.
  static let punctual: Int64 = 60_000

  /// The result of a date that has come.
  struct Step {
    /// The handled date; the last of those that have come.
    var occurrence: PlannedDate
    /// The number of earlier dates that have come as well.
    var missed: Int64 = 0
    /// Whether it is shown, or the state that is recorded.
    var verdict: DeliveryRecord.State
    /// What it waits for next; nil if this was the last.
    var next: Wait?
    /// The number of dates that have passed, including this one.
    var fired: Int64
    /// The details of what happened, if it waited for a condition.
    var event: EventDetails = [:]
  }

  // MARK: Reading

  /// A plan for a new request, made at `made`; checks its schedule.
  init(
    _ request: NotificationRequest, made: Timestamp, zones: any ZoneSource, _ search: inout DateSearch
  ) throws(TriggerError) {
    self.request = request
    // A delay alone, the most frequent case, needs no rule.
    if request.schedule.isDelayAlone {
      trigger = nil
      rules = .utc
      return
    }
    if request.schedule.occasions != nil {
      trigger = nil
      rules = .utc
      window = try request.schedule.window(made: Instant(made), isNew: true, rules: zones.rules)
      return
    }
    trigger = try request.schedule.trigger(made: Instant(made), rules: zones.rules, &search)
    rules = try zones.rules(trigger?.zone)
  }

  /// A plan for a stored request, which was checked when it was made.
  init(
    stored request: NotificationRequest, made: Timestamp, zones: any ZoneSource, _ search: inout DateSearch
  ) throws(TriggerError) {
    self.request = request
    switch request.schedule.dates {
    case .now, .after, .at, .on:
      // Its only date is stored beside it.
      trigger = nil
      rules = .utc
    case .match, .repeating:
      trigger = try request.schedule.storedTrigger(made: Instant(made), rules: zones.rules, &search)
      rules = try zones.rules(trigger?.zone)
    }
  }

  // MARK: Beginning

  /// When the request starts.
  func start(made: Timestamp, _ search: inout DateSearch) throws(TriggerError) -> Start {
    if request.schedule.occasions != nil { return .armed }
    // A repetition that has a start begins there: the one that the user gave, or that of an earlier version of it.
    if let delay = request.schedule.delay, request.schedule.bounds.from == nil {
      return .at(PlannedDate(due: made + delay.milliseconds, isElapsed: true))
    }
    guard let trigger, let first = try trigger.first(in: rules, &search) else { return .now }
    var occurrence = PlannedDate(first)
    if case .interval = trigger.timing {
      occurrence.isElapsed = true
      // The first date may be this very moment, unless 'from' is given.
      if request.schedule.bounds.from == nil, let step { occurrence.due = made + step }
    }
    return .at(occurrence, passed: Int64((first.number ?? 1) - 1))
  }

  /// The request in a form that means the same when it is read on another day or in another zone.
  var settled: NotificationRequest {
    if let window {
      var settled = request
      settled.schedule = request.schedule.settled(as: window)
      return settled
    }
    guard let trigger else { return request }
    // The date of a delay is stored beside it.
    if case .after = request.schedule.dates { return request }
    var settled = request
    settled.schedule = request.schedule.settled(as: trigger)
    return settled
  }

  // MARK: Going on

  /// Handles the stored date, which has come.
  func step(
    _ date: PlannedDate, fired: Int64, now: Timestamp, _ search: inout DateSearch
  ) throws(TriggerError) -> Step {
    var step = Step(occurrence: date, verdict: .intent, next: nil, fired: fired + 1)
    if let trigger, repeats {
      if date.isElapsed { goOn(&step, every: self.step ?? 1000, now) } else { try goOn(&step, trigger, now, &search) }
    }
    step.verdict = request.schedule.verdict(late: now - step.occurrence.due)
    return step
  }

  /// By elapsed time: from date to date, whatever the wall clock shows.
  private func goOn(_ step: inout Step, every pause: Int64, _ now: Timestamp) {
    let end = trigger.map { Timestamp($0.latest(in: rules)) } ?? .distantFuture
    let left = request.schedule.repetition?.count.map { max(1, Int64($0) - step.fired + 1) } ?? .max
    var passed: Int64 = 0
    if request.schedule.missed != .each {
      passed = min(max(0, (min(now, end) - step.occurrence.due) / pause), left - 1)
    }
    step.occurrence.due += passed * pause
    step.missed = passed
    step.fired += passed
    let next = step.occurrence.due + pause
    if left - passed > 1 && next <= end {
      var date = step.occurrence
      date.due = next
      step.next = .date(date)
    }
  }

  /// By the wall clock.
  private func goOn(
    _ step: inout Step, _ trigger: Trigger, _ now: Timestamp, _ search: inout DateSearch
  ) throws(TriggerError) {
    let moment = Instant(now)
    let current = Instant(step.occurrence.due)
    var next = try trigger.next(after: current, in: rules, last: numbered(current, step.fired), &search)
    // The trigger counts from the beginning, in the present zone. Dates that came in another one count as well.
    lazy var uncounted = trigger.uncounted
    if request.schedule.missed != .each, let following = next, following.instant <= moment,
      var last = try uncounted.last(after: current, through: moment, in: rules, &search)
    {
      var passed = Int64(
        max(1, try uncounted.count(after: current, through: moment, in: rules, &search)))
      if let most = request.schedule.repetition?.count.map({ Int64($0) - step.fired }), passed > most {
        (last, passed) = (following, 1)
        while passed < most,
          let one = try trigger.next(
            after: last.instant, in: rules, last: numbered(last.instant, step.fired + passed), &search)
        {
          (last, passed) = (one, passed + 1)
        }
      }
      step.occurrence = PlannedDate(last)
      step.missed = passed
      step.fired += passed
      next = try trigger.next(after: last.instant, in: rules, last: numbered(last.instant, step.fired), &search)
    }
    step.next = next.map { .date(PlannedDate($0)) }
  }

  private func numbered(_ instant: Instant, _ fired: Int64) -> Trigger.Occurrence {
    Trigger.Occurrence(instant: instant, number: Int(fired))
  }

  /// Whether a date may follow the first one. One with `repeat` counts as repeating, even if its `count` is 1.
  var repeats: Bool { trigger?.repeats == true || request.schedule.repetition?.pattern.needsRepeat == true }

  /// The interval of a repetition by elapsed time, in milliseconds.
  private var step: Int64? {
    if let delay = request.schedule.delay { return max(1000, delay.milliseconds) }
    guard case .interval(let interval) = trigger?.timing else { return nil }
    return interval.seconds * 1000
  }

  // MARK: When clocks and zones change

  /// The date of the same wall time in the current zone.
  static func moved(_ date: PlannedDate, zones: any ZoneSource) throws(TriggerError) -> PlannedDate {
    guard let wall = date.wall.flatMap({ CivilDateTime($0) }) else { return date }
    let rules = try zones.rules(date.zone)
    var moved = date
    switch rules.instants(of: wall) {
    case .overlap(_, let second) where date.fold == 1: moved.due = Timestamp(second)
    default: moved.due = Timestamp(rules.resolve(wall))
    }
    return moved
  }

  /// The date after a moment that `isTaken` accepts, for a clock that went back.
  func next(
    after now: Timestamp, fired: Int64, _ search: inout DateSearch, isTaken: (PlannedDate) -> Bool
  ) throws(TriggerError) -> PlannedDate? {
    guard let trigger else { return nil }
    var moment = Instant(now)
    // Few dates were shown before the clock went back; after too many, the date stays as it was. A lookup in the store
    // costs as much as many steps.
    while true {
      try search.take(100)
      guard let next = try trigger.next(after: moment, in: rules, last: numbered(moment, fired), &search) else {
        return nil
      }
      let occurrence = PlannedDate(next)
      if !isTaken(occurrence) { return occurrence }
      moment = next.instant
    }
  }
}

extension PlannedDate {
  init(_ date: Trigger.Occurrence) {
    self.init(due: Timestamp(date.instant), wall: date.wall?.description, zone: date.zone, fold: date.fold)
  }
}

extension Duration {
  /// Rounded up.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}

extension Schedule {
  /// Whether a notification that is late by so many milliseconds is shown, skipped or too late.
  func verdict(late: Int64) -> DeliveryRecord.State {
    switch missed {
    case .deliver, .each: grace.map { late > $0.milliseconds } == true ? .expired : .intent
    case .skip: late > (grace?.milliseconds ?? Plan.punctual) ? .skipped : .intent
    }
  }
}
