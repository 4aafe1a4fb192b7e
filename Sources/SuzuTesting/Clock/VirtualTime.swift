// SPDX-License-Identifier: Apache-2.0
package import Scheduling
internal import Zoneinfo

/// Clocks and timers that only a test moves: the time of a scheduler, on one thread or under one lock.
package final class VirtualTime: TimeSource {
  package var wall: Timestamp
  package var elapsed: Int64 = 1_000_000
  package var boot = "first"
  package var isSynchronised = true
  package var whenDue: () -> Void = {}
  package var whenSet: () -> Void = {}
  package private(set) var alarm: Timestamp?
  package private(set) var waking: Timestamp?
  private var calls: [(at: Int64, body: () -> Void)] = []
  private var next: [() -> Void] = []
  /// The number of alarms that rang: an idle center has none.
  package private(set) var wakeUps = 0
  /// How many calls were put off to a turn of their own.
  package private(set) var turns = 0

  /// A clock that shows this time.
  package init(_ wall: Timestamp) { self.wall = wall }

  /// A clock that shows this time, which must be one in RFC 3339.
  package convenience init(_ text: String) { self.init(VirtualTime.date(text)) }

  /// The point in time of a text in RFC 3339.
  package static func date(_ text: String) -> Timestamp {
    Timestamp(milliseconds: (Instant(rfc3339: text)?.seconds ?? 0) * 1000)
  }

  package func setAlarm(at date: Timestamp?, waking: Timestamp?) {
    alarm = date
    self.waking = waking
  }

  package func call(after milliseconds: Int64, _ body: @escaping () -> Void) {
    calls.append((elapsed + milliseconds, body))
  }

  package func callNext(_ body: @escaping () -> Void) { next.append(body) }

  /// How much work was given to another thread.
  package private(set) var workAway = 0

  /// In a turn of its own, on this thread.
  package func callAway<T: Sendable>(_ work: @escaping @Sendable () -> T, then done: @escaping (T) -> Void) {
    workAway += 1
    next.append { done(work()) }
  }

  /// How long until something is due; nil if nothing is.
  package var nearest: Int64? {
    let alarm = alarm.map { max(0, $0 - wall) }
    return (calls.map { max(0, $0.at - elapsed) } + (alarm.map { [$0] } ?? [])).min()
  }

  /// Runs everything that is due now.
  package func runDue() { while runOne() {} }

  /// Runs one thing that is due now; returns whether there was any.
  package func runOne() -> Bool {
    if !next.isEmpty {
      turns += 1
      next.removeFirst()()
    } else if let index = calls.firstIndex(where: { $0.at <= elapsed }) {
      calls.remove(at: index).body()
    } else if let alarm, alarm <= wall {
      self.alarm = nil
      wakeUps += 1
      whenDue()
    } else {
      return false
    }
    return true
  }

  /// Time goes by, and nothing is missed.
  package func pass(_ milliseconds: Int64) {
    runDue()
    var left = milliseconds
    while true {
      let step = min(left, nearest ?? left)
      passUnnoticed(step)
      left -= step
      runDue()
      if left == 0 { return }
    }
  }

  /// The same for whole days.
  package func pass(days: Int64) { pass(days * 86_400_000) }

  /// Time passes while the machine sleeps or the center is off: no alarm fires.
  package func passUnnoticed(_ milliseconds: Int64) {
    wall += milliseconds
    elapsed += milliseconds
  }

  /// The wall clock is set.
  package func set(_ text: String) { set(to: VirtualTime.date(text)) }

  /// The wall clock is set.
  package func set(to date: Timestamp) {
    wall = date
    whenSet()
    runDue()
  }

  /// The center notices that the machine has slept.
  package func wakeUp() {
    whenSet()
    runDue()
  }

  /// Forgets all calls, as the end of a center does.
  package func forgetCalls() {
    calls = []
    next = []
    setAlarm(at: nil, waking: nil)
  }
}
