// SPDX-License-Identifier: Apache-2.0

/// Changes of the dates of all requests that a failing disk has interrupted. Until they are finished, dates come as they
/// are stored.
extension Scheduler {
  /// What is left to do.
  struct Unfinished: OptionSet {
    let rawValue: Int
    /// The wall clock was set, and ``ClockLedger/moves`` are left.
    static let moves = Unfinished(rawValue: 1)
    /// Zones have changed.
    static let zones = Unfinished(rawValue: 2)
    /// The clock was ahead.
    static let plan = Unfinished(rawValue: 4)
    /// ``ClockLedger`` is not stored.
    static let ledger = Unfinished(rawValue: 8)
  }

  /// Goes on with it.
  func finishChanges() {
    if unfinished.remove(.ledger) != nil { keepLedger() }
    if unfinished.remove(.moves) != nil {
      moveSlice()
      if clock.moves.isEmpty, plansAfterMoves {
        plansAfterMoves = false
        unfinished.insert(.plan)
      }
      goOnMovingLater()
    }
    if unfinished.remove(.zones) != nil { goOnReplanning() }
    if unfinished.remove(.plan) != nil { planFromNow() }
  }
}
