// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// From what the user does to what becomes of it.
extension Center {
  func receive(_ event: ServerEvent) {
    switch event {
    case .appeared(let state): serverAppeared(state)
    case .vanished: serverVanished()
    case .activationToken(let number, let token):
      if isKnown(number, event) { ledger.keepToken(token, for: number) }
    case .actionInvoked(let number, let key):
      if isKnown(number, event) { invoked(number, key: key) }
    case .closed(let number, let reason):
      if isKnown(number, event) { closed(number, CloseReason(reason)) }
    case .replied:
      break  // no action of ours asks for a text yet, so this is somebody else's
    }
  }

  /// Whether the number is ours. While posts are on their way it may become so: then the event waits for the answer.
  private func isKnown(_ number: PostedNumber, _ event: ServerEvent) -> Bool {
    if ledger.postings[number] != nil { return true }
    if queue.inFlight > 0, earlyEvents.count < 4 * PostQueue.window { earlyEvents[number, default: []].append(event) }
    return false
  }

  private func invoked(_ number: PostedNumber, key: String) {
    // A key that was not offered (MATE, notification-daemon and notify-osd invent `default`) and a second click count
    // for nothing.
    guard let (posting, action) = ledger.use(number, key: key) else { return }
    answer(posting.request, posting.key, action, reply: nil, token: posting.token)
    // Some servers close it by themselves, some leave it; either way it has been answered.
    takeFromScreen(number)
  }

  private func closed(_ number: PostedNumber, _ reason: CloseReason) {
    // Several servers say it twice, and some close what was replaced: only the first for what is on the screen counts.
    let key = ledger.shown(number)
    if key != nil || ledger.isBeingReplaced(number) { ledger.leaveScreen(number, at: EventLoop.Clock.monotonic.now) }
    guard let key else { return }
    tell(.closed(app: key.app, id: key.id, reason: reason))
  }

  /// In the same turn as the change that it tells of: were it to wait, a click could be told before the delivery.
  @discardableResult
  func tell(_ event: CenterEvent) -> Bool {
    watchers.assumeIsolated { $0.tell(event) }
  }

  /// Closes it on the server, and counts it as closed whether or not the server says so.
  func takeFromScreen(_ number: PostedNumber) {
    // The server will overwrite it, under the same number: closing that would close what comes.
    if ledger.isBeingReplaced(number) { return }
    closeOnServer(number)
    closed(number, .withdrawn)
  }

  /// The call leaves at once. Nobody waits for its answer: a server that hangs must not hold up the next click.
  func closeOnServer(_ number: PostedNumber) {
    // It ends with the server's answer, or its time limit.
    _ = Task.immediate { try? await server.close(number) }
  }

  /// Tells of a response and carries it out.
  func answer(
    _ request: NotificationRequest, _ key: RequestKey, _ action: String, reply: String?, token: String?
  ) {
    let response = Response(number: nextResponse(), app: key.app, id: key.id, action: action, reply: reply)
    let isHeard = tell(.responded(response))
    // On its own from here: a slow program must not hold up the next click. It ends with the action's time limit.
    _ = Task(executorPreference: loop) {
      let outcome = await self.doer.carryOut(response, of: request, token: token, isHeard: isHeard)
      await self.tell(.outcome(response: response.number, outcome))
    }
  }
}

extension CloseReason {
  init(_ reason: ClosedReason) {
    self =
      switch reason {
      case .expired: .expired
      case .dismissed: .dismissed
      case .closed: .withdrawn
      case .undefined: .unknown
      }
  }
}
