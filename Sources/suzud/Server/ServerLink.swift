// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// The link to the notification server, which comes and goes, refuses and hangs; and the queue of posts.
final class ServerLink {
  private let loop: EventLoop
  private let server: any ServerCalls
  private let timeouts: Timeouts
  /// Announces on the bus that the server has changed.
  private let announce: () -> Void
  /// Called when posting may continue.
  var whenOpen: () -> Void = {}
  /// The name and capabilities of the server; nil if there is none.
  private(set) var state: ServerState?
  var queue: PostQueue
  var early = EarlyEvents()
  /// Why the bus could not start a server when it was last asked; nil if one has come since.
  private var absence: PostFailure?
  private var isActivating = false
  /// The end of a pause, or the next probe of a hung server.
  private var nextAttempt: EventLoop.Deadline?
  private var isProbing = false

  init(to server: any ServerCalls, on loop: EventLoop, timeouts: Timeouts, announce: @escaping () -> Void) {
    self.server = server
    self.loop = loop
    self.timeouts = timeouts
    self.announce = announce
    queue = PostQueue(timeouts: timeouts)
  }

  // MARK: Coming and going

  func appeared(_ state: ServerState) {
    self.state = state
    absence = nil
    nextAttempt?.cancel()
    queue.reopen()
    queue.succeed()
    queue.window = state.traits.known.rest == nil ? PostQueue.window : 1
    if let time = state.traits.known.blindTime { wait(in: .pausing, for: time) }
    Log.info("notification server", "\(state.information.name) \(state.information.version)")
    announce()
  }

  /// Why the server did not start; nil if it did, or if there is none to start.
  var failure: String? { absence == .gone ? nil : absence?.text }

  func vanished() {
    let wasThere = state != nil
    state = nil
    early.forgetAll()
    guard wasThere else { return }
    Log.info("notification server", "gone")
    announce()
  }

  /// Asks the bus to start a server, once for all that wait; without one, they wait until one appears.
  func activate() {
    guard !isActivating, !queue.isEmpty else { return }
    isActivating = true
    loop.startLater { await self.askForServer() }
  }

  private func askForServer() async {
    do throws(PostFailure) {
      try await server.start()
    } catch {
      // Logged once, because each request asks, and most get the same answer.
      if absence == nil { Log.info("no notification server; notifications wait for one", error.text) }
      absence = error
    }
    isActivating = false
  }

  /// Whether the server shows this request at once if it is due: the server is there or about to start, answers, and
  /// has room for it.
  func isShowing(_ key: RequestKey) -> Bool {
    if state == nil { return isActivating }
    return [.open, .draining, .resting].contains(queue.state) && !queue.isHeld(key)
  }

  // MARK: Calls

  /// Sends a notification. Unless this throws, `answered` is called once, in the order of the server's answers, and
  /// `whenLate` with a number that arrives after the time limit.
  ///
  /// Both are called in the loop's next turn: as long as answers are read, none of them lets the next notification be
  /// sent, so that a commit records at most a window of them.
  func post(
    _ notification: ServerNotification, replacing number: UInt32,
    answered: @escaping (Result<PostedNumber, PostFailure>) -> Void, whenLate: @escaping (PostedNumber) -> Void
  ) throws(PostFailure) {
    try server.post(
      notification, replacing: number,
      answered: loop.confine { [loop] answer in loop.performNext { answered(answer) } },
      whenLate: loop.confine { [loop] number in loop.performNext { whenLate(number) } })
  }

  /// The server has taken a notification: posting goes on, after a rest if it needs one.
  func taken() {
    queue.succeed()
    guard queue.state == .open, let rest = state?.traits.known.rest else { return }
    wait(in: .resting, for: rest)
  }

  /// Closes a notification without waiting for the answer: a server that hangs must not hold up the next click.
  func close(_ number: PostedNumber) {
    // An error is ignored: the notification is gone, or will be.
    loop.start { try? await self.server.close(number) }
  }

  /// Removes a notification that has left the screen from the list of a server that keeps one.
  func forget(_ shown: Nags.Shown?) {
    guard let shown, let state, shown.server == state.storedName, state.capabilities.contains(.persistence) else {
      return
    }
    close(PostedNumber(server: state.owner, number: shown.number))
  }

  // MARK: A server without room

  /// A notification has left the screen: what waits for room may be posted.
  func roomMade() {
    guard queue.release() else { return }
    loop.performNext { [weak self] in self?.whenOpen() }
  }

  // MARK: A server that refuses, or hangs

  func pause() {
    guard queue.state == .open || queue.state == .draining else { return }
    wait(in: .pausing, for: queue.nextPause())
  }

  private func wait(in waiting: PostQueue.State, for time: Duration) {
    queue.state = waiting
    nextAttempt = loop.schedule(after: time) { [weak self] in
      self?.queue.reopen()
      self?.whenOpen()
    }
  }

  func hangs() {
    guard queue.state != .hung else { return }
    nextAttempt?.cancel()
    queue.state = .hung
    Log.warning("the notification server does not answer; probing it every", timeouts.pauses.probe.text)
    probeLater()
  }

  private func probeLater() {
    nextAttempt = loop.schedule(after: timeouts.pauses.probe) { [weak self] in self?.probe() }
  }

  /// Asks a server that hung whether it answers again. The call goes behind those that it has yet to answer.
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
