// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
public import Triggers
internal import Zoneinfo

/// Knows when what is stored is due: one alarm for the nearest date, whatever is done to clocks and zones.
///
/// A date that has come is written down, together with the one after it, before ``onDue`` hears of it. It is used on one
/// thread, that of its time.
public final class Scheduler {
  let store: Store
  let time: any TimeSource
  let zones: any ZoneSource
  /// What has come, in the order of its dates.
  public var onDue: ([Due]) -> Void = { _ in }
  /// Dates that have come and are not shown, once that is written down: skipped, too late, or of what cannot be read.
  public var onEnd: ([DeliveryRecord]) -> Void = { _ in }
  /// Hears of what a person should know; one line.
  public var report: (String) -> Void = { _ in }
  /// Dates that have come and could not be written down: they are not shown again, and written once that works.
  private var unwritten: [Int64: Unwritten] = [:]
  private var pause: Int64 = 1000
  private var isFiringNext = false
  private var isTryingLater = false
  private var isRearming = false
  /// Since when nothing fires because the clock is not to be believed.
  var hold: Hold?
  var clock = ClockLedger(boot: "", offset: 0, before: 0, isTrusted: true)
  /// Where the walk through dates whose zone changed stands; nil: all are right.
  var replanned: Int64?
  /// The latest that the clock on the wall is known to have shown.
  var seen: Int64 = 0

  private struct Unwritten {
    let date: Occurrence
    let step: Plan.Step?
  }

  /// What is written down already, and comes in a moment.
  private var ahead: [Due] = []
  /// What the transaction that is open ended.
  private var ended: [DeliveryRecord] = []
  /// So long before its date it is written down: to write takes a while, and to be late by it would be late.
  static let lead: Int64 = 20
  /// How many dates are dealt with in one turn: the rest of the program gets its turn between.
  static let slice = 500
  /// How many steps of date searches are taken in one turn, but for those of the last search in it: with it some 20 ms.
  public static let stepsPerTurn = DateSearch.mostSteps / 4
  /// How many requests wait for no date any more, because the search for their next one was too long.
  public private(set) var setAside = 0
  /// How many steps were taken to plan requests: a caller with many requests leaves some for another turn.
  public private(set) var stepsOfPlanning = 0

  /// On that store; nothing fires before ``start()``.
  public init(store: Store, time: any TimeSource, zones: any ZoneSource) {
    self.store = store
    self.time = time
    self.zones = zones
  }

  // MARK: Requests

  /// A request that was checked, and when it is due.
  public struct Planned {
    /// To be stored: its words mean the same later, and elsewhere.
    public var stored: NewRequest
    /// Its first date; nil: at once.
    public let first: Occurrence?
  }

  /// Finds out when a request is due, which may be never: that is an error.
  ///
  /// - Parameter request: with its id.
  /// - Parameter asker: whose rights make it; nil: the user's.
  public func plan(_ request: NotificationRequest, asker: String? = nil) throws(TriggerError) -> Planned {
    let now = time.wall
    var search = DateSearch()
    defer { stepsOfPlanning += search.taken }
    let plan = try Plan(request, made: now, zones: zones, &search)
    let first = try plan.first(made: now, &search)
    let settled = plan.settled
    let stored = NewRequest(
      app: request.app, id: request.id ?? "", payload: Payload.text(of: settled), next: first, wakes: request.wake,
      asker: asker, isDue: first == nil)
    try check(stored, settled, made: now, &search)
    return Planned(stored: stored, first: first)
  }

  /// What is stored must read back equal: else the request would be lost when its date comes.
  private func check(
    _ stored: NewRequest, _ settled: NotificationRequest, made: Int64, _ search: inout DateSearch
  ) throws(TriggerError) {
    // Plain texts that are shown now, or after a delay of whole seconds, are what is asked for most, by the thousand.
    let when = settled.when
    let isPlainTime = when.isEmpty || (when.isDelayAlone && when.delay?.components.attoseconds == 0)
    let isPlain = settled.userInfo.isEmpty && settled.hints.isEmpty && settled.actions.isEmpty
    if isPlainTime && isPlain && settled.expires == nil && settled.grace == nil { return }
    guard let read = Payload.request(stored.payload), read == settled else { throw TriggerError.unreadable }
    do throws(TriggerError) {
      _ = try Plan(stored: read, made: made, zones: zones, &search)
    } catch {
      throw error.code == .tooLong ? error : .unreadable
    }
  }

  /// The first dates of a request; nothing is stored.
  public func preview(of request: NotificationRequest, count: Int) throws(TriggerError) -> Preview {
    try Preview(request, count: count, made: time.wall, zones: zones)
  }

  /// Something was stored, or taken back: the alarm is set when the turn is over, once for all of it.
  public func rearm() {
    if isRearming { return }
    isRearming = true
    time.callNext { [weak self] in
      guard let self else { return }
      isRearming = false
      // What is on its way rearms at its end.
      if hold == nil && !isFiringNext { arm() }
    }
  }

