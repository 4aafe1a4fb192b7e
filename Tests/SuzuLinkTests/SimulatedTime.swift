// SPDX-License-Identifier: Apache-2.0
import EventLoop

/// A loop whose clocks move to the next deadline or event when it has nothing left to do, so that an hour takes no
/// longer than what happens in it. It has no sockets.
final class SimulatedTime {
  let loop: EventLoop
  private let clocks = SimulatedClocks(
    monotonic: .seconds(1000), elapsed: .seconds(1000), wall: .seconds(1_790_000_000))
  private let start: Duration
  private var events: [(date: Duration, body: () -> Void)] = []

  init() throws {
    loop = try EventLoop(simulating: clocks)
    start = clocks.monotonic
  }

  /// The time since the beginning.
  var now: Duration { clocks.monotonic - start }

  /// Something that happens at a time since the beginning, on the loop; in the order in which they are added.
  func at(_ date: Duration, _ body: @escaping () -> Void) {
    events.append((date, body))
    events.sort { $0.date < $1.date }
  }

  /// Runs everything up to a time since the beginning, on the calling thread.
  func run(until end: Duration) {
    clocks.install()
    clocks.whenIdle = { [unowned self] in goOn(until: end) }
    loop.run()
    clocks.whenIdle = {}
    clocks.uninstall()
  }

  private func goOn(until end: Duration) {
    let deadlines = EventLoop.Clock.allCases.compactMap { clock in
      loop.nearestDeadline(on: clock).map { now + max(.zero, $0 - clock.now) }
    }
    let (deadline, event) = (deadlines.min() ?? end, events.first?.date ?? end)
    let next = min(deadline, event)
    guard next < end else {
      move(to: end)
      return loop.stop()
    }
    move(to: next)
    if event <= deadline { events.removeFirst().body() } else { loop.runDeadlines() }
  }

  private func move(to date: Duration) {
    let step = max(.zero, date - now)
    clocks.monotonic += step
    clocks.elapsed += step
    clocks.wall += step
  }
}
