// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Requests that wait for elapsed time, so that changes of the wall clock must not affect them: their dates move with
/// it, one slice in each turn. No date fires until all have moved, because those that have not are wrong.
extension Scheduler {
  /// Whether no date fires at present.
  var isHeld: Bool { hold != nil || !clock.moves.isEmpty && !isMovingInVain }

  /// Whether the disk has failed for so long that dates come as they are stored.
  private var isMovingInVain: Bool { movesFailedAt.map { time.elapsed >= $0 + Self.patience } ?? false }

  /// How long dates wait for a disk that fails: by then, it has been tried several times. In milliseconds.
  private static let patience: Int64 = 5_000

  /// How many small changes are noted before all requests follow them.
  private static let mostDrifts = 16

  /// The wall clock was set: begins to move dates, unless the change is small.
  ///
  /// Requests from before the start of the machine depend on the wall clock alone. If the clock was wrong since the
  /// start and is now set, their dates are right and do not move.
  func moveElapsed(to offset: Int64) {
    let change = offset - clock.offset
    clock.offset = offset
    let behind = clock.isTrusted ? .none : clock.before
    if time.isSynchronised { clock.isTrusted = true }
    clock.drifts.append(ClockLedger.Move(change: change, done: behind, last: store.lastRevision))
    // Requests that are newer than a small change must not follow it later.
    if abs(clock.drifts.reduce(0) { $0 + $1.change }) < Self.smallest, clock.drifts.count < Self.mostDrifts {
      keepLedger()
      return
    }
    clock.moves += clock.drifts
    clock.drifts = []
    moveSlice()
    goOnMovingLater()
  }

  /// Stores what is known of the clock. On a disk that is not writable, stored requests still fire.
  func keepLedger() {
    do throws(StoreError) {
      try store.set(Self.clockSetting, to: clock.text)
    } catch {
      store.owe(clock.text, for: Self.clockSetting)
      unfinished.insert(.ledger)
      tryLater(error)
    }
  }

  func goOnMovingLater() {
    if isMovingLater || clock.moves.isEmpty || unfinished.contains(.moves) { return }
    isMovingLater = true
    time.callNext { [weak self] in
      guard let self else { return }
      isMovingLater = false
      // The scheduler has ended, or `finishChanges` has moved them.
      if clock.moves.isEmpty { return }
      moveSlice()
      if clock.moves.isEmpty { movesEnded() } else { goOnMovingLater() }
    }
  }

  /// Moves some dates, and stores how far this has come in the same transaction.
  func moveSlice() {
    guard let move = clock.moves.first else { return }
    do throws(StoreError) {
      var moved = clock
      try store.withNeededTransaction { () throws(StoreError) in
        moved = clock
        let end = EventLoop.Clock.monotonic.now + Self.timePerTurn
        let place = try store.moveElapsed(
          by: move.change, behind: move.done, through: move.last, limit: Self.slice,
          isEnough: { EventLoop.Clock.monotonic.now >= end })
        if let place { moved.moves[0].done = place } else { moved.moves.removeFirst() }
        try store.set(Self.clockSetting, to: moved.text)
      }
      clock = moved
      movesFailedAt = nil
    } catch {
      store.owe(clock.text, for: Self.clockSetting)
      movesFailedAt = movesFailedAt ?? time.elapsed
      unfinished.insert(.moves)
      tryLater(error)
    }
  }

  private func movesEnded() {
    if plansAfterMoves {
      plansAfterMoves = false
      planFromNow()
    } else {
      fire()
    }
  }
}
