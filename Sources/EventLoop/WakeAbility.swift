// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Whether this process can wake the machine from sleep, and if not, why.
public struct WakeAbility: Hashable, Sendable {
  /// Whether the machine has a clock that runs during sleep and can raise an alarm.
  public let hasAlarmClock: Bool
  /// Whether the process may set the alarm, which requires the capability CAP_WAKE_ALARM.
  public let isPermitted: Bool

  /// Whether both are true.
  public var isAble: Bool { hasAlarmClock && isPermitted }

  /// Reads the current state; sets nothing.
  public static var current: WakeAbility {
    // The kernel creates such timers without a clock as well; only reading the clock shows whether there is one.
    var resolution = timespec()
    let hasAlarmClock = clock_getres(CLOCK_REALTIME_ALARM, &resolution) == 0
    let timer = timerfd_create(CLOCK_REALTIME_ALARM, Int32(TFD_CLOEXEC))
    let isPermitted = timer >= 0 || errno != EPERM
    if timer >= 0 { close(timer) }
    return WakeAbility(hasAlarmClock: hasAlarmClock, isPermitted: isPermitted)
  }
}

extension EventLoop {
  /// Wakes a sleeping machine when the wall clock reads `date`; returns nil if that is impossible.
  ///
  /// It only wakes the machine: the action at that date needs a wall clock deadline of its own, which fires then in any
  /// case.
  public func wakeMachine(at date: Duration) -> Deadline? {
    preconditionOnLoop()
    guard let timers = alarmTimers() else { return nil }
    return Deadline(loop: self, timers: timers, key: timers.add(at: date) {})
  }

  private func alarmTimers() -> TimerQueue? {
    if let alarms { return alarms }
    guard WakeAbility.current.isAble else { return nil }
    return try? makeAlarms()
  }

  /// Whether such timers can be created, with or without a clock.
  @discardableResult
  func makeAlarms() throws(EventLoopError) -> TimerQueue {
    let timers = try TimerQueue(clock: .wall, wakesMachine: true)
    try poller.add(timers.descriptor, .readable) { _ in timers.expire() }
    alarms = timers
    return timers
  }
}
