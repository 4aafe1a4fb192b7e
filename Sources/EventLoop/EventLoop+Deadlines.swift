// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// A scheduled action, which ``cancel()`` prevents.
  public struct Deadline: @unchecked Sendable {
    // @unchecked: the queue is used on the loop's thread only, which `cancel` checks.
    let loop: EventLoop
    let timers: TimerQueue
    let key: DeadlineHeap.Key

    /// Cancels the deadline; has no effect after it has passed.
    public func cancel() {
      loop.preconditionOnLoop()
      timers.remove(key)
    }
  }

  /// Calls `action` when `clock` reads `date` or later.
  public func schedule(at date: Duration, on clock: Clock, _ action: @escaping () -> Void) -> Deadline {
    preconditionOnLoop()
    let timers = timers(of: clock)
    return Deadline(loop: self, timers: timers, key: timers.add(at: date, action))
  }

  /// Calls `action` after `delay`, not counting sleep of the machine.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Deadline {
    schedule(at: Clock.monotonic.now + delay, on: .monotonic, action)
  }

  /// Calls `observer` each time that the wall clock is set, and after the machine slept. Wall clock deadlines adapt by
  /// themselves, because they are compared with the new time.
  public func onClockSet(_ observer: @escaping () -> Void) -> ClockObservation {
    preconditionOnLoop()
    return ClockObservation(loop: self, key: wallTimers.addObserver(observer))
  }

  /// Keeps an observer of the wall clock until ``cancel()``.
  public struct ClockObservation: Sendable {
    let loop: EventLoop
    let key: UInt64

    /// Ends the observation.
    public func cancel() {
      loop.preconditionOnLoop()
      loop.wallTimers.removeObserver(key)
    }
  }

  /// Suspends the calling task for `delay`. If the task is cancelled or its loop ends, throws at once.
  public func sleep(for delay: Duration) async throws(CancellationError) {
    let date = Clock.monotonic.now + delay
    let sleeper = Sleeper()
    // Outside of the handler, which would run its body in the global pool, also in a task of this loop.
    let wasCut = await withTaskExecutorPreference(self) {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          perform { sleeper.begin(until: date, on: self, continuation) }
        }
      } onCancel: {
        perform { sleeper.end(isCut: true) }
      }
    }
    if wasCut { throw CancellationError() }
  }
}

/// A sleeping task. @unchecked: every member is used on the loop's thread only, inside `perform` or a deadline.
private final class Sleeper: @unchecked Sendable {
  private var deadline: EventLoop.Deadline?
  private var endObservation: EventLoop.EndObservation?
  private var continuation: CheckedContinuation<Bool, Never>?
  private var isOver = false

  func begin(until date: Duration, on loop: EventLoop, _ continuation: CheckedContinuation<Bool, Never>) {
    if isOver {
      // The task was cancelled before it began to wait.
      continuation.resume(returning: true)
    } else {
      self.continuation = continuation
      deadline = loop.schedule(at: date, on: .monotonic) { self.end(isCut: false) }
      endObservation = loop.onEnd { self.end(isCut: true) }
    }
  }

  func end(isCut: Bool) {
    if isOver { return }
    isOver = true
    if isCut { deadline?.cancel() }
    deadline = nil
    endObservation?.cancel()
    endObservation = nil
    continuation?.resume(returning: isCut)
    continuation = nil
  }
}
