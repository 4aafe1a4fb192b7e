// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
public import NotificationModel
public import Triggers
internal import Zoneinfo

/// Fires stored requests when they are due: one alarm for the nearest date, adapted to changes of clocks and zones, and
/// armed conditions for requests that wait for something other than a date.
///
/// A date that has come is stored, together with the next one, before ``onDue`` is called. The record of a condition,
/// which is met without notice, is synced in the next turn. All calls are on one thread, that of the time source.
public final class Scheduler {
  let store: Store
  let time: any TimeSource
  let zones: any ZoneSource
  let conditions: ArmedConditions
  /// When the conditions are looked at next, as elapsed time; nil if none waits for time to pass.
  var conditionDeadline: Int64?
  /// The requests whose conditions were armed or met last.
  var prepared = PreparedRequests()
  /// The request that is shown before the commit of its record, until that is made.
  var noted: Due?
  var busTurn = BusTurn()
  /// The deliveries that are shown again until they are answered.
  var nags = NagQueue()
  /// When the next of them is shown again, as elapsed time; nil if none is.
  var nagDeadline: Int64?
  /// Whether the record of a met condition is not synced yet.
  var isSyncDue = false
  /// Receives the requests that are due, in the order of their dates.
  public var onDue: ([Due]) -> Void = { _ in }
  /// Receives requests that came while the disk failed, once they are recorded.
  public var onStored: ([Due]) -> Void = { _ in }
  /// Receives recorded dates that are not shown: skipped, too late, or of an unreadable request.
  public var onEnd: ([DeliveryRecord]) -> Void = { _ in }
  /// Receives messages for the user; one line each.
  public var report: (String) -> Void = { _ in }
  /// Dates that have come and could not be stored: they are not shown again, and are stored when that works.
  var unwritten: [StoredRequest.Revision: Unwritten] = [:]
  var pause: Int64 = 1000
  var isFiringNext = false
  var isTryingLater = false
  var isRearming = false
  /// The date of the alarm that is set; nil if none is.
  var alarmDate: Timestamp?
  /// Set while no date fires because the clock is obviously wrong.
  var hold: Hold?
  var isMovingLater = false
  /// Whether the dates are planned from now on once all have moved with the clock.
  var plansAfterMoves = false
  /// The changes of dates that could not be written: they are tried again with the next ones.
  var unfinished: Unfinished = []
  /// When the dates could not be moved with the clock, as elapsed time; nil if they were.
  var movesFailedAt: Int64?
  var clock = ClockLedger(boot: "", offset: 0, before: .none, isTrusted: true)
  /// The progress of a recomputation after a zone change; nil if all dates are right.
  var replanned: StoredRequest.Revision?
  /// The latest time that the wall clock showed in the last run: what happened since then may have happened at any
  /// time in between.
  var downSince = Timestamp(milliseconds: 0)
  /// The latest time that the wall clock has shown.
  var seen = Timestamp(milliseconds: 0)

  /// Requests that are recorded already, and due in a moment.
  var ahead: [Due] = []
  /// Records of requests that the open transaction ended.
  var ended: [DeliveryRecord] = []
  /// How long before its date a request is recorded, because writing takes a while and would make it late.
  static let lead: Int64 = 20
  /// The number of dates read in one turn, so that other work can run in between.
  static let slice = 500
  /// How long dates are handled in one turn; with their commit, a turn takes some 30 ms.
  static let timePerTurn: Duration = .milliseconds(15)
  /// The number of search steps in one turn, without those of its last search; with it, a turn takes some 20 ms.
  public static let stepsPerTurn = DateSearch.mostSteps / 4
  /// The number of requests without a next date because the search for it was too long.
  public private(set) var setAside = 0
  /// The number of steps used to plan requests, so that callers with many requests can continue in another turn.
  public private(set) var stepsOfPlanning = 0

