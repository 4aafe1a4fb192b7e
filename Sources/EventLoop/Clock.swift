// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension EventLoop {
  /// The clock of a deadline.
  public enum Clock: Sendable, CaseIterable {
    /// Stops while the machine sleeps: for time limits.
    case monotonic
    /// Includes sleep: for "every 15 minutes".
    case elapsed
    /// The wall clock in seconds since 1970; it can be set.
    case wall

    var identifier: clockid_t {
      switch self {
      case .monotonic: CLOCK_MONOTONIC
      case .elapsed: CLOCK_BOOTTIME
      case .wall: CLOCK_REALTIME
      }
    }

    /// The time since the clock's zero.
    public var now: Duration {
      if let simulated = SimulatedClocks.ofThisThread { return simulated.now(self) }
      var time = timespec()
      clock_gettime(identifier, &time)
      return Duration(secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }
  }
}

extension timespec {
  /// Saturates at 292 thousand million years.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = min(duration, .seconds(Int64.max)).components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
