// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// The way to the notification server, which comes and goes, refuses and hangs; and what stands in line for it.
final class ServerLink {
  private let loop: EventLoop
  private let server: NotificationServerClient
  private let timeouts: Timeouts
  /// Announces on the bus that the server is another one.
  private let announce: () -> Void
  /// Hears that posting may go on.
  var whenOpen: () -> Void = {}
  /// What the server is and can do; nil while there is none.
  private(set) var state: ServerState?
  var queue: PostQueue
  var early = EarlyEvents()
  private var isActivating = false
  private var hasSaidAbsent = false
  /// The end of a pause, or the next question whether a hung server is there again.
  private var nextAttempt: EventLoop.Deadline?
  private var isProbing = false

  init(to server: NotificationServerClient, on loop: EventLoop, timeouts: Timeouts, announce: @escaping () -> Void) {
    self.server = server
    self.loop = loop
    self.timeouts = timeouts
    self.announce = announce
    queue = PostQueue(timeouts: timeouts)
  }

  // MARK: Coming and going

  func appeared(_ state: ServerState) {
    self.state = state
    nextAttempt?.cancel()
    queue.reopen()
    queue.succeed()
    hasSaidAbsent = false
    Log.info("notification server", "\(state.information.name) \(state.information.version)")
    announce()
  }

  func vanished() {
    let wasThere = state != nil
    state = nil
    early.forgetAll()
    guard wasThere else { return }
    Log.info("notification server", "gone")
    announce()
  }

  /// Asks the bus for a server, once for everything that waits; without one it waits for one to appear.
  func activate() {
    guard !isActivating, !queue.isEmpty else { return }
    isActivating = true
    loop.startLater { await self.askForServer() }
  }

  private func askForServer() async {
    do {
      try await server.activate()
    } catch {
      // Each request asks, and most get the same answer.
      if !hasSaidAbsent { Log.info("no notification server; notifications wait for one", "\(error)") }
      hasSaidAbsent = true
    }
    isActivating = false
  }

  // MARK: Calls

  /// Shows a notification. `whenLate` gets a number that comes after the time limit.
  func notify(
    _ notification: ServerNotification, replacing number: UInt32, whenLate: @escaping (PostedNumber) -> Void
  ) async throws(PostFailure) -> PostedNumber {
    try await server.post(notification, replacing: number, whenLate: loop.confine(whenLate))
  }

  /// The call leaves at once, and its answer does not matter: a server that hangs must not hold up the next click.
  func close(_ number: PostedNumber) {
    // `try?`: what does not work is gone already, or about to be.
    loop.start { try? await self.server.close(number) }
  }

  // MARK: A server that refuses, or hangs

  func pause() {
    guard queue.state == .open || queue.state == .draining else { return }
    queue.state = .pausing
    nextAttempt = loop.schedule(after: queue.nextPause()) { [weak self] in
      self?.queue.reopen()
      self?.whenOpen()
    }
  }

  func hangs() {
    guard queue.state != .hung else { return }
    nextAttempt?.cancel()
    queue.state = .hung
    Log.warning("the notification server does not answer; asking it again every", timeouts.pauses.probe.text)
    probeLater()
  }

  private func probeLater() {
    nextAttempt = loop.schedule(after: timeouts.pauses.probe) { [weak self] in self?.probe() }
  }

  /// Asks a server that hung whether it is there again. The question goes behind what the server has yet to answer.
  func probe() { loop.startLater { await self.askWhetherItAnswers() } }

  private func askWhetherItAnswers() async {
    guard queue.state == .hung, state != nil, !isProbing else { return }
    nextAttempt?.cancel()
    isProbing = true
    let answers = await server.answers()
    isProbing = false
    guard queue.state == .hung else { return }
    if answers {
      queue.reopen()
      whenOpen()
    } else {
      probeLater()
    }
  }
}
