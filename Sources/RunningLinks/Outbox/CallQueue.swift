// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// The calls of servers that actions make: each once, unless this program is killed in the middle. Without a
/// connection, nothing was sent, and the call is tried again.
///
/// Confined to the loop's thread.
final class CallQueue {
  private let center: any OutboxCenter
  private let transfers: Transfers
  private let timing: LinkTiming
  private let loop: EventLoop
  private var backoff: Backoff
  private var generator: any RandomNumberGenerator
  /// What waits, in its order.
  private var numbers: [UInt64] = []
  private var running: [UInt64: Transfer?] = [:]
  /// What was carried out, and the center does not know yet.
  private var ended: [UInt64: OutgoingEnd] = [:]
  private var waiting: EventLoop.Deadline?
  private var isStopped = false
  /// The hosts that a link allows; nil if there is no such link.
  private let hosts: (String) -> [CallHost]?
  /// Called when nothing is left, after there was something.
  var whenEmpty: () -> Void = {}

  /// How many are made at the same time.
  private static let most = 8

  /// - Parameter hosts: the servers that calls of a link may go to; nil if there is no such link.
  init(
    from center: any OutboxCenter, _ transfers: Transfers, hosts: @escaping (String) -> [CallHost]?, timing: LinkTiming,
    on loop: EventLoop
  ) {
    (self.center, self.transfers, self.hosts, self.timing, self.loop) = (center, transfers, hosts, timing, loop)
    backoff = Backoff(first: timing.firstPause, longest: timing.longestPause)
    generator = timing.generator
  }

  /// What waits, as the center says.
  func set(_ numbers: [UInt64]) {
    self.numbers = numbers.filter { running[$0] == nil }
    ended = ended.filter { numbers.contains($0.key) }
    next()
  }

  func stop() {
    isStopped = true
    waiting?.cancel()
    numbers = []
    for case let transfer? in running.values {
      transfers.stop(transfer)
      transfer.whenEnded(.failed(TransferFailure(problem: "suzu-link has ended")))
    }
  }

  private func next() {
    while !isStopped, waiting == nil, running.count < Self.most, !numbers.isEmpty {
      let number = numbers.removeFirst()
      running[number] = .some(nil)
      loop.start { await self.carryOut(number) }
    }
  }

  private func carryOut(_ number: UInt64) async {
    let isOver = await attempt(number)
    running[number] = nil
    if isStopped { return }
    if !isOver {
      numbers.append(number)
      if waiting == nil { wait(backoff.next(using: &generator)) }
    }
    next()
    if numbers.isEmpty, running.isEmpty { whenEmpty() }
  }

  /// Returns whether the number is done.
  private func attempt(_ number: UInt64) async -> Bool {
    if ended[number] == nil {
      switch await center.take(number) {
      case .gone, .message, .answer: return true
      case .unavailable: return false
      case .call(let call):
        let end = if let refusal = refusal(of: call) { OutgoingEnd.failed(refusal) } else { await make(call, number) }
        if isStopped { return true }
        if case .waiting = end {
          _ = await center.finish(number, as: end)
          return false
        }
        backoff.reset()
        ended[number] = end
      }
    }
    guard let end = ended[number], await center.finish(number, as: end) else { return false }
    ended[number] = nil
    return true
  }

  /// Why a call that a message has brought is not made. The link may have changed since the message came.
  private func refusal(of call: OutgoingCall) -> String? {
    guard let link = call.link else { return nil }
    guard let hosts = hosts(link) else { return "there is no link '\(link)' any more, whose message wants the call" }
    return hosts.contains(call.host) ? nil : "the link '\(link)' no longer allows calls of this server; see --hosts"
  }

  private func make(_ call: OutgoingCall, _ number: UInt64) async -> OutgoingEnd {
    do throws(TransferFailure) {
      let transfer = try Transfer(
        Transfer.Request(
          url: call.url, server: call.server, authority: nil, certificate: nil,
          sending: Transfer.Sending(
            method: call.method, headers: call.headers, body: call.body, limit: timing.callLimit)))
      running[number] = transfer
      switch await transfers.end(of: transfer) {
      case .answered(let status, _):
        switch CallAnswer(status: status) {
        case .done: return .sent
        case .failed(let reason): return .failed(reason)
        }
      case .failed(let failure): throw failure
      }
    } catch {
      return error.isUnsent ? .waiting("\(error.problem)") : .failed(error.problem)
    }
  }

  private func wait(_ pause: Duration) {
    waiting = loop.schedule(at: EventLoop.Clock.elapsed.now + pause, on: .elapsed) { [weak self] in
      self?.waiting = nil
      self?.next()
    }
  }
}
