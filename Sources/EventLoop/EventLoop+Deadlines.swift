// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension EventLoop {
  /// A date at which something will happen, unless ``cancel()`` comes first.
  public struct Deadline {
    let loop: EventLoop
    let clock: Clock
    let key: UInt64

    /// Forgets the deadline; one that has passed is forgotten already.
    public func cancel() {
      loop.preconditionOnLoop()
      loop.timers[clock]?.remove(key)
    }
  }

  /// Calls `action` when `clock` reads `date` or later.
  public func schedule(at date: Duration, on clock: Clock, _ action: @escaping () -> Void) -> Deadline {
    preconditionOnLoop()
    // Every clock has its queue from the loop's first moment.
    return Deadline(loop: self, clock: clock, key: timers[clock]!.add(at: date, action))
  }

  /// Calls `action` after `delay`, during which the machine was awake.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Deadline {
    schedule(at: Clock.monotonic.now + delay, on: .monotonic, action)
  }

  /// Calls `observer` each time that the wall clock is set, by whomever. Wall deadlines need no help: they are
  /// compared with the new time by themselves.
  public func onClockSet(_ observer: @escaping () -> Void) -> ClockObservation {
    preconditionOnLoop()
    return ClockObservation(loop: self, key: timers[.wall]!.observeSetting(observer))
  }

  /// Keeps an observer of the wall clock until ``cancel()``.
  public struct ClockObservation {
    let loop: EventLoop
    let key: UInt64

    /// Ends the observation.
    public func cancel() {
      loop.preconditionOnLoop()
      loop.timers[.wall]?.removeObserver(key)
    }
  }

  /// Suspends the calling task for `delay`; a cancelled task wakes at once, with an error.
  public func sleep(for delay: Duration) async throws(CancellationError) {
    let sleeper = Sleeper()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        perform {
          // Cancelled before it began: nothing to wait for.
          guard sleeper.begin(continuation) else { return }
          sleeper.deadline = self.schedule(after: delay) { sleeper.end() }
        }
      }
    } onCancel: {
      perform {
        sleeper.deadline?.cancel()
        sleeper.end()
      }
    }
    if Task.isCancelled { throw CancellationError() }
  }
}

/// One sleeping task. Loop-confined: every member is used on the loop's thread only, inside `perform`.
private final class Sleeper: @unchecked Sendable {
  var deadline: EventLoop.Deadline?
  private var continuation: CheckedContinuation<Void, Never>?
  private var isOver = false

  func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    if isOver {
      continuation.resume()
      return false
    }
    self.continuation = continuation
    return true
  }

  func end() {
    isOver = true
    continuation?.resume()
    continuation = nil
  }
}
