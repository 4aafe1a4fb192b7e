// SPDX-License-Identifier: Apache-2.0

/// The alarm for the nearest date.
extension Scheduler {
  /// Call after storing or cancelling requests: arms the new conditions, and sets the alarm once, at the end of the
  /// turn.
  public func rearm() {
    if isRearming { return }
    isRearming = true
    time.callNext { [weak self] in
      guard let self else { return }
      isRearming = false
      armConditions()
      // A batch in progress sets the alarm at its end.
      if !isHeld && !isFiringNext { arm() }
    }
  }

  /// Call instead of ``rearm()`` after storing requests that come on `first` at the earliest. An alarm that is set for an
  /// earlier date stays.
  ///
  /// - Parameter first: nil if one of them waits for a condition, wakes the machine or has replaced another.
  public func rearm(for first: Timestamp?) {
    if let first, let alarmDate, alarmDate <= first - Self.lead { return }
    rearm()
  }

  /// - Parameter waking: when the machine is to be awake.
  func setAlarm(at date: Timestamp?, waking: Timestamp?) {
    alarmDate = date
    time.setAlarm(at: date, waking: waking)
  }

  func arm() {
    do throws(StoreError) {
      let next = try store.nextDate().map { $0 - Self.lead }
      let wakes = [try store.nearestWake(), conditions.nextWake, nextNagWake].compactMap { $0 }
      setAlarm(at: [next, ahead.map(\.date).min()].compactMap { $0 }.min(), waking: wakes.min())
    } catch {
      tryLater(error)
    }
  }
}