  /// Creates a scheduler for a store; no date fires before ``start()``.
  public init(
    store: Store, time: any TimeSource, zones: any ZoneSource, conditions: [any ConditionSource] = []
  ) {
    self.store = store
    self.time = time
    self.zones = zones
    self.conditions = ArmedConditions(conditions, time: time, zones: zones)
  }

  // MARK: Requests

  /// Finds out what ``plan(_:asker:event:)`` has to know of the condition of a request.
  public func prepare(_ condition: Condition) async { await conditions.prepare(condition) }

  /// Finds when a request starts; throws if that is never.
  ///
  /// - Parameter request: with its id.
  /// - Parameter asker: the rights it is made with; nil for the user.
  /// - Parameter event: what happened, if it is a postponed one that waited for a condition.
  public func plan(
    _ request: NotificationRequest, asker: String? = nil, event: [String: String] = [:]
  ) throws(TriggerError) -> NewRequest {
    let now = time.wall
    var search = DateSearch()
    // A window is read, and once more when what is stored is compared.
    defer { stepsOfPlanning += search.taken + (request.schedule.occasions?.during?.utf8.count ?? 0) }
    if let condition = request.schedule.occasions?.condition, !conditions.observes(condition) {
      throw .unknown(condition)
    }
    if let condition = request.schedule.occasions?.condition, let reason = conditions.refusal(of: condition) {
      throw .refused(reason)
    }
    for (index, action) in request.content.actions.enumerated() where !action.snoozeTimes.isEmpty {
      try check(action, "actions[\(index)]")
    }
    let plan = try Plan(request, made: now, zones: zones, &search)
    let start = try plan.start(made: now, &search)
    let settled = plan.settled
    let new = NewRequest(
      app: request.app.text, id: request.id?.text ?? "", payload: Payload.text(of: settled, event: event),
      start: start, wakes: request.schedule.wake, asker: asker)
    try check(new, settled, made: now, &search)
    return new
  }

  /// Refuses an action that postpones until a time that cannot be read.
  ///
  /// - Parameter key: its key, such as `actions[1]`.
  public func check(_ action: Action, _ key: String) throws(TriggerError) {
    try action.checkSnoozeTimes(key, now: Instant(time.wall)) { [zones] () throws(TriggerError) in try zones.rules(nil)
    }
  }

  /// A stored request must read back equal, or it would be lost when its date comes.
  private func check(
    _ new: NewRequest, _ settled: NotificationRequest, made: Timestamp, _ search: inout DateSearch
  ) throws(TriggerError) {
    // Skip the check for plain texts that are due now or after a delay of whole seconds: there may be thousands of
    // them, and a push, which keeps its payload as its `userInfo`, waits for it.
    let (schedule, content) = (settled.schedule, settled.content)
    let isPlainTime = schedule.isNow || (schedule.isDelayAlone && schedule.delay?.components.attoseconds == 0)
    let isPlain = content.userInfo.values.allSatisfy(\.isOfTexts) && content.hints.isEmpty && content.actions.isEmpty
    if isPlainTime && isPlain && content.expires == nil && schedule.grace == nil { return }
    guard let read = Payload.request(new.payload), read == settled else { throw TriggerError.unreadable }
    do throws(TriggerError) {
      _ = try Plan(stored: read, made: made, zones: zones, &search)
    } catch {
      throw error.code == .tooLong ? error : .unreadable
    }
  }

  /// The first dates of a request; stores nothing.
  public func preview(of request: NotificationRequest, count: Int) throws(TriggerError) -> Preview {
    try Preview(request, count: count, made: time.wall, zones: zones)
  }

  /// The coming dates of a stored request.
  package func preview(of stored: StoredRequest, count: Int) throws(TriggerError) -> Preview {
    try Preview(stored, count: count, zones: zones)
  }

  /// Call after a successful write: stores the dates that could not be stored before.
  public func couldWrite() {
    if !unwritten.isEmpty { fire() }
  }

  // MARK: Dates

