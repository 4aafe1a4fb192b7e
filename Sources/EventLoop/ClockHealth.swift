// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// How reliable the wall clock is, according to the kernel.
public struct ClockHealth: Hashable, Sendable {
  /// Whether a program synchronizes the clock: `timesyncd`, `chronyd`, `ntpd`. Usually false without a network.
  public let isSynchronized: Bool
  /// The estimated error. It grows without corrections, up to 16 s, which means unknown.
  public let greatestError: Duration

  /// Reads the current state; nil if the kernel refuses (a sandbox may forbid the call).
  public static var current: ClockHealth? {
    // Without modes, nothing is set.
    var values = timex()
    let state = adjtimex(&values)
    guard state >= 0 else { return nil }
    return ClockHealth(
      isSynchronized: state != TIME_ERROR && values.status & STA_UNSYNC == 0,
      greatestError: .microseconds(values.maxerror))
  }
}
