// SPDX-License-Identifier: Apache-2.0

/// What comes after the end of a loop on a thread of its own.
extension EventLoop {
  /// Calls `observer` on the loop, after its last turn: nothing that it waits for will come any more. Where that has been,
  /// it is called soon. Only a loop made by ``onOwnThread(named:)`` has such an end; another may be run again.
  public func onEnd(_ observer: @escaping () -> Void) -> EndObservation {
    preconditionOnLoop()
    lastEndObserver += 1
    endObservers[lastEndObserver] = observer
    if hasEnded { planEnd() }
    return EndObservation(loop: self, key: lastEndObserver)
  }

  /// Keeps an observer of the loop's end until ``cancel()``.
  public struct EndObservation: Sendable {
    let loop: EventLoop
    let key: UInt64

    /// Ends the observation.
    public func cancel() {
      loop.preconditionOnLoop()
      loop.endObservers[key] = nil
    }
  }

  /// Ends the loop's thread for good.
  func end(named name: String) {
    planEnd()
    retire(named: name)
  }

  private func planEnd() {
    // Unowned: whoever runs the loop has it.
    perform { [unowned self] in
      hasEnded = true
      while let first = endObservers.keys.min() { endObservers.removeValue(forKey: first)?() }
    }
  }

  /// Does what is left to do. Later work gets a thread for as long as it takes: it cannot be done where it comes from,
  /// which may be in the middle of the runtime's own business.
  private func retire(named name: String) {
    repeat {
      stop()
      run()
      letGo()
    } while !queue.leave(to: { [weak self] in self?.runOnceMore(named: name) })
  }

  /// Forgets what will not come any more: most of those who wait for it know the loop, which would keep them all.
  private func letGo() {
    queue.begin()
    poller.removeAll()
    for timers in [monotonicTimers, elapsedTimers, wallTimers, alarms] { timers?.removeAll() }
    queue.end()
  }

  private func runOnceMore(named name: String) {
    do {
      _ = try NamedThread(named: name) { self.retire(named: name) }
    } catch {
      // There are too many threads: whoever comes next tries again.
      _ = queue.leave(to: { [weak self] in self?.runOnceMore(named: name) }, evenWithWork: true)
    }
  }
}
