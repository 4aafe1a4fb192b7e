// SPDX-License-Identifier: Apache-2.0

/// The end of a loop on a thread of its own.
extension EventLoop {
  /// Calls `observer` on the loop after its last turn, when no event can arrive any more; soon, if that has passed.
  /// Only a loop made by ``onOwnThread(named:)`` has such an end; others may run again.
  public func onEnd(_ observer: @escaping () -> Void) -> EndObservation {
    preconditionOnLoop()
    lastEndObserver += 1
    endObservers.append((lastEndObserver, observer))
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
      loop.endObservers.removeAll { $0.key == key }
    }
  }

  /// Ends the loop's thread for good.
  func end(named name: String) {
    planEnd()
    retire(named: name)
  }

  private func planEnd() {
    // Unowned: the code that runs the loop owns it.
    perform { [unowned self] in
      hasEnded = true
      while !endObservers.isEmpty { endObservers.removeFirst().call() }
    }
  }

  /// Runs remaining work. Later work gets a temporary thread: it cannot run on the thread that queues it, which may be
  /// inside the runtime.
  private func retire(named name: String) {
    repeat {
      stop()
      run()
      letGo()
    } while !queue.leave(to: { [weak self] in self?.runOnceMore(named: name) })
  }

  /// Releases all handlers: most of them refer to the loop, which they would keep alive.
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
      // There are too many threads: the next work tries again.
      _ = queue.leave(to: { [weak self] in self?.runOnceMore(named: name) }, evenWithWork: true)
    }
  }
}
