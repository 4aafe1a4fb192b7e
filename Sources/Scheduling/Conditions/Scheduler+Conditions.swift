// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
public import NotificationModel
internal import Triggers

/// Requests that wait for a condition.
extension Scheduler {
  /// What is known about the condition that a request waits for; nil if it waits for none.
  public func standing(of revision: StoredRequest.Revision) -> ConditionStanding? { conditions.standing(of: revision) }

  /// The conditions that nothing is known of at present, and why.
  public var obstacles: [(subject: Condition.Subject, reason: String)] { conditions.obstacles }

  /// How many requests are armed between two looks at the clock: a long window takes a quarter of a millisecond to
  /// read.
  private static let armedAtOnce = 50

  /// Arms the conditions of requests that are newer than those looked at, one slice in each turn.
  func armConditions() {
    guard store.mayHaveNewConditions else { return waitForDeadline() }
    let end = EventLoop.Clock.monotonic.now + Self.timePerTurn
    var isAll = false
    do throws(StoreError) {
      repeat {
        let new = try store.waitingForCondition(behind: conditions.last, limit: Self.armedAtOnce)
        for stored in new {
          guard let request = conditions.arm(stored) else { continue }
          prepared.keep(MetRequest(stored: stored, decoded: DecodedRequest(request)))
        }
        isAll = new.count < Self.armedAtOnce
      } while !isAll && EventLoop.Clock.monotonic.now < end
      waitForDeadline()
      if !isAll { time.callNext { [weak self] in self?.armConditions() } }
    } catch {
      report("the conditions of requests could not be read: \(error.message)")
    }
  }

  /// Fires in another turn, so that many conditions at once are one transaction.
  func conditionsChanged() {
    waitForDeadline()
    fireNext()
  }

  /// Looks at the conditions again when one has lasted long enough, or can not be met any more.
  private func waitForDeadline() {
    guard let next = conditions.nextDeadline, conditionDeadline.map({ next < $0 }) ?? true else { return }
    conditionDeadline = next
    time.call(after: max(0, next - time.elapsed)) { [weak self] in
      guard let self, conditionDeadline == next else { return }
      conditionDeadline = nil
      conditions.pass()
      waitForDeadline()
    }
  }

  /// Records and shows requests whose condition was met; returns whether there were any.
  ///
  /// A date is recorded before it comes. A condition is met without notice, and a commit with its sync takes several
  /// times as long as all else that is between the event and its notification. So a request is noted and shown, if it
  /// is alone, then committed, and the sync comes in the next turn. Until then the record survives the end of the
  /// center. A loss of power takes the notification from the screen as well.
  func fireMet() throws(StoreError) -> Bool {
    if conditions.met.isEmpty { return false }
    try showNoted()
    var taken = TakenConditions()
    try store.withUnsyncedTransaction { () throws(StoreError) in
      ended = []
      taken = try takeMet()
      try note(seen: time.wall)
    }
    if noted != nil { store.eraseNote() }
    noted = nil
    prepared.forget(conditions.met.prefix(taken.count).map(\.revision))
    for one in taken.repeated { prepared.keep(one) }
    isSyncDue = true
    conditions.removeMet(taken.count)
    conditions.wereStored(taken.stored)
    tellEnded()
    if !taken.due.isEmpty { onDue(taken.due) }
    conditions.forget(taken.over)
    return true
  }

  /// Shows the request whose condition was met before it is recorded, if a note says what will be recorded.
  private func showNoted() throws(StoreError) {
    guard noted == nil, conditions.met.count == 1, let met = conditions.met.first, !met.isOver, unwritten.isEmpty,
      let armed = conditions.state(of: met.revision), let one = try read(met.revision)
    else { return }
    let step = step(met, one)
    guard step.verdict == .intent,
      let number = store.noteIntent(
        IntentNote(
          revision: met.revision, fired: one.stored.fired, isRepeated: step.next != nil, date: met.date,
          missed: step.missed, event: step.event, armed: armed))
    else { return }
    let due = Due(
      one.request, record: Due.Record(delivery: number, revision: met.revision), date: met.date,
      missed: Int(step.missed), event: step.event, asker: one.stored.asker, source: one.decoded)
    noted = due
    onDue([due])
    busTurn.yield(at: time.elapsed)
  }

