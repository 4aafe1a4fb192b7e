// SPDX-License-Identifier: Apache-2.0
internal import Triggers

/// Requests that wait for a condition.
extension Scheduler {
  /// Arms the conditions of requests that are newer than those looked at, one slice in each turn.
  func armConditions() {
    if conditions.hasNoSource { return }
    do throws(StoreError) {
      let new = try store.waitingForCondition(behind: conditions.last, limit: Self.slice)
      for stored in new { conditions.arm(stored) }
      if new.count == Self.slice { time.callNext { [weak self] in self?.armConditions() } }
    } catch {
      report("the conditions of requests could not be read: \(error.message)")
    }
  }

  /// Fires in another turn, so that many conditions at once are one transaction.
  func conditionWasMet(_ condition: Condition) {
    conditions.take(condition, at: time.wall)
    fireNext()
  }

  /// Records requests whose condition has become true, at most a slice of them; returns how many were taken.
  func takeMet(_ due: inout [Due]) throws(StoreError) -> Int {
    let met = conditions.met.prefix(Self.slice)
    for one in met {
      guard let stored = try store.request(revision: one.revision), stored.wait == .condition else { continue }
      var search = DateSearch()
      if let one = try take(stored, PlannedDate(due: one.date), one.date, &search) { due.append(one) }
    }
    return met.count
  }
}
