// SPDX-License-Identifier: Apache-2.0

/// Clocks and timers: those of the machine, or those of a test.
///
/// All times are in milliseconds. It is used on one thread, which also runs its callbacks.
public protocol TimeSource: AnyObject {
  /// The wall clock.
  var wall: Timestamp { get }
  /// The elapsed time since the machine started, including sleep.
  var elapsed: Int64 { get }
  /// Identifies one run of the machine, because `elapsed` restarts with each.
  var boot: String { get }
  /// Whether the wall clock is synchronized.
  var isSynchronised: Bool { get }
  /// Called at the alarm's date.
  var whenDue: () -> Void { get set }
  /// Called when the wall clock was set, and after the machine slept.
  var whenSet: () -> Void { get set }
  /// Replaces the alarm; `waking` wakes a sleeping machine, where that is allowed.
  func setAlarm(at date: Timestamp?, waking: Timestamp?)
  /// Calls once after that much elapsed time.
  func call(after milliseconds: Int64, _ body: @escaping () -> Void)
  /// Calls once, after everything that already waits.
  func callNext(_ body: @escaping () -> Void)
  /// Runs `work`, which may wait for the disk, on another thread; then calls `done` on this one.
  func callAway<T: Sendable>(_ work: @escaping @Sendable () -> T, then done: @escaping (T) -> Void)
}
