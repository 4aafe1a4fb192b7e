// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// The machine's clocks, on a loop.
public final class MachineTime: TimeSource {
  private let loop: EventLoop
  private var alarm: EventLoop.Deadline?
  private var waking: EventLoop.Deadline?
  private var observation: EventLoop.ClockObservation?
  /// Called when the alarm's date has come.
  public var whenDue: () -> Void = {}
  /// Called when the clock on the wall was set.
  public var whenSet: () -> Void = {}
  /// The kernel's name for this run of the machine.
  public let boot: String

  /// On the loop's own thread.
  public init(on loop: EventLoop) {
    self.loop = loop
    boot = BootID.current?.text ?? ""
    observation = loop.onClockSet { [weak self] in self?.whenSet() }
  }

  /// Milliseconds since 1970.
  public var wall: Int64 { EventLoop.Clock.wall.now.wholeMilliseconds }
  /// Milliseconds since the start, sleep included.
  public var elapsed: Int64 { EventLoop.Clock.elapsed.now.wholeMilliseconds }

  // Where the kernel does not say, the clock is believed.
  /// Whether somebody keeps the clock right.
  public var isSynchronised: Bool { ClockHealth.current?.isSynchronized ?? true }

  /// One alarm, in the place of the one before.
  public func setAlarm(at date: Int64?, waking: Int64?) {
    alarm?.cancel()
    alarm = date.map { date in
      loop.schedule(at: .milliseconds(date), on: .wall) { [weak self] in self?.whenDue() }
    }
    self.waking?.cancel()
    self.waking = waking.flatMap { loop.wakeMachine(at: .milliseconds($0)) }
  }

  /// Calls once, after so much elapsed time.
  public func call(after milliseconds: Int64, _ body: @escaping () -> Void) {
    _ = loop.schedule(at: EventLoop.Clock.elapsed.now + .milliseconds(milliseconds), on: .elapsed, body)
  }

  /// Calls once, in the next turn of the loop.
  public func callNext(_ body: @escaping () -> Void) { loop.performNext(body) }

  /// Ends the observation of the clock and the alarm.
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
