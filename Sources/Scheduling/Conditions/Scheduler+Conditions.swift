// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
internal import Triggers

/// Requests that wait for a condition.
extension Scheduler {
  /// What is known about the condition that a request waits for; nil if it waits for none.
  public func standing(of revision: StoredRequest.Revision) -> ConditionStanding? { conditions.standing(of: revision) }

  /// The conditions that nothing is known of at present, and why.
  public var obstacles: [(subject: Condition.Subject, reason: String)] { conditions.obstacles }

  /// Arms the conditions of requests that are newer than those looked at, one slice in each turn.
  func armConditions() {
    guard store.mayHaveNewConditions else { return waitForDeadline() }
    do throws(StoreError) {
      let new = try store.waitingForCondition(behind: conditions.last, limit: Self.slice)
      for stored in new { conditions.arm(stored) }
      waitForDeadline()
      if new.count == Self.slice { time.callNext { [weak self] in self?.armConditions() } }
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
  /// A date is recorded before it comes. A condition is met without notice, and a sync takes several times as long as all
  /// else that is between the event and its notification. So the sync comes in the next turn. Until then the record
  /// survives the end of the center. A loss of power takes the notification from the screen as well.
  func fireMet() throws(StoreError) -> Bool {
    if conditions.met.isEmpty { return false }
    var taken = TakenConditions()
    try store.withUnsyncedTransaction { () throws(StoreError) in
      ended = []
      taken = try takeMet()
    }
    isSyncDue = true
    conditions.removeMet(taken.count)
    tellEnded()
    if !taken.due.isEmpty { onDue(taken.due) }
    conditions.forget(taken.over)
    return true
  }

  /// Requests whose condition was met and recorded.
  private struct TakenConditions {
    /// How many they are.
    var count = 0
    /// Those to be shown.
    var due: [Due] = []
    /// Those that wait for nothing any more.
    var over: [StoredRequest.Revision] = []
  }

  /// The request of a row. The last one is kept, because decoding takes long, and a repeating request comes again.
  private func readOnce(_ stored: StoredRequest) -> NotificationRequest? {
    if let lastRead, lastRead.payload.isIdentical(to: stored.payload) { return lastRead.request }
    guard let request = Payload.request(stored) else { return nil }
    lastRead = stored.payload.utf8.count <= Self.longestKept ? (stored.payload, request) : nil
    return request
  }

  /// The longest payload that is kept in memory, in bytes.
  private static let longestKept = 4096

  /// Records requests whose condition was met, at most a slice of them.
  private func takeMet() throws(StoreError) -> TakenConditions {
    let met = conditions.met.prefix(Self.slice)
    var taken = TakenConditions(count: met.count)
    for one in met {
      guard let stored = try store.request(revision: one.revision), stored.wait == .condition else {
        taken.over.append(one.revision)
        continue
      }
      guard let request = readOnce(stored) else { continue }
      let step = step(one, stored, request)
      if let due = try take(one, step, stored, request) { taken.due.append(due) }
      if step.next == nil { taken.over.append(one.revision) }
    }
    return taken
  }

  private func take(
    _ met: ArmedRequest.Met, _ step: Plan.Step, _ stored: StoredRequest, _ request: NotificationRequest
  ) throws(StoreError) -> Due? {
    var stored = stored
    stored.armed = conditions.state(of: met.revision) ?? stored.armed
    var due: Due?
    // A repetition that is over has nothing to record.
    if !met.isOver || stored.fired == 0 { due = try record(step, of: stored, request, met.date) }
    try store.setNext(step.next, fired: step.fired, ofUnchanged: stored)
    return due
  }

  func step(_ met: ArmedRequest.Met, _ stored: StoredRequest, _ request: NotificationRequest) -> Plan.Step {
    let occasions = request.schedule.occasions
    var step = Plan.Step(
      occurrence: PlannedDate(due: met.date), missed: met.missed, verdict: .intent, fired: stored.fired + 1)
    step.event = met.event
    if met.isOver {
      step.verdict = .expired
    } else if occasions?.repeats == true, step.fired < occasions?.count.map(Int64.init) ?? .max {
      step.next = .condition
    }
    if met.isLate { step.verdict = request.schedule.verdict(late: max(0, met.date - downSince)) }
    return step
  }

  /// Stores some of the states that have changed; returns which.
  func writeStates() throws(StoreError) -> [StoredRequest.Revision] {
    let states = conditions.changedStates(Self.slice)
    for (revision, state) in states { try store.setArmed(state, of: revision) }
    return states.map(\.revision)
  }
}