  /// Something could be written: what could not be before is, too.
  public func couldWrite() {
    if !unwritten.isEmpty { fire() }
  }

  // MARK: Dates

  /// Begins: what is overdue fires now.
  public func start() throws(StoreError) {
    time.whenDue = { [weak self] in self?.fire() }
    time.whenSet = { [weak self] in self?.clockWasSet() }
    zones.whenChanged = { [weak self] in self?.replan() }
    try startClock()
    if hold == nil { fire() }
  }

  /// The last of it: nothing fires any more.
  public func end() {
    time.whenDue = {}
    time.whenSet = {}
    zones.whenChanged = {}
    time.setAlarm(at: nil, waking: nil)
    hold = Hold(number: -1)
  }

  /// Hands over what has come of that which is written down; all of it where the clock is not what it was.
  func release(all: Bool = false) {
    if ahead.isEmpty { return }
    let now = time.wall
    let come = all ? ahead : ahead.filter { $0.date <= now }
    ahead = all ? [] : ahead.filter { $0.date > now }
    if !come.isEmpty { onDue(come) }
  }

  /// Takes back what is written down and would come in a moment. `isMeant` is called once for each of the app's.
  public func withdraw(_ app: String, _ isMeant: (String) -> Bool) -> [Due] {
    withdraw { $0.isIdentical(to: app) && isMeant($1) }
  }

  /// The same for several apps.
  public func withdraw(where isMeant: (_ app: String, _ id: String) -> Bool) -> [Due] {
    if ahead.isEmpty { return [] }
    var withdrawn: [Due] = []
    ahead.removeAll { due in
      guard isMeant(due.request.app, due.request.id ?? "") else { return false }
      withdrawn.append(due)
      return true
    }
    return withdrawn
  }

  /// Whether anything is written down and comes in a moment.
  public var isAnnouncing: Bool { !ahead.isEmpty }

  /// What is written down and comes in a moment.
  public func announced(_ app: String) -> [Due] { ahead.filter { $0.request.app.isIdentical(to: app) } }

  func fire() {
    isFiringNext = false
    release()
    guard hold == nil else { return }
    let now = time.wall
    do throws(StoreError) {
      try writeUnwritten()
      var due: [Due] = []
      var isAll = true
      try store.withNeededTransaction { () throws(StoreError) in
        due = []
        ended = []
        let ripe = try store.nearestDue(through: now + Self.lead, limit: Self.slice)
        isAll = ripe.count < Self.slice
        var steps = 0
        for stored in ripe {
          if steps >= Self.stepsPerTurn {
            isAll = false
            break
          }
          var search = DateSearch()
          if let one = try take(stored, now, &search) { due.append(one) }
          steps += search.taken
        }
        if !ripe.isEmpty { try note(seen: now) }
      }
      pause = 1000
      tellEnded()
      ahead += due
      release()
      if isAll { arm() } else { fireNext() }
    } catch {
      fireUnwritten(now, error)
    }
  }

  private func fireNext() {
    isFiringNext = true
    time.callNext { [weak self] in self?.fire() }
  }

  private func arm() {
    do throws(StoreError) {
      let next = try store.nextDate().map { $0 - Self.lead }
      time.setAlarm(at: [next, ahead.map(\.date).min()].compactMap { $0 }.min(), waking: try store.nearestWake())
    } catch {
      tryLater(error)
    }
  }

  /// Writes down what becomes of a stored date; returns what is to be shown.
  private func take(
    _ stored: StoredRequest, _ moment: Int64, _ search: inout DateSearch
  ) throws(StoreError) -> Due? {
    // What comes in a moment comes on time.
    let now = max(moment, stored.next?.due ?? moment)
    guard var date = stored.next, let request = Payload.request(stored) else {
      report("a stored request cannot be read; it is left alone")
      if let date = stored.next {
        let reason = "its request cannot be read"
        ended += try [store.recordIntent(date, of: stored, as: .failed, reason: reason, now: now)].compactMap { $0 }
      }
      try store.setNext(nil, isFinished: true, fired: stored.fired, of: stored.revision)
      return nil
    }
    // While a walk after a change of zone goes on, some dates are still those of the old one.
    if replanned != nil, let moved = try? Plan.moved(date, zones: zones), moved != date {
      date = moved
      if moved.due > moment + Self.lead {
        try store.setNext(moved, fired: stored.fired, of: stored.revision)
        return nil
      }
    }
    let step: Plan.Step
    do throws(TriggerError) {
      step = try Plan(stored: request, made: stored.created, zones: zones, &search)
        .step(date, fired: stored.fired, now: now, &search)
    } catch {
      // Its zone is gone, or the search is too long. This date is known; the next ones may be when zones change.
      if error.code == .tooLong {
        setAside += 1
        report("a request is set aside after its date has come: \(error)")
      } else {
        report("the next date of a request is not known: \(error)")
      }
      step = Plan.Step(occurrence: date, verdict: .intent, next: nil, fired: stored.fired + 1)
      try store.setNext(nil, fired: step.fired, of: stored.revision)
      return try record(step, of: stored, request, now)
    }
    let due = try record(step, of: stored, request, now)
    try store.setNext(step.next, isFinished: step.next == nil, fired: step.fired, ofUnchanged: stored)
    return due
  }