  /// Starts: overdue requests fire now.
  public func start() throws(StoreError) {
    time.whenDue = { [weak self] in self?.fire() }
    time.whenSet = { [weak self] in self?.clockWasSet() }
    zones.whenChanged = { [weak self] in self?.replan() }
    conditions.start { [weak self] in self?.conditionsChanged() }
    store.whenDisarmed = { [weak self] in
      self?.conditions.forget($0)
      self?.prepared.forget($0)
    }
    store.whenOpened = { [weak self] in self?.prepared = PreparedRequests() }
    try startClock()
    try startNags()
    armConditions()
    if !isHeld { fire() }
  }

  /// Stops: no date fires any more.
  public func end() {
    // So that the next run knows how long there was none.
    if conditions.isWaiting, seen < time.wall { try? store.set(Self.seenSetting, to: "\(time.wall.milliseconds)") }
    time.whenDue = {}
    time.whenSet = {}
    zones.whenChanged = {}
    store.whenDisarmed = { _ in }
    store.whenOpened = {}
    conditions.end()
    endNags()
    setAlarm(at: nil, waking: nil)
    hold = Hold(number: -1)
    clock.moves = []
    unfinished = []
  }

  /// Delivers the recorded requests whose date has come; all of them if the clock was set.
  func release(all: Bool = false) {
    if ahead.isEmpty { return }
    let now = time.wall
    let come = all ? ahead : ahead.filter { $0.date <= now }
    ahead = all ? [] : ahead.filter { $0.date > now }
    if !come.isEmpty { onDue(come) }
  }

  /// Removes requests that are recorded and due in a moment. `isMeant` is called once for each of the app's.
  public func withdraw(_ app: String, _ isMeant: (String) -> Bool) -> [Due] {
    withdraw { $0.isIdentical(to: app) && isMeant($1) }
  }

  /// The same for several apps.
  public func withdraw(where isMeant: (_ app: String, _ id: String) -> Bool) -> [Due] {
    if ahead.isEmpty { return [] }
    var withdrawn: [Due] = []
    ahead.removeAll { due in
      guard isMeant(due.request.app.text, due.request.id?.text ?? "") else { return false }
      withdrawn.append(due)
      return true
    }
    return withdrawn
  }

  /// Whether requests are recorded and due in a moment.
  public var isAnnouncing: Bool { !ahead.isEmpty }

  /// The requests that are recorded and due in a moment.
  public func announced(_ app: String) -> [Due] { ahead.filter { $0.request.app.text.isIdentical(to: app) } }

  func fire() {
    isFiringNext = false
    alarmDate = nil
    release()
    let now = time.wall
    do throws(StoreError) {
      if hold == nil, !unfinished.isEmpty {
        // These are known by the dates that are stored now.
        try writeUnwritten()
        finishChanges()
      }
      if isHeld { return }
      try writeUnwritten()
      if try fireMet() { return fireNext() }
      if isSyncDue { store.syncLog() }
      isSyncDue = false
      if try isNothingToWrite(now) {
        pause = 1000
        return arm()
      }
      var due: [Due] = []
      var isAll = true
      var states: [StoredRequest.Revision] = []
      try store.withNeededTransaction { () throws(StoreError) in
        due = []
        ended = []
        states = try writeStates()
        let ripe = try store.nearestDue(through: now + Self.lead, limit: Self.slice)
        isAll = ripe.count < Self.slice && states.count < Self.slice
        try store.expectChanges(ripe.count)
        var steps = 0
        let end = EventLoop.Clock.monotonic.now + Self.timePerTurn
        for stored in ripe {
          if steps >= Self.stepsPerTurn || EventLoop.Clock.monotonic.now >= end {
            isAll = false
            break
          }
          var search = DateSearch()
          if let date = stored.date, let one = try take(stored, date, now, &search) { due.append(one) }
          steps += search.taken
        }
        if !ripe.isEmpty || !states.isEmpty { try note(seen: now) }
      }
      conditions.wereStored(states)
      pause = 1000
      tellEnded()
      // By the dates that they stand for: of a repetition that has missed some, the first was read, and the last is
      // shown.
      ahead += due.sorted { $0.date < $1.date }
      release()
      if isAll { arm() } else { fireNext() }
    } catch {
      if isHeld { tryLater(error) } else { fireUnwritten(now, error) }
    }
  }

