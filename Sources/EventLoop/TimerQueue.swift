// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemFiles

/// The deadlines of one clock behind one timerfd, which is armed for the nearest.
final class TimerQueue {
  private let clock: EventLoop.Clock
  private let wakesMachine: Bool
  private let timer: Descriptor
  private var deadlines = DeadlineHeap()
  /// When the kernel will wake us; nil: not at all.
  private var armed: Duration?
  private var observers: [UInt64: () -> Void] = [:]
  private var lastObserver: UInt64 = 0
  /// The clock was set, and the observers do not know yet.
  private var hasUntoldSetting = false

  /// `wakesMachine`: on the wall clock, and by a timer that the machine gets up for.
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

  func add(at date: Duration, _ action: @escaping () -> Void) -> DeadlineHeap.Key {
    deadlines.insert(at: date, action)
  }

  func remove(_ key: DeadlineHeap.Key) {
    deadlines.remove(key)
  }

  /// Forgets all deadlines and observers.
  func removeAll() {
    // What goes with an action may lift other deadlines.
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
  /// A nearest date that moved *away* is left to a single early wake-up: a time limit that is set and lifted with every
  /// call would otherwise cost two system calls each. But not where the machine would wake up for it.
  func arm() {
    if wakesMachine && armed != deadlines.nearest { disarm() }
    // Whoever only wants to hear of the clock being set needs a timer as well, one that never comes.
    guard let nearest = deadlines.nearest ?? (observers.isEmpty ? nil : .seconds(Int64.max)) else { return }
    if let armed, armed <= nearest { return }
    arm(for: nearest)
  }

  private func arm(for date: Duration) {
    armed = date
    // All zero means "disarm" to the kernel, and the dates before the clock's zero mean "at once" to us.
    var setting = itimerspec()
    setting.it_value = timespec(max(date, .nanoseconds(1)))
    var flags = Int32(TFD_TIMER_ABSTIME)
    if clock == .wall && !wakesMachine { flags |= Int32(TFD_TIMER_CANCEL_ON_SET) }
    // ECANCELED: armed, but the clock was set before, which the kernel will not say again. This is no place to call
    // observers (the loop is about to wait), so the timer comes at once.
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

  /// The descriptor became readable: the time has come, or (wall clock) the clock was set.
  func expire() {
    var expirations: UInt64 = 0
    let count = read(timer.number, &expirations, MemoryLayout.size(ofValue: expirations))
    if count < 0 && errno == EAGAIN { return }
    if count < 0 && errno == ECANCELED { hasUntoldSetting = true }
    armed = nil
    if hasUntoldSetting { tellSetting() }
    // Counted, because an action may schedule the next one for a date that has passed, and so on for ever.
    let now = clock.now
    var remaining = deadlines.count
    while remaining > 0, let action = deadlines.popDue(at: now) {
      remaining -= 1
      action()
    }
  }

  private func tellSetting() {
    hasUntoldSetting = false
    for key in observers.keys.sorted() { observers[key]?() }
  }

  /// What the kernel's ECANCELED leads to, for tests: they may not set the machine's clock.
  func pretendClockWasSet() { announceSetting() }
}
