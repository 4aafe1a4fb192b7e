// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Lets the bus pass a notification on before the center commits it. The kernel often wakes the bus on the center's
/// processor, and in every third case it waited for the commit, for as long as all else between an event and its
/// notification takes.
struct BusTurn {
  /// The elapsed time when a notification was last sent before its commit; nil if none was.
  private var last: Int64?

  /// Not for notifications in quick succession: on a busy machine, it takes milliseconds until the center runs again.
  mutating func yield(at elapsed: Int64) {
    if !isQuick(at: elapsed) { sched_yield() }
    last = elapsed
  }

  /// Whether one was sent just now.
  func isQuick(at elapsed: Int64) -> Bool { last.map { elapsed - $0 < Self.quickSuccession } ?? false }

  /// In milliseconds.
  private static let quickSuccession: Int64 = 10
}
