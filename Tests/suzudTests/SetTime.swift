// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import Testing
import Zoneinfo

/// A clock that a test sets. Its timers never fire.
final class SetTime: TimeSource {
  var wall = Timestamp(milliseconds: 1_000_000_000)
  let elapsed: Int64 = 0
  let boot = "boot"
  let isSynchronised = true
  var whenDue: () -> Void = {}
  var whenSet: () -> Void = {}

  func set(_ text: String) throws {
    wall = Timestamp(milliseconds: try #require(Instant(rfc3339: text)).seconds * 1000)
  }

  func setAlarm(at date: Timestamp?, waking: Timestamp?) {}
  func call(after milliseconds: Int64, _ body: @escaping () -> Void) {}
  func callNext(_ body: @escaping () -> Void) {}
  func callAway<T: Sendable>(_ work: @escaping @Sendable () -> T, then done: @escaping (T) -> Void) {}
}
