// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The clocks of a machine that exists only in a simulation.
///
/// A loop that is made with them never waits: when no work is left, it calls ``whenIdle``, which moves the clocks and
/// calls ``EventLoop/runDeadlines()``. Between ``install()`` and ``uninstall()``, ``EventLoop/Clock/now`` reads them on
/// the thread that installed them; other threads read those of the kernel.
package final class SimulatedClocks {
  /// What ``EventLoop/Clock/monotonic`` shows.
  package var monotonic: Duration
  /// What ``EventLoop/Clock/elapsed`` shows.
  package var elapsed: Duration
  /// What ``EventLoop/Clock/wall`` shows.
  package var wall: Duration
  /// Called when the loop has nothing to do.
  package var whenIdle: () -> Void = {}

  /// The thread that reads ``current``, as a number; 0 if there is none.
  private static let thread = Atomic<UInt>(0)
  // Only the thread in `thread` uses it.
  nonisolated(unsafe) private static var current: SimulatedClocks?

  /// Clocks that show these times.
  package init(monotonic: Duration, elapsed: Duration, wall: Duration) {
    self.monotonic = monotonic
    self.elapsed = elapsed
    self.wall = wall
  }

  /// The simulated clocks of the calling thread; nil if it has those of the kernel.
  static var ofThisThread: SimulatedClocks? {
    let number = thread.load(ordering: .relaxed)
    return number != 0 && number == UInt(pthread_self()) ? current : nil
  }

  /// Gives these clocks to the calling thread. One thread at a time has simulated clocks: another one waits.
  package func install() {
    let own = UInt(pthread_self())
    precondition(Self.thread.load(ordering: .relaxed) != own, "this thread has simulated clocks already")
    while !Self.thread.compareExchange(expected: 0, desired: own, ordering: .acquiringAndReleasing).exchanged {
      sched_yield()
    }
    Self.current = self
  }

  /// Gives the calling thread the clocks of the kernel again.
  package func uninstall() {
    Self.current = nil
    Self.thread.store(0, ordering: .releasing)
  }

  func now(_ clock: EventLoop.Clock) -> Duration {
    switch clock {
    case .monotonic: monotonic
    case .elapsed: elapsed
    case .wall: wall
    }
  }
}

/// What a simulation does in the place of the kernel.
extension EventLoop {
  /// The date of the nearest deadline of a clock; nil if it has none.
  package func nearestDeadline(on clock: Clock) -> Duration? { timers(of: clock).nearest }

  /// Calls what is due on the clocks.
  package func runDeadlines() {
    preconditionOnLoop()
    for clock in Clock.allCases { timers(of: clock).callDue() }
  }

  /// Tells the observers that the wall clock was set, or that the machine slept.
  package func tellClockWasSet() {
    preconditionOnLoop()
    wallTimers.tellSetting()
  }

  /// Drops all deadlines and the observers of the wall clock, as the end of a process does.
  package func dropDeadlines() {
    preconditionOnLoop()
    for clock in Clock.allCases { timers(of: clock).removeAll() }
  }
}
