// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// Changes of dates when the wall clock is set, and when zones change.
extension Scheduler {
  /// A pause in which no date fires.
  struct Hold {
    /// Identifies this hold, so that the end of an earlier one has no effect.
    let number: Int64
  }

  private static let day: Int64 = 86_400_000
  /// How long the scheduler waits for a clock that is obviously wrong.
  private static let longestHold: Int64 = 300_000
  /// Smaller changes come from clock synchronization, and are only noted.
  static let smallest: Int64 = 500
  /// Still smaller ones are not even noted.
  private static let noticed: Int64 = 20

  static let clockSetting = "clock"
  static let seenSetting = "clock.seen"
  private static let zonesSetting = "zones"

  /// At the start: handles changes of clock and zones since the last run.
  func startClock() throws(StoreError) {
    let now = time.wall.milliseconds - time.elapsed
    let known = try store.setting(Self.clockSetting).flatMap(ClockLedger.init)
    if let known, known.boot == time.boot {
      clock = known
      if abs(now - clock.offset) >= Self.noticed { moveElapsed(to: now) }
    } else {
      clock = ClockLedger(
        boot: time.boot, offset: now, before: store.lastRevision, isTrusted: time.isSynchronised)
      // What has waited for elapsed time keeps its date on the wall clock, which a small change has not moved yet.
      clock.moves = known.map { $0.moves + $0.drifts } ?? []
      keepLedger()
    }
    goOnMovingLater()
    seen = Timestamp(milliseconds: try store.setting(Self.seenSetting).flatMap { Int64($0) } ?? 0)
    downSince = seen
    if try store.setting(Self.zonesSetting) != zones.fingerprint { replan() }
    if time.wall < seen - Self.day { clockWentBack() }
  }

  /// Written at most once a minute, and together with another change.
  func note(seen now: Timestamp) throws(StoreError) {
    guard now >= seen + 60_000 else { return }
    try store.set(Self.seenSetting, to: "\(now.milliseconds)")
    seen = now
  }

  func clockWasSet() {
    release(all: true)
    zones.check()
    conditions.clockChanged()
    let offset = time.wall.milliseconds - time.elapsed
    let change = offset - clock.offset
    if abs(change) >= Self.noticed {
      moveElapsed(to: offset)
    }
    if hold != nil {
      // The clock was set, which this hold waits for.
      if time.wall >= seen - Self.day || time.isSynchronised { endHold() }
      return
    }
    if change <= -Self.day { clockWentBack() } else { fire() }
  }

  // MARK: A clock that went back

  /// The clock is behind by more than a day, which is more than a correction: it is wrong now, or was wrong before.
  private func clockWentBack() {
    if time.isSynchronised { return planFromNow() }
    let number = (hold?.number ?? 0) + 1
    hold = Hold(number: number)
    setAlarm(at: nil, waking: nil)
    report("the clock is more than a day behind the last time seen; waiting for it to be set")
    time.call(after: Self.longestHold) { [weak self] in
      if self?.hold?.number == number { self?.endHold() }
    }
  }

  private func endHold() {
    hold = nil
    if time.wall < seen - Self.day { planFromNow() } else { fire() }
  }

  /// The clock was ahead, and so the next dates may be too late: search again from now on. Dates that were shown are
  /// recorded, and not shown again.
  func planFromNow() {
    if !clock.moves.isEmpty {
      plansAfterMoves = true
      return
    }
    let now = time.wall
    seen = now
    try? store.set(Self.seenSetting, to: "\(now.milliseconds)")
    walk(behind: .none) { stored, wait, search throws(TriggerError) in
      guard case .date(let date) = wait, let request = Payload.request(stored) else { return wait }
      let plan = try Plan(stored: request, made: stored.created, zones: self.zones, &search)
      guard plan.repeats else { return wait }
      let next = try plan.next(after: now, fired: stored.fired, &search) { occurrence in
        (try? self.store.hasDelivery(occurrence, of: stored)) == true
      }
      guard let next, next.due < date.due else { return wait }
      return .date(next)
    } then: { isDone in
      if !isDone { self.unfinished.insert(.plan) }
      self.fire()
    }
  }

  // MARK: Zones that changed

  /// The machine's zone or the zone rules have changed: recomputes every date.
  func replan() {
    conditions.clockChanged()
    // Restart a recomputation that is in progress.
    let isWalking = replanned != nil
    replanned = StoredRequest.Revision.none
    if isWalking { return }
    // Some dates are of no zone that is stored: a center that ends before the last of them begins anew, also in the
    // zone from before.
    try? store.set(Self.zonesSetting, to: nil)
    goOnReplanning()
  }

  func goOnReplanning() {
    guard let place = replanned else { return }
    let fingerprint = zones.fingerprint
    replanned = place
    walk(behind: place) { stored, wait, search throws(TriggerError) in
      switch wait {
      case .date(let date): .date(try Plan.moved(date, zones: self.zones))
      case .condition: try self.found(stored, &search).map { .date($0) } ?? wait
      }
    } then: { isDone in
      // Until then, `take` checks each date.
      guard isDone else { return _ = self.unfinished.insert(.zones) }
      // It changed again in the meantime.
      if self.zones.fingerprint != fingerprint { return self.goOnReplanning() }
      self.replanned = nil
      try? self.store.set(Self.zonesSetting, to: fingerprint)
      self.fire()
    }
  }

  /// Finds the date of a request whose next date was unknown, because its zone was missing or the search too long.
  private func found(
    _ stored: StoredRequest, _ search: inout DateSearch
  ) throws(TriggerError) -> PlannedDate? {
    guard let request = Payload.request(stored), request.schedule.occasions == nil else { return nil }
    return try Plan(stored: request, made: stored.created, zones: zones, &search)
      .next(after: time.wall, fired: stored.fired, &search) { _ in false }
  }

  /// Recomputes all pending requests, one slice in each turn.
  private func walk(
    behind revision: StoredRequest.Revision,
    _ next: @escaping (StoredRequest, Wait, inout DateSearch) throws(TriggerError) -> Wait,
    then done: @escaping (_ isDone: Bool) -> Void
  ) {
    do throws(StoreError) {
      var complaint: TriggerError?
      var steps = 0
      let end = EventLoop.Clock.monotonic.now + Self.timePerTurn
      let place = try store.recompute(
        behind: revision, limit: Self.slice,
        isEnough: { steps >= Self.stepsPerTurn || EventLoop.Clock.monotonic.now >= end }
      ) { stored, wait in
        var search = DateSearch()
        defer { steps += search.taken }
        do throws(TriggerError) { return try next(stored, wait, &search) } catch {
          complaint = error
          return wait
        }
      }
      if let complaint { report("the next date of a request could not be found: \(complaint)") }
      guard let place else { return done(true) }
      time.callNext { [weak self] in self?.walk(behind: place, next, then: done) }
    } catch {
      tryLater(error)
      done(false)
    }
  }
}
