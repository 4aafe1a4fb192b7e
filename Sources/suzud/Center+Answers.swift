// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

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

  /// Numbers that we were not given count for nothing; while a post is on its way, one may still become ours.
  private func isKnown(_ number: PostedNumber, _ event: ServerEvent) -> Bool {
    if ledger.postings[number] != nil { return true }
    if let posting = recall(number) {
      ledger.recall(posting, number)
      return true
    }
    if queue.inFlight > 0 { earlyEvents[number, default: []].append(event) }
    return false
  }

  private func invoked(_ number: PostedNumber, key: String) {
    // A key that was not offered (MATE, notification-daemon and notify-osd invent `default`) and a second click count
    // for nothing.
    guard let (posting, action) = ledger.use(number, key: key) else { return }
    answer(posting, action, reply: nil)
    // Some servers close it by themselves, some leave it; either way it has been answered.
    takeFromScreen(number)
  }

  func closed(_ number: PostedNumber, _ reason: CloseReason) {
    // Several servers say it twice, and some close what was replaced: only the first for what is on the screen counts.
    let key = ledger.shown(number)
    if key != nil || ledger.isBeingReplaced(number) {
      ledger.leaveScreen(number, at: EventLoop.Clock.monotonic.now, because: reason.rawValue)
      noteEnded()
    }
    guard let key else { return }
    tell(.closed(app: key.app, id: key.id, reason: reason))
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

  // MARK: What becomes of it

  /// Writes a response down, then tells of it and carries it out.
  func answer(_ posting: Posting, _ action: String, reply: String?) {
    let now = time.wall
    journal.write { store throws(StoreError) in
      guard let delivery = posting.due.delivery, let record = try store.delivery(delivery) else {
        return ResponseRecord?.none
      }
      return try store.commitResponse(to: record, action: action, reply: reply, now: now)
    } then: { [self] result in
      assumeIsolated { $0.answered(posting, action, reply: reply, try? result.get()) }
    }
    // At once: what is told of the click comes before what follows from it.
    journal.flush()
  }

  private func answered(_ posting: Posting, _ action: String, reply: String?, _ record: ResponseRecord?) {
    // Where it could not be written down it is done all the same: a click must not be lost to a full disk.
    var response = Response(
      number: 0, app: posting.key.app, id: posting.key.id, action: action, reply: reply,
      due: text(of: posting.due), missed: posting.due.missed)
    response.number = record.map { UInt64($0.number) } ?? nextResponse()
    let isHeard = tell(.responded(response))
    carryOut(response, of: posting.request, token: posting.token, isHeard: isHeard, isWritten: record != nil)
  }

  /// On its own from here: a slow program must not hold up the next click. It ends with the action's time limit.
  func carryOut(
    _ response: Response, of request: NotificationRequest, token: String?, isHeard: Bool, isWritten: Bool
  ) {
    _ = Task(executorPreference: loop) {
      guard await self.mayBegin(response, isWritten) else { return }
      let outcome = await self.doer.carryOut(response, of: request, token: token, isHeard: isHeard)
      await self.finish(response, outcome, isWritten)
    }
  }

  /// Its beginning is on disk before it begins: whatever happens then, it is not done twice.
  private func mayBegin(_ response: Response, _ isWritten: Bool) async -> Bool {
    guard isWritten else { return true }
    return await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.markRunning(Int64(response.number))
      } then: { result in
        continuation.resume(returning: (try? result.get()) ?? true)
      }
    }
  }

  private func finish(_ response: Response, _ outcome: Outcome, _ isWritten: Bool) {
    let now = time.wall
    if isWritten {
      journal.note { store throws(StoreError) in
        try store.finish(Int64(response.number), outcome: outcome.description, now: now)
      }
    }
    tell(.outcome(response: response.number, outcome))
  }
}

extension CloseReason {
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
