// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Whether this process can have the machine woken from its sleep, and if not, why.
public struct WakeAbility: Hashable, Sendable {
  /// The machine has a clock that goes on while it sleeps, and can ring.
  public let hasAlarmClock: Bool
  /// The process may set it: it takes the capability CAP_WAKE_ALARM.
  public let isPermitted: Bool

  /// Both.
  public var isAble: Bool { hasAlarmClock && isPermitted }

  /// As it is now; nothing is set.
  public static var current: WakeAbility {
    // The kernel makes such timers without a clock behind them as well; only reading the clock tells.
    var resolution = timespec()
    let hasAlarmClock = clock_getres(CLOCK_REALTIME_ALARM, &resolution) == 0
    let timer = timerfd_create(CLOCK_REALTIME_ALARM, Int32(TFD_CLOEXEC))
    let isPermitted = timer >= 0 || errno != EPERM
    if timer >= 0 { close(timer) }
    return WakeAbility(hasAlarmClock: hasAlarmClock, isPermitted: isPermitted)
  }
}

extension EventLoop {
  /// Has the machine woken when the wall clock reads `date`, should it sleep then; nil where that cannot be.
  ///
  /// It only wakes: what is to be done at that date has a deadline of its own on the wall clock, which comes then, asleep
  /// before or not.
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

  /// Whether or not there is a clock behind them.
  @discardableResult
  func makeAlarms() throws(EventLoopError) -> TimerQueue {
    let timers = try TimerQueue(clock: .wall, wakesMachine: true)
    try poller.add(timers.descriptor, .readable) { _ in timers.expire() }
    alarms = timers
    return timers
  }
}
