// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// How far the wall clock is to be believed, as the kernel has it.
public struct ClockHealth: Hashable, Sendable {
  /// Somebody keeps it right: `timesyncd`, `chronyd`, `ntpd`. No more than that; a machine without a network has nobody.
  public let isSynchronized: Bool
  /// How wrong it may be. It grows while nobody corrects it, up to 16 s, which stands for anything.
  public let greatestError: Duration

  /// As it is now; nil where the kernel does not say (a sandbox may forbid the question).
  public static var current: ClockHealth? {
    // No modes: nothing is set.
    var values = timex()
    let state = adjtimex(&values)
    guard state >= 0 else { return nil }
    return ClockHealth(
      isSynchronized: state != TIME_ERROR && values.status & STA_UNSYNC == 0,
      greatestError: .microseconds(values.maxerror))
  }
}
