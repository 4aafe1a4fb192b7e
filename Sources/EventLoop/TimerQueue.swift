// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemFiles

/// The deadlines of one clock, with one timerfd that is armed for the nearest.
final class TimerQueue {
  private let clock: EventLoop.Clock
  private let wakesMachine: Bool
  private let timer: Descriptor
  private var deadlines = DeadlineHeap()
  /// The date for which the kernel's timer is armed; nil if it is not.
  private var armed: Duration?
  private var observers: [UInt64: () -> Void] = [:]
  private var lastObserver: UInt64 = 0
  /// The clock was set, and the observers have not been called yet.
  private var hasUntoldSetting = false

  /// `wakesMachine`: uses the wall clock, and a timer that wakes the machine.
  init(clock: EventLoop.Clock, wakesMachine: Bool = false) throws(EventLoopError) {
    self.clock = clock
    self.wakesMachine = wakesMachine
    let identifier = wakesMachine ? CLOCK_REALTIME_ALARM : clock.identifier
    timer = try Descriptor(opening: "timerfd_create") {
      timerfd_create(identifier, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    }
  }

  var descriptor: Int32 { timer.number }
  var count: Int { deadlines.count }
  var nearest: Duration? { deadlines.nearest }

  func add(at date: Duration, _ action: @escaping () -> Void) -> DeadlineHeap.Key {
    deadlines.insert(at: date, action)
  }

  func remove(_ key: DeadlineHeap.Key) {
    deadlines.remove(key)
  }

  /// Removes all deadlines and observers.
  func removeAll() {
    // Releasing an action may cancel other deadlines.
    while let nearest = deadlines.nearest { _ = deadlines.popDue(at: nearest) }
    observers = [:]
  }

  func addObserver(_ observer: @escaping () -> Void) -> UInt64 {
    lastObserver += 1
    observers[lastObserver] = observer
    return lastObserver
  }

  func removeObserver(_ key: UInt64) {
    observers[key] = nil
  }

  /// Arms the timer before a wait.
  ///
  /// If the nearest date moves *away*, the timer stays armed and causes a single early wake-up: a time limit that is
  /// set and cancelled with every call would otherwise cost two system calls each. This does not apply to timers that
  /// wake the machine.
  func arm() {
    if wakesMachine && armed != deadlines.nearest { disarm() }
    // To detect that the clock is set without any deadline, arm a timer that never expires.
    guard let nearest = deadlines.nearest ?? (observers.isEmpty ? nil : .seconds(Int64.max)) else { return }
    if let armed, armed <= nearest { return }
    arm(for: nearest)
  }

  private func arm(for date: Duration) {
    armed = date
    // For the kernel, all zero means "disarm"; for us, dates before the clock's zero mean "at once".
    var setting = itimerspec()
    setting.it_value = timespec(max(date, .nanoseconds(1)))
    var flags = Int32(TFD_TIMER_ABSTIME)
    if clock == .wall && !wakesMachine { flags |= Int32(TFD_TIMER_CANCEL_ON_SET) }
    // ECANCELED: the timer is armed, but the clock was set before, which the kernel reports only once. Observers cannot
    // be called here (the loop is about to wait), so make the timer expire at once.
    if timerfd_settime(timer.number, flags, &setting, nil) != 0 && errno == ECANCELED { announceSetting() }
  }

  private func disarm() {
    armed = nil
    var never = itimerspec()
    timerfd_settime(timer.number, 0, &never, nil)
  }

  private func announceSetting() {
    if hasUntoldSetting { return }
    hasUntoldSetting = true
    arm(for: .zero)
  }

  /// Called when the descriptor is readable: a date has come, or the wall clock was set.
  func expire() {
    var expirations: UInt64 = 0
    let count = read(timer.number, &expirations, MemoryLayout.size(ofValue: expirations))
    if count < 0 && errno == EAGAIN { return }
    if count < 0 && errno == ECANCELED { hasUntoldSetting = true }
    armed = nil
    if hasUntoldSetting { tellSetting() }
    callDue()
  }

  /// Calls the actions whose date has come.
  func callDue() {
    // Counted, because an action may schedule another one for a date that has passed, and so on for ever.
    let now = clock.now
    var remaining = deadlines.count
    while remaining > 0, let action = deadlines.popDue(at: now) {
      remaining -= 1
      action()
    }
  }

  func tellSetting() {
    hasUntoldSetting = false
    for key in observers.keys.sorted() { observers[key]?() }
  }

  /// Simulates the kernel's ECANCELED for tests, which may not set the machine's clock.
  func pretendClockWasSet() { announceSetting() }
}
