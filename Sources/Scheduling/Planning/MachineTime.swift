// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// The machine's clocks, on a loop.
public final class MachineTime: TimeSource {
  private let loop: EventLoop
  private var alarm: EventLoop.Deadline?
  private var observation: EventLoop.ClockObservation?
  public var whenDue: () -> Void = {}
  public var whenSet: () -> Void = {}
  public let boot: String

  /// On the loop's own thread.
  public init(on loop: EventLoop) {
    self.loop = loop
    let id = StoreFiles.read("/proc/sys/kernel/random/boot_id", count: 36) ?? []
    boot = String(decoding: id, as: UTF8.self)
    observation = loop.onClockSet { [weak self] in self?.whenSet() }
  }

  public var wall: Int64 { EventLoop.Clock.wall.now.wholeMilliseconds }
  public var elapsed: Int64 { EventLoop.Clock.elapsed.now.wholeMilliseconds }

  public var isSynchronised: Bool { true }

  public func setAlarm(at date: Int64?, waking: Int64?) {
    alarm?.cancel()
    alarm = date.map { date in
      loop.schedule(at: .milliseconds(date), on: .wall) { [weak self] in self?.whenDue() }
    }
  }

  public func call(after milliseconds: Int64, _ body: @escaping () -> Void) {
    _ = loop.schedule(at: EventLoop.Clock.elapsed.now + .milliseconds(milliseconds), on: .elapsed, body)
  }

  public func callNext(_ body: @escaping () -> Void) { loop.performNext(body) }

  /// Ends the observation of the clock and the alarm.
  public func end() {
    alarm?.cancel()
    alarm = nil
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
