// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// What the notification server tells of, and what is taken from the screen.
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
      guard isKnown(number, event) else { break }
      let reason = meant(by: reason, of: number)
      if !ledger.holdEnd(number, reason) { closed(number, reason) }
    case .replied(let number, let text):
      if isKnown(number, event) { replied(number, text: text) }
    }
  }

  /// Numbers that we were not given count for nothing; while a post is on its way, one may still become ours.
  private func isKnown(_ number: PostedNumber, _ event: ServerEvent) -> Bool {
    if ledger.postings[number] != nil { return true }
    if let posting = recall(number) {
      ledger.recall(posting, number)
      return true
    }
    if queue.inFlight > 0 { keepEarly(event, of: number) }
    return false
  }

  /// A server that tells of numbers that it never gives must not fill the memory: as many as can be on their way, and a
  /// few for each.
  private func keepEarly(_ event: ServerEvent, of number: PostedNumber) {
    let known = earlyEvents[number]
    guard known != nil || earlyEvents.count < 4 * PostQueue.window, (known?.count ?? 0) < 16 else { return }
    earlyEvents[number, default: []].append(event)
  }

  /// What stays until somebody deals with it has no time that could be over.
  private func meant(by reason: ClosedReason, of number: PostedNumber) -> RequestEnd {
    if reason == .expired, let state = serverState, let posting = ledger.postings[number],
      ServerTraits(state).known.saysExpiredOfDismissed, Presenter.stays(posting.request, state.capabilities)
    {
      return .dismissed
    }
    return RequestEnd(reason)
  }

  func closed(_ number: PostedNumber, _ reason: RequestEnd) {
    if reason == .dismissed { dismissed(number) }
    // Several servers say it twice, and some close what was replaced: only the first for what is on the screen counts.
    let isBeingReplaced = ledger.isBeingReplaced(number)
    if isBeingReplaced || ledger.shown(number) != nil {
      // Closed for the newer one: by us, where its buttons would be lost otherwise, or by the server itself.
      let makesRoom = isBeingReplaced && reason == .withdrawn
      if makesRoom { ledger.noteRoomMade(by: number) }
      ledger.leaveScreen(number, at: EventLoop.Clock.monotonic.now, because: makesRoom ? .replaced : reason)
      noteEnded()
    }
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
    // `try?`: whatever does not work is gone already, or about to be.
    _ = Task.immediate { try? await server.close(number) }
  }
}

extension RequestEnd {
  fileprivate init(_ reason: ClosedReason) {
    self =
      switch reason {
      case .expired: .expired
      case .dismissed: .dismissed
      case .closed: .withdrawn
      case .undefined: .unknown
      }
  }
}
