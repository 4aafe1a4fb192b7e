// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension EventLoop {
  /// Which time a deadline is measured in.
  public enum Clock: Sendable, CaseIterable {
    /// Stands still while the machine sleeps: time limits.
    case monotonic
    /// Counts sleep as well: "every 15 minutes".
    case elapsed
    /// The clock on the wall, as seconds since 1970; it can be set.
    case wall

    var identifier: clockid_t {
      switch self {
      case .monotonic: CLOCK_MONOTONIC
      case .elapsed: CLOCK_BOOTTIME
      case .wall: CLOCK_REALTIME
      }
    }

    /// Time since the clock's own zero.
    public var now: Duration {
      var time = timespec()
      clock_gettime(identifier, &time)
      return Duration(secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }
  }
}

extension timespec {
  /// The nearest that fits: 292 thousand million years must be enough.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = min(duration, .seconds(Int64.max)).components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
