// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// The machine's clocks, on an event loop.
public final class MachineTime: TimeSource {
  private let loop: EventLoop
  private var alarm: EventLoop.Deadline?
  private var waking: EventLoop.Deadline?
  private var observation: EventLoop.ClockObservation?
  /// Called at the alarm's date.
  public var whenDue: () -> Void = {}
  /// Called when the wall clock was set.
  public var whenSet: () -> Void = {}
  /// The boot id of the kernel.
  public let boot: String

  /// Must be called on the loop's thread.
  public init(on loop: EventLoop) {
    self.loop = loop
    boot = BootID.current?.text ?? ""
    observation = loop.onClockSet { [weak self] in self?.whenSet() }
  }

  /// The wall clock.
  public var wall: Timestamp { Timestamp(milliseconds: EventLoop.Clock.wall.now.wholeMilliseconds) }
  /// Milliseconds since the start of the machine, including sleep.
  public var elapsed: Int64 { EventLoop.Clock.elapsed.now.wholeMilliseconds }

  // If the kernel does not tell, assume a correct clock.
  /// Whether the clock is synchronized.
  public var isSynchronised: Bool { ClockHealth.current?.isSynchronized ?? true }

  /// Replaces the alarm.
  public func setAlarm(at date: Timestamp?, waking: Timestamp?) {
    alarm?.cancel()
    alarm = date.map { date in
      loop.schedule(at: .milliseconds(date.milliseconds), on: .wall) { [weak self] in self?.whenDue() }
    }
    self.waking?.cancel()
    self.waking = waking.flatMap { loop.wakeMachine(at: .milliseconds($0.milliseconds)) }
  }

  /// Calls once after that much elapsed time.
  public func call(after milliseconds: Int64, _ body: @escaping () -> Void) {
    _ = loop.schedule(at: EventLoop.Clock.elapsed.now + .milliseconds(milliseconds), on: .elapsed, body)
  }

  /// Calls once, in the next turn of the loop.
  public func callNext(_ body: @escaping () -> Void) { loop.performNext(body) }

  /// Runs `work` on another thread, then calls `done` on the loop.
  public func callAway<T: Sendable>(_ work: @escaping @Sendable () -> T, then done: @escaping (T) -> Void) {
    loop.performAway(work, then: done)
  }

  /// Stops observing the clock, and cancels the alarm.
  public func end() {
    setAlarm(at: nil, waking: nil)
    observation?.cancel()
    observation = nil
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