  /// Whether no date comes now and no state has changed: then there is no commit, because each takes a sync.
  private func isNothingToWrite(_ now: Timestamp) throws(StoreError) -> Bool {
    guard conditions.isStored else { return false }
    guard let next = try store.nextDate() else { return true }
    return next > now + Self.lead
  }

  func fireNext() {
    if isFiringNext { return }
    isFiringNext = true
    time.callNext { [weak self] in self?.fire() }
  }

  /// Records that a request is due; returns it if it is to be shown.
  func take(
    _ stored: StoredRequest, _ date: PlannedDate, _ moment: Timestamp, _ search: inout DateSearch
  ) throws(StoreError) -> Due? {
    var date = date
    // A date in the near future counts as on time.
    let now = max(moment, date.due)
    guard let (request, event) = Payload.read(stored.payload) else {
      report("a stored request cannot be read and is skipped")
      let reason = "the stored request cannot be read"
      ended += try [store.recordIntent(date, of: stored, as: .failed, reason: reason, now: now)].compactMap { $0 }
      try store.setNext(nil, fired: stored.fired, of: stored.revision)
      return nil
    }
    // During a recomputation after a zone change, some dates are still those of the old zone.
    if replanned != nil, let moved = try? Plan.moved(date, zones: zones), moved != date {
      date = moved
      if moved.due > moment + Self.lead {
        try store.setNext(.date(moved), fired: stored.fired, of: stored.revision)
        return nil
      }
    }
    var step: Plan.Step
    do throws(TriggerError) {
      step = try Plan(stored: request, made: stored.created, zones: zones, &search)
        .step(date, fired: stored.fired, now: now, &search)
    } catch {
      // Its zone is missing, or the search is too long. This date is known; zone changes may make the next ones known.
      if error.code == .tooLong {
        setAside += 1
        report("a request is set aside without a next date: \(error)")
      } else {
        report("the next date of a request is unknown: \(error)")
      }
      step = Plan.Step(occurrence: date, verdict: .intent, next: nil, fired: stored.fired + 1, event: event)
      try store.setNext(.condition, fired: step.fired, of: stored.revision)
      return try record(step, of: stored, request, now)
    }
    step.event = event
    let due = try record(step, of: stored, request, now)
    try store.setNext(step.next, fired: step.fired, ofUnchanged: stored)
    return due
  }

  func record(
    _ step: Plan.Step, of stored: StoredRequest, _ request: NotificationRequest, _ now: Timestamp
  ) throws(StoreError) -> Due? {
    var record = try store.recordIntent(
      step.occurrence, of: stored, as: step.verdict, missed: step.missed, event: step.event, now: now)
    if record == nil, step.next == nil, stored.fired == 0 {
      // Another request with this id had the same date before: record this one without a wall time, as a date of its
      // own.
      var own = step.occurrence
      own.wall = nil
      record = try store.recordIntent(
        own, of: stored, as: step.verdict, missed: step.missed, event: step.event, now: now)
    }
    guard let record else { return nil }
    guard step.verdict == .intent else {
      ended.append(record)
      return nil
    }
    // A new date takes the place of the one before, which is not shown again any more.
    if request.content.nag != nil, !request.schedule.showsEachDate {
      try store.recordNoMore(
        app: stored.app, id: stored.id, except: record.number, because: .replaced, now: now)
    }
    return Due(request, as: record, missed: Int(step.missed), asker: stored.asker)
  }

  func tellEnded() {
    let told = ended
    ended = []
    if !told.isEmpty { onEnd(told) }
  }
}
