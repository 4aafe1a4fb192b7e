// SPDX-License-Identifier: Apache-2.0

/// What time it is, and a call when it is time: the machine's clocks, or those of a test.
///
/// All times are in milliseconds. It is used on one thread, where it calls back as well.
public protocol TimeSource: AnyObject {
  /// What the clock on the wall shows, since 1970.
  var wall: Int64 { get }
  /// How much time has really gone by since the machine started, asleep or awake.
  var elapsed: Int64 { get }
  /// Tells one run of the machine from another, because `elapsed` begins anew with each.
  var boot: String { get }
  /// Whether somebody vouches for the clock on the wall.
  var isSynchronised: Bool { get }
  /// Called when the alarm's date has come.
  var whenDue: () -> Void { get set }
  /// Called when the clock on the wall was set, and after the machine slept.
  var whenSet: () -> Void { get set }
  /// One alarm, in the place of the one before; for `waking` a sleeping machine is woken, where that is allowed.
  func setAlarm(at date: Int64?, waking: Int64?)
  /// Calls once, so much elapsed time from now.
  func call(after milliseconds: Int64, _ body: @escaping () -> Void)
  /// Calls once, after everything that waits already.
  func callNext(_ body: @escaping () -> Void)
}
