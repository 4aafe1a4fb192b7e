// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// What is known of the clock on the wall, in this run of the machine.
struct ClockLedger {
  let boot: String
  /// By how much it is ahead of the elapsed time.
  var offset: Int64
  /// The newest request that was there when the machine started.
  let before: Int64
  /// Whether it was right when the machine started, or has been set right since.
  var isTrusted: Bool

  init(boot: String, offset: Int64, before: Int64, isTrusted: Bool) {
    self.boot = boot
    self.offset = offset
    self.before = before
    self.isTrusted = isTrusted
  }

  /// As it is kept.
  var text: String { "\(boot) \(offset) \(before) \(isTrusted)" }

  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, let offset = Int64(parts[1]), let before = Int64(parts[2]) else { return nil }
    self.init(boot: String(parts[0]), offset: offset, before: before, isTrusted: parts[3] == "true")
  }
}

/// What becomes of dates when the clock on the wall is set, and when zones change.
extension Scheduler {
  /// Nothing fires for now.
  struct Hold {
    /// Tells this hold from a later one, whose end is another.
    let number: Int64
  }

  private static let day: Int64 = 86_400_000
  /// How long a clock that is plainly wrong is waited for.
  private static let patience: Int64 = 300_000
  /// Less is what synchronisation does all the time.
  private static let smallest: Int64 = 500

  private static let clockSetting = "clock"
  private static let seenSetting = "clock.seen"
  private static let zonesSetting = "zones"

  /// At the start: what happened to clock and zones in the meantime?
  func startClock() throws(StoreError) {
    let now = time.wall - time.elapsed
    if let text = try store.setting(Self.clockSetting), let known = ClockLedger(text), known.boot == time.boot {
      clock = known
      if abs(now - clock.offset) >= Self.smallest { moveElapsedIfPossible(to: now) }
    } else {
      clock = ClockLedger(
        boot: time.boot, offset: now, before: store.lastRevision, isTrusted: time.isSynchronised)
      // On a disk that cannot be written to, what is stored fires all the same.
      do throws(StoreError) { try store.set(Self.clockSetting, to: clock.text) } catch { report(error.message) }
    }
    seen = try store.setting(Self.seenSetting).flatMap { Int64($0) } ?? 0
    if try store.setting(Self.zonesSetting) != zones.fingerprint { replan() }
    if time.wall < seen - Self.day { clockWentBack() }
  }

  private func moveElapsedIfPossible(to offset: Int64) {
    do throws(StoreError) {
      try moveElapsed(to: offset)
    } catch {
      clock.offset = offset
      report("the clock was set, and what waits for elapsed time could not be moved: \(error.message)")
    }
  }

  /// What waits for elapsed time does so whatever the clock on the wall is set to.
  ///
  /// But what was asked for before the machine started has only that clock's word for it; and where the clock was wrong
  /// since the start, and is now set right, their dates were right all the time.
  private func moveElapsed(to offset: Int64) throws(StoreError) {
    let change = offset - clock.offset
    var clock = clock
    clock.offset = offset
    let behind = clock.isTrusted ? 0 : clock.before
    if time.isSynchronised { clock.isTrusted = true }
    try store.withNeededTransaction { () throws(StoreError) in
      try store.moveElapsed(by: change, behind: behind)
      try store.set(Self.clockSetting, to: clock.text)
    }
    self.clock = clock
  }

  /// Written at most once a minute, and with something else.
  func note(seen now: Int64) throws(StoreError) {
    guard now >= seen + 60_000 else { return }
    try store.set(Self.seenSetting, to: "\(now)")
    seen = now
  }

  func clockWasSet() {
    release(all: true)
    zones.check()
    let offset = time.wall - time.elapsed
    let change = offset - clock.offset
    if abs(change) >= Self.smallest {
      moveElapsedIfPossible(to: offset)
    }
    if hold != nil {
      // Somebody sets the clock: that is what was waited for.
      if time.wall >= seen - Self.day || time.isSynchronised { endHold() }
      return
    }
    if change <= -Self.day { clockWentBack() } else { fire() }
  }

  // MARK: A clock that went back

  /// By more than a day, which is more than any correction: either it is wrong now, or it was before.
  private func clockWentBack() {
    if time.isSynchronised { return planFromNow() }
    let number = (hold?.number ?? 0) + 1
    hold = Hold(number: number)
    time.setAlarm(at: nil, waking: nil)
    report("the clock is behind what it has shown before; waiting for it to be set")
    time.call(after: Self.patience) { [weak self] in
      if self?.hold?.number == number { self?.endHold() }
    }
  }

  private func endHold() {
    hold = nil
    if time.wall < seen - Self.day { planFromNow() } else { fire() }
  }

  /// The clock was ahead, and so the next dates may be far off: they are looked for from now on. What has been shown is
  /// known by its date, and not shown again.
  private func planFromNow() {
    let now = time.wall
    seen = now
    try? store.set(Self.seenSetting, to: "\(now)")
    walk(behind: 0) { stored, search throws(TriggerError) in
      guard let date = stored.next, let request = Payload.request(stored) else { return stored.next }
      let plan = try Plan(stored: request, made: stored.created, zones: self.zones, &search)
      guard request.when.repeats == true || plan.trigger?.repeats == true else { return date }
      let next = try plan.next(after: now, fired: stored.fired, &search) { occurrence in
        (try? self.store.hasDelivery(occurrence, of: stored)) == true
      }
      guard let next, next.due < date.due else { return date }
      return next
    } then: {
      self.fire()
    }
  }

  // MARK: Zones that changed

  /// The machine's zone, or what is known of zones, is another: every date is found anew.
  func replan() {
    // A walk that is under way begins again.
    let isWalking = replanned != nil
    replanned = 0
    if !isWalking { goOnReplanning() }
  }

  private func goOnReplanning() {
    guard let place = replanned else { return }
    let fingerprint = zones.fingerprint
    replanned = place
    walk(behind: place) { stored, search throws(TriggerError) in
      guard let date = stored.next else { return try self.found(stored, &search) }
      return try Plan.moved(date, zones: self.zones)
    } then: {
      // It changed once more on the way.
      if self.zones.fingerprint != fingerprint { return self.goOnReplanning() }
      self.replanned = nil
      try? self.store.set(Self.zonesSetting, to: fingerprint)
      self.fire()
    }
  }

  /// The date of a request that had none, because its zone was not there.
  private func found(
    _ stored: StoredRequest, _ search: inout DateSearch
  ) throws(TriggerError) -> Occurrence? {
    guard let request = Payload.request(stored) else { return nil }
    return try Plan(stored: request, made: stored.created, zones: zones, &search)
      .next(after: time.wall, fired: stored.fired, &search) { _ in false }
  }

  /// Looks at every pending request, a slice in each turn.
  private func walk(
    behind revision: Int64, _ date: @escaping (StoredRequest, inout DateSearch) throws(TriggerError) -> Occurrence?,
    then done: @escaping () -> Void
  ) {
    do throws(StoreError) {
      var complaint: TriggerError?
      var steps = 0
      let place = try store.recompute(
        behind: revision, limit: Self.slice, isEnough: { steps >= Self.stepsPerTurn }
      ) { stored in
        var search = DateSearch()
        defer { steps += search.taken }
        do throws(TriggerError) { return try date(stored, &search) } catch {
          complaint = error
          return stored.next
        }
      }
      if let complaint { report("a date could not be found: \(complaint)") }
      guard let place else { return done() }
      time.callNext { [weak self] in self?.walk(behind: place, date, then: done) }
    } catch {
      report("dates could not be moved: \(error.message)")
      done()
    }
  }
}