  /// The number of a request's delivery that was noted and shown, and could not be committed.
  func takeNoted(of revision: StoredRequest.Revision) -> DeliveryRecord.Number? {
    guard let record = noted?.record, record.revision == revision else { return nil }
    noted = nil
    return record.delivery
  }

  /// Requests whose condition was met and recorded.
  private struct TakenConditions {
    /// How many they are.
    var count = 0
    /// Those whose state is stored.
    var stored: [StoredRequest.Revision] = []
    /// Those to be shown.
    var due: [Due] = []
    /// Those that wait for nothing any more.
    var over: [StoredRequest.Revision] = []
    /// Those that wait for their condition again, the last ones of them.
    var repeated: [MetRequest] = []
  }

  /// A request that waits for a condition.
  private func read(_ revision: StoredRequest.Revision) throws(StoreError) -> MetRequest? {
    if let one = prepared[revision] { return one }
    guard let stored = try store.request(revision: revision), stored.wait == .condition else { return nil }
    return prepared.decoded(stored)
  }

  /// Records requests whose condition was met, at most a slice of them.
  private func takeMet() throws(StoreError) -> TakenConditions {
    let met = conditions.met.prefix(Self.slice)
    var taken = TakenConditions(count: met.count)
    var noted = noted?.record
    for one in met {
      guard var stored = try store.request(revision: one.revision), stored.wait == .condition else {
        taken.over.append(one.revision)
        continue
      }
      stored.armed = conditions.state(of: one.revision) ?? stored.armed
      guard let read = prepared.decoded(stored) else { continue }
      let step = step(one, read)
      let isNoted = noted?.revision == one.revision
      if let due = try take(one, step, read, noted: isNoted ? noted?.delivery : nil) { taken.due.append(due) }
      // It may have happened again since then.
      if isNoted { noted = nil }
      taken.stored.append(one.revision)
      if step.next == nil { taken.over.append(one.revision) }
      if step.next != nil {
        stored.fired = step.fired
        if taken.repeated.count == PreparedRequests.most { taken.repeated.removeFirst() }
        taken.repeated.append(MetRequest(stored: stored, decoded: read.decoded))
      }
    }
    return taken
  }

  /// Records a request; returns it if it is to be shown, and was not shown before.
  private func take(
    _ met: ArmedRequest.Met, _ step: Plan.Step, _ one: MetRequest, noted: DeliveryRecord.Number?
  ) throws(StoreError) -> Due? {
    var due: Due?
    if let noted {
      _ = try store.recordIntent(
        step.occurrence, of: one.stored, missed: step.missed, event: step.event, now: met.date, noted: noted)
    } else if !met.isOver || one.stored.fired == 0 {
      // A repetition that is over has nothing to record.
      due = try record(step, of: one.stored, one.request, met.date)
    }
    try store.setNext(step.next, fired: step.fired, ofUnchanged: one.stored)
    return due
  }

  func step(_ met: ArmedRequest.Met, _ one: MetRequest) -> Plan.Step {
    // Not by `one.request`, which would copy all of the request.
    let occasions = one.decoded.request.schedule.occasions
    var step = Plan.Step(
      occurrence: PlannedDate(due: met.date), missed: met.missed, verdict: .intent, fired: one.stored.fired + 1)
    step.event = met.event
    if met.isOver {
      step.verdict = .expired
    } else if occasions?.repeats == true, step.fired < occasions?.count.map(Int64.init) ?? .max {
      step.next = .condition
    }
    if met.isLate { step.verdict = one.request.schedule.verdict(late: max(0, met.date - downSince)) }
    return step
  }

  /// Stores some of the states that have changed; returns which.
  func writeStates() throws(StoreError) -> [StoredRequest.Revision] {
    let states = conditions.changedStates(Self.slice)
    for (revision, state) in states { try store.setArmed(state, of: revision) }
    return states.map(\.revision)
  }
}
