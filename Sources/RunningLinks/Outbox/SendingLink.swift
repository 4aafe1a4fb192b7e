// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// Sends the messages of one link, one after another. It asks the center for the content immediately before each
/// attempt, so that a notification that was answered while the server was away is not sent.
///
/// Confined to the loop's thread.
final class SendingLink {
  let name: LinkName
  private let sender: any MessageSender
  private let record: LinkRecord
  private let center: any OutboxCenter
  private let timing: LinkTiming
  private let loop: EventLoop
  private var allowance: MessageAllowance
  private var backoff: Backoff
  private var generator: any RandomNumberGenerator
  private var numbers: [UInt64] = []
  /// The messages that the server has, and that are not yet reported to the center.
  private var sent: Set<UInt64> = []
  private var isBusy = false
  private var isStopped = false
  private var waiting: EventLoop.Deadline?
  /// Set while the center does not answer.
  private var centerPause: EventLoop.Deadline?

  init(
    _ name: LinkName, _ sender: any MessageSender, _ limits: LinkLimits, _ record: LinkRecord,
    from center: any OutboxCenter, timing: LinkTiming, on loop: EventLoop
  ) {
    (self.name, self.sender, self.record, self.center) = (name, sender, record, center)
    (self.timing, self.loop) = (timing, loop)
    allowance = MessageAllowance(perMinute: limits.messagesPerMinute)
    backoff = Backoff(first: timing.firstPause, longest: timing.longestPause)
    generator = timing.generator
  }

  /// Replaces the list of messages that wait for this link.
  func set(_ numbers: [UInt64]) {
    // A message that the center no longer lists is not sent, unless it is under way already.
    let underWay = isBusy ? self.numbers.prefix(1) : []
    self.numbers = underWay + numbers.filter { !underWay.contains($0) }
    sent.formIntersection(self.numbers)
    // The center has answered.
    centerPause?.cancel()
    centerPause = nil
    next()
  }

  func stop() {
    isStopped = true
    waiting?.cancel()
    centerPause?.cancel()
    sender.stop()
    numbers = []
  }

  private func next() {
    guard !isStopped, !isBusy, waiting == nil, centerPause == nil, let number = numbers.first else { return }
    if !sent.contains(number), let pause = allowance.take(at: EventLoop.Clock.monotonic.now) { return wait(pause) }
    isBusy = true
    loop.start { await self.send(number) }
  }

  private func send(_ number: UInt64) async {
    let pause = await attempt(number)
    isBusy = false
    if isStopped { return }
    if let pause { wait(pause) } else { next() }
  }

  /// Returns the pause before the next attempt; nil if the number is done, or the center does not answer.
  private func attempt(_ number: UInt64) async -> Duration? {
    if !sent.contains(number) {
      let answer: SendAnswer
      switch await center.take(number) {
      case .gone, .call:
        remove(number)
        return nil
      case .unavailable:
        waitForCenter()
        return nil
      case .message(let message): answer = await sender.send(message)
      case .answer(let one): answer = await sender.send(one)
      }
      switch answer {
      case .sent: noteSent(number)
      case .refused(let reason): return await finish(number, as: .failed(reason))
      case .unavailable(let reason, let isTemporary, let pause):
        if isStopped { return nil }
        record.change { $0.sendError = reason }
        _ = await center.finish(number, as: .waiting("\(name): \(reason)"))
        let usual = isTemporary ? backoff.next(using: &generator) : timing.pauseAfterRefusal
        return max(usual, pause ?? .zero)
      }
    }
    return await finish(number, as: .sent)
  }

  private func noteSent(_ number: UInt64) {
    sent.insert(number)
    backoff.reset()
    record.change {
      $0.sent += 1
      $0.lastSent = LinkRecord.now
      $0.sendError = nil
    }
  }

  private func finish(_ number: UInt64, as end: OutgoingEnd) async -> Duration? {
    // A message that the server has stays in ``sent``, so that it is not sent again.
    if await center.finish(number, as: end) {
      sent.remove(number)
      remove(number)
    } else {
      waitForCenter()
    }
    return nil
  }

  private func remove(_ number: UInt64) { numbers.removeAll { $0 == number } }

  /// Pauses; usually the center reports that it is back before the pause ends.
  private func waitForCenter() {
    centerPause?.cancel()
    centerPause = loop.schedule(after: timing.longestCenterPause) { [weak self] in
      self?.centerPause = nil
      self?.next()
    }
  }

  private func wait(_ pause: Duration) {
    // This clock goes on while the machine sleeps: when it wakes, the network is probably back.
    waiting = loop.schedule(at: EventLoop.Clock.elapsed.now + pause, on: .elapsed) { [weak self] in
      self?.waiting = nil
      self?.next()
    }
  }
}
