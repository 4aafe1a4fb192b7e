// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers

/// Dates that come while the disk fails: they are shown on time, and recorded when that works.
extension Scheduler {
  struct Unwritten {
    let date: PlannedDate
    /// The wait that the store has for the request.
    let wait: Wait
    let step: Plan.Step?
    /// Its number, if it was noted before it was shown.
    var noted: DeliveryRecord.Number?
    /// What is shown; nil if that is over, or if nothing is.
    var due: Due?
  }

  /// Shows due requests although they cannot be recorded.
  func fireUnwritten(_ now: Timestamp, _ error: StoreError) {
    var due: [Due] = []
    var steps = 0
    // Repeating requests continue from the date that could not be recorded.
    for (revision, shown) in unwritten where steps < Self.stepsPerTurn {
      guard let step = shown.step, let next = step.next?.date, next.due <= now,
        let stored = try? store.request(revision: revision)
      else { continue }
      if let one = show(next, of: stored, fired: step.fired, first: shown.date, now, &steps) { due.append(one) }
    }
    for met in conditions.met {
      guard let stored = try? store.request(revision: met.revision), stored.wait == .condition else { continue }
      if let one = show(met, of: stored) { due.append(one) }
    }
    conditions.removeMet { unwritten[$0] != nil }
    var place = Store.Place.start
    while let ripe = try? store.nearestDue(after: place, through: now, limit: Self.slice), let last = ripe.last {
      for stored in ripe where unwritten[stored.revision]?.date != stored.date && steps < Self.stepsPerTurn {
        guard let date = stored.date else { continue }
        if let one = show(date, of: stored, fired: stored.fired, first: date, now, &steps) { due.append(one) }
      }
      guard ripe.count == Self.slice, steps < Self.stepsPerTurn, let next = Store.Place(behind: last) else { break }
      place = next
    }
    due.sort { $0.date < $1.date }
    if !due.isEmpty { onDue(due) }
    tryLater(error)
    if steps >= Self.stepsPerTurn { return fireNext() }
    // Show every date on time, even if an earlier one could not be recorded.
    let stored = (try? store.nearestDue(after: Store.Place(due: now + 1), limit: 1))?.first?.date?.due
    let next = unwritten.values.compactMap { $0.step?.next?.date?.due } + (stored.map { [$0] } ?? [])
    setAlarm(at: next.min(), waking: (try? store.nearestWake()) ?? nil)
  }

  private func show(
    _ date: PlannedDate, of stored: StoredRequest, fired: Int64, first: PlannedDate, _ now: Timestamp,
    _ steps: inout Int
  ) -> Due? {
    guard let (request, event) = Payload.read(stored.payload), let wait = stored.wait else { return nil }
    var date = date
    if replanned != nil, let moved = try? Plan.moved(date, zones: zones), moved != date {
      date = moved
      if moved.due > now { return nil }
    }
    var search = DateSearch()
    var step = try? Plan(stored: request, made: stored.created, zones: zones, &search)
      .step(date, fired: fired, now: now, &search)
    step?.event = event
    steps += search.taken
    unwritten[stored.revision] = Unwritten(date: first, wait: wait, step: step)
    if let step, step.verdict != .intent { return nil }
    let due = Due(
      request, date: step?.occurrence.due ?? date.due, missed: Int(step?.missed ?? 0), event: event,
      asker: stored.asker)
    keep(due, of: stored)
    return due
  }

  private func keep(_ due: Due, of stored: StoredRequest) {
    // The others have keys that depend on the record, or showings of their own.
    if !due.isOneOfMany, due.nag == nil { unwritten[stored.revision]?.due = due }
  }

  private func show(_ met: ArmedRequest.Met, of stored: StoredRequest) -> Due? {
    guard let request = Payload.request(stored) else { return nil }
    let step = step(met, MetRequest(stored: stored, decoded: DecodedRequest(request)))
    let noted = takeNoted(of: stored.revision)
    unwritten[stored.revision] = Unwritten(date: step.occurrence, wait: .condition, step: step, noted: noted)
    // A noted one is on the screen already.
    guard step.verdict == .intent, noted == nil else { return nil }
    let due = Due(request, date: met.date, missed: Int(met.missed), event: met.event, asker: stored.asker)
    keep(due, of: stored)
    return due
  }

  func writeUnwritten() throws(StoreError) {
    guard !unwritten.isEmpty else { return }
    let now = time.wall
    let waiting = unwritten
    var written: [(due: Due, record: DeliveryRecord)] = []
    try store.withNeededTransaction { () throws(StoreError) in
      ended = []
      written = []
      for (revision, shown) in waiting {
        guard let stored = try store.request(revision: revision), stored.wait == shown.wait else { continue }
        let step = shown.step ?? Plan.Step(occurrence: shown.date, verdict: .intent, next: nil, fired: stored.fired + 1)
        let isShown = step.verdict == .intent
        let nag = isShown ? Payload.request(stored)?.nagPlan() : nil
        // It may wait for a server. Without an object, its end is not recorded, and the next start shows it once more. A
        // noted one is on the screen.
        let isOpen = nag != nil || shown.noted == nil
        let state = isShown ? (isOpen ? .intent : .closed) : step.verdict
        let record = try store.recordIntent(
          step.occurrence, of: stored, as: state, missed: step.missed, event: step.event, now: now, noted: shown.noted)
        if let record, !isShown { ended.append(record) }
        if let record, isShown, let due = shown.due { written.append((due, record)) }
        // It was shown, and nothing is known of an answer.
        if let record, let nag {
          try store.recordResting(record.number, reason: RequestEnd.unknown.rawValue, nag: nag, now: now)
        }
        // Without a step, the next date is unknown.
        let next = shown.step == nil ? Wait.condition : step.next
        try store.setNext(next, fired: step.fired, of: revision)
      }
    }
    unwritten = [:]
    prepared = PreparedRequests()
    store.eraseNote()
    for one in written { one.due.wasStored(as: one.record) }
    if !written.isEmpty { onStored(written.map(\.due)) }
    tellEnded()
  }

  func tryLater(_ error: StoreError) {
    report("writing to the store failed; trying again: \(error.message)")
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
