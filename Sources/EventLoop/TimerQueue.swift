// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The deadlines of one clock behind one timerfd, which is armed for the nearest.
final class TimerQueue {
  private let clock: EventLoop.Clock
  private let timer: Descriptor
  private var deadlines = DeadlineHeap()
  /// When the kernel will wake us; nil: not at all.
  private var armed: Duration?
  private var clockObservers: [UInt64: () -> Void] = [:]
  private var lastObserver: UInt64 = 0

  init(clock: EventLoop.Clock) throws(EventLoopError) {
    self.clock = clock
    timer = try Descriptor(opening: "timerfd_create") {
      timerfd_create(clock.identifier, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    }
  }

  var descriptor: Int32 { timer.number }

  func add(at date: Duration, _ action: @escaping () -> Void) -> UInt64 {
    deadlines.insert(at: date, action)
  }

  func remove(_ key: UInt64) {
    deadlines.remove(key)
  }

  func observeSetting(_ observer: @escaping () -> Void) -> UInt64 {
    lastObserver += 1
    clockObservers[lastObserver] = observer
    return lastObserver
  }

  func removeObserver(_ key: UInt64) {
    clockObservers[key] = nil
  }

  /// Arms the timer before a wait.
  ///
  /// A nearest date that moved *away* is left to a single early wake-up: a time limit that is set and lifted with every
  /// call would otherwise cost two system calls each.
  func arm() {
    var nearest = deadlines.nearest
    if nearest == nil && !clockObservers.isEmpty { nearest = .seconds(Int64.max / 4_000_000_000) }
    guard let nearest else { return }
    if let armed, armed <= nearest { return }
    armed = nearest
    // All zero means "disarm" to the kernel, and the dates before 1970 mean "at once" to us.
    var setting = itimerspec()
    setting.it_value = timespec(max(nearest, .nanoseconds(1)))
    var flags = Int32(TFD_TIMER_ABSTIME)
    if clock == .wall { flags |= Int32(TFD_TIMER_CANCEL_ON_SET) }
    timerfd_settime(timer.number, flags, &setting, nil)
  }

  /// The descriptor became readable: the time has come, or (wall clock) the clock was set.
  func expire() {
    var expirations: UInt64 = 0
    let count = read(timer.number, &expirations, MemoryLayout.size(ofValue: expirations))
    if count < 0 && errno == EAGAIN { return }
    armed = nil
    if count < 0 && errno == ECANCELED { clockWasSet() }
    while let action = deadlines.popDue(at: clock.now) { action() }
  }

  /// Tells everybody who asked; the deadlines keep their dates and are compared with the new time afterwards.
  func clockWasSet() {
    armed = nil
    for key in clockObservers.keys.sorted() { clockObservers[key]?() }
  }
}
