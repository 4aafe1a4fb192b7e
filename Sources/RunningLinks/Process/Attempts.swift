// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// The attempts of a link to connect: when the next one comes, and what is recorded of a loss.
///
/// Confined to the loop's thread.
final class Attempts {
  private let record: LinkRecord
  private let timing: LinkTiming
  private let loop: EventLoop
  private var backoff: Backoff
  private var generator: any RandomNumberGenerator
  private var waiting: EventLoop.Deadline?

  /// Called when it is time to connect.
  var whenDue: () -> Void = {}

  init(_ record: LinkRecord, timing: LinkTiming, on loop: EventLoop) {
    (self.record, self.timing, self.loop) = (record, timing, loop)
    backoff = Backoff(first: timing.firstPause, longest: timing.longestPause)
    generator = timing.generator
  }

  /// Plans the next attempt after a loss.
  ///
  /// - Parameters:
  ///   - pause: how long the server wants the link to wait.
  ///   - openedAt: when messages could come; nil if they never could.
  func plan(after problem: String, isTemporary: Bool, pause: Duration? = nil, openedAt: Duration?) {
    if let openedAt, EventLoop.Clock.monotonic.now - openedAt >= timing.steady { backoff.reset() }
    record.enter(isTemporary ? .waiting : .refused, error: problem)
    let usual = backoff.next(using: &generator)
    let whole = max(isTemporary ? usual : timing.pauseAfterRefusal, pause ?? .zero)
    waiting?.cancel()
    // This clock goes on while the machine sleeps: when it wakes, the time has probably come.
    waiting = loop.schedule(at: EventLoop.Clock.elapsed.now + whole, on: .elapsed) { [weak self] in self?.begin() }
  }

  /// Plans an attempt that follows no loss.
  func plan(after pause: Duration) {
    waiting?.cancel()
    waiting = loop.schedule(after: pause) { [weak self] in self?.begin() }
  }

  func cancel() {
    waiting?.cancel()
    waiting = nil
  }

  private func begin() {
    waiting = nil
    whenDue()
  }
}