  private func record(
    _ step: Plan.Step, of stored: StoredRequest, _ request: NotificationRequest, _ now: Int64
  ) throws(StoreError) -> Due? {
    var record = try store.recordIntent(
      step.occurrence, of: stored, as: step.verdict, missed: step.missed, now: now)
    if record == nil, step.next == nil, stored.fired == 0 {
      // It was asked for by itself, after another request of that name had the same date: it is not the same.
      var own = step.occurrence
      own.wall = nil
      record = try store.recordIntent(own, of: stored, as: step.verdict, missed: step.missed, now: now)
    }
    guard let record else { return nil }
    guard step.verdict == .intent else {
      ended.append(record)
      return nil
    }
    return Due(request, as: record, missed: Int(step.missed), asker: stored.asker)
  }

  private func tellEnded() {
    let told = ended
    ended = []
    if !told.isEmpty { onEnd(told) }
  }

  // MARK: When the disk fails

  /// Shows what is due although it cannot be written down.
  private func fireUnwritten(_ now: Int64, _ error: StoreError) {
    var due: [Due] = []
    var steps = 0
    // What repeats goes on from the date that could not be written down.
    for (revision, shown) in unwritten where steps < Self.stepsPerTurn {
      guard let step = shown.step, let next = step.next, next.due <= now,
        let stored = try? store.request(revision: revision)
      else { continue }
      if let one = show(next, of: stored, fired: step.fired, first: shown.date, now, &steps) { due.append(one) }
    }
    var place = Store.Place.start
    while let ripe = try? store.nearestDue(after: place, through: now, limit: Self.slice), let last = ripe.last {
      for stored in ripe where unwritten[stored.revision]?.date != stored.next && steps < Self.stepsPerTurn {
        guard let date = stored.next else { continue }
        if let one = show(date, of: stored, fired: stored.fired, first: date, now, &steps) { due.append(one) }
      }
      guard ripe.count == Self.slice, steps < Self.stepsPerTurn, let next = Store.Place(behind: last) else { break }
      place = next
    }
    due.sort { $0.date < $1.date }
    if !due.isEmpty { onDue(due) }
    tryLater(error)
    if steps >= Self.stepsPerTurn { return fireNext() }
    // No date is put off because an earlier one could not be written down.
    let stored = (try? store.nearestDue(after: Store.Place(due: now + 1), limit: 1))?.first?.next?.due
    let next = unwritten.values.compactMap { $0.step?.next?.due } + (stored.map { [$0] } ?? [])
    time.setAlarm(at: next.min(), waking: (try? store.nearestWake()) ?? nil)
  }

  private func show(
    _ date: Occurrence, of stored: StoredRequest, fired: Int64, first: Occurrence, _ now: Int64, _ steps: inout Int
  ) -> Due? {
    guard let request = Payload.request(stored) else { return nil }
    var search = DateSearch()
    let step = try? Plan(stored: request, made: stored.created, zones: zones, &search)
      .step(date, fired: fired, now: now, &search)
    steps += search.taken
    unwritten[stored.revision] = Unwritten(date: first, step: step)
    if let step, step.verdict != .intent { return nil }
    return Due(
      request, delivery: nil, date: step?.occurrence.due ?? date.due, missed: Int(step?.missed ?? 0),
      asker: stored.asker)
  }

  private func writeUnwritten() throws(StoreError) {
    guard !unwritten.isEmpty else { return }
    let now = time.wall
    let waiting = unwritten
    try store.withNeededTransaction { () throws(StoreError) in
      ended = []
      for (revision, shown) in waiting {
        guard let stored = try store.request(revision: revision), stored.state == .pending, stored.next == shown.date
        else { continue }
        let step = shown.step ?? Plan.Step(occurrence: shown.date, verdict: .intent, next: nil, fired: stored.fired + 1)
        let isShown = step.verdict == .intent
        let record = try store.recordIntent(
          step.occurrence, of: stored, as: isShown ? .closed : step.verdict, missed: step.missed, now: now)
        if let record, !isShown { ended.append(record) }
        try store.setNext(
          step.next, isFinished: step.next == nil && shown.step != nil, fired: step.fired, of: revision)
      }
    }
    unwritten = [:]
    tellEnded()
  }

  private func tryLater(_ error: StoreError) {
    report("the store fails, and is tried again: \(error.message)")
    if error.code == .degraded || error.code == .closed { try? store.tryAgain() }
    if isTryingLater { return }
    isTryingLater = true
    time.call(after: pause) { [weak self] in
      self?.isTryingLater = false
      self?.fire()
    }
    pause = min(pause * 2, 60_000)
  }
}
