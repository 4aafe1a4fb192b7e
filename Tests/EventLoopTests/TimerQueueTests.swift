// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Testing

@testable import EventLoop

/// Tests the deadlines of one clock.
@Suite(.timeLimit(.minutes(1))) struct TimerQueueTests {
  /// Waits for the timer as the loop does; whether it came.
  private func turn(_ timers: TimerQueue, within milliseconds: Int32 = 10_000) -> Bool {
    timers.arm()
    guard becomesReadable(timers.descriptor, within: milliseconds) else { return false }
    timers.expire()
    return true
  }

  @Test(arguments: EventLoop.Clock.allCases)
  func `Deadlines come in the order of their dates, never early`(clock: EventLoop.Clock) throws {
    let timers = try TimerQueue(clock: clock)
    var order: [Int] = []
    let start = clock.now
    for (number, delay) in [30, 10, 20, 10].enumerated() {
      let date = start + .milliseconds(delay)
      _ = timers.add(at: date) {
        #expect(clock.now >= date)
        order.append(number)
      }
    }
    while timers.count > 0 { #expect(turn(timers)) }
    #expect(order == [1, 3, 2, 0])
  }

  @Test(arguments: EventLoop.Clock.allCases, [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)])
  func `A date that has passed comes at once`(clock: EventLoop.Clock, date: Duration) throws {
    let timers = try TimerQueue(clock: clock)
    var calls = 0
    _ = timers.add(at: date) { calls += 1 }
    #expect(turn(timers))
    #expect(calls == 1)
  }

  @Test(arguments: EventLoop.Clock.allCases)
  func `The last possible date never comes and delays no other`(clock: EventLoop.Clock) throws {
    let timers = try TimerQueue(clock: clock)
    var calls = 0
    for date in [Duration.seconds(Int64.max), .seconds(Int64.max) * 10, .seconds(1 << 40)] {
      _ = timers.add(at: date) { calls += 1 }
    }
    #expect(!turn(timers, within: 0))
    _ = timers.add(at: clock.now) { calls += 10 }
    #expect(turn(timers))
    #expect(calls == 10)
  }

  @Test func `A deadline may cancel another that is due too`() throws {
    let timers = try TimerQueue(clock: .monotonic)
    var order: [Int] = []
    var second: DeadlineHeap.Key?
    _ = timers.add(at: .zero) {
      order.append(1)
      if let second { timers.remove(second) }
    }
    second = timers.add(at: .zero) { order.append(2) }
    #expect(turn(timers))
    #expect(order == [1])
    #expect(timers.count == 0)
  }

  @Test func `A deadline that sets its successor in the past delays no other work`() throws {
    let timers = try TimerQueue(clock: .monotonic)
    var calls = 0
    var next: DeadlineHeap.Key?
    func again() {
      calls += 1
      next = timers.add(at: .zero, again)
    }
    again()
    #expect(turn(timers))
    #expect(calls == 2)
    #expect(turn(timers))
    #expect(calls == 3)
    if let next { timers.remove(next) }
  }

  @Test func `A cancelled deadline costs one early wake-up at most`() throws {
    let timers = try TimerQueue(clock: .monotonic)
    var calls = 0
    timers.remove(timers.add(at: EventLoop.Clock.monotonic.now + .milliseconds(20)) { calls += 1 })
    #expect(!turn(timers, within: 40), "it was never armed")
    let lifted = timers.add(at: EventLoop.Clock.monotonic.now + .milliseconds(20)) { calls += 1 }
    timers.arm()
    timers.remove(lifted)
    #expect(turn(timers))
    #expect(!turn(timers, within: 40))
    #expect(calls == 0)
  }

  @Test func `An observer hears that the wall clock was set before deadlines are checked`() throws {
    let timers = try TimerQueue(clock: .wall)
    var order: [String] = []
    _ = timers.addObserver { order.append("first") }
    let second = timers.addObserver { order.append("second") }
    _ = timers.add(at: .zero) { order.append("deadline") }
    timers.pretendClockWasSet()
    #expect(turn(timers))
    #expect(order == ["first", "second", "deadline"])
    timers.removeObserver(second)
    timers.pretendClockWasSet()
    #expect(turn(timers))
    #expect(order == ["first", "second", "deadline", "first"])
    #expect(!turn(timers, within: 20), "told once")
  }

  @Test func `A clock observer alone arms a timer that never fires`() throws {
    let timers = try TimerQueue(clock: .wall)
    _ = timers.addObserver {}
    #expect(!turn(timers, within: 0))
    var setting = itimerspec()
    #expect(timerfd_gettime(timers.descriptor, &setting) == 0)
    #expect(setting.it_value.tv_sec > 1 << 31)
  }
}
