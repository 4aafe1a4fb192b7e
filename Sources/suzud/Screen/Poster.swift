// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Posts queued requests: in order, as many at once as the window allows, and again until it works.
final class Poster {
  private enum Pace {
    case posting
    /// Until the screen is restored.
    case held
    /// For good.
    case ending
  }

  private let loop: EventLoop
  private let timeouts: Timeouts
  private let link: ServerLink
  private let screen: Screen
  private let ends: Ends
  private let forms: Forms
  private let report: ShownReport
  private let room: ScreenRoom
  private let expiry: OwnExpiry
  /// Called when a number belongs to a notification on the screen, and whether its list of actions opens immediately.
  /// Events that came before the number are handled then.
  var onShown: (_ number: PostedNumber, _ asksAtOnce: Bool) -> Void = { _, _ in }
  private var pace = Pace.posting
  /// Called once when every open call has returned.
  private var whenIdle: (() -> Void)?

  init(
    on loop: EventLoop, timeouts: Timeouts, link: ServerLink, screen: Screen, ends: Ends, forms: Forms,
    report: ShownReport, room: ScreenRoom, expiry: OwnExpiry
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.link = link
    self.screen = screen
    self.ends = ends
    self.forms = forms
    self.report = report
    self.room = room
    self.expiry = expiry
  }

  /// Posts nothing until ``release()``.
  func hold() { if pace == .posting { pace = .held } }

  func release() { if pace == .held { pace = .posting } }

  func post() {
    guard pace == .posting else { return }
    guard let state = link.state else { return link.activate() }
    while let turn = link.queue.next() {
      guard let entry = screen[turn.key], case .queued = entry.stage else {
        link.queue.finish(turn)
        continue
      }
      if screen.hasLapsed(entry) {
        link.queue.finish(turn)
        screen.drop(turn.key, because: .lapsed)
        ends.carryOut()
        continue
      }
      switch room.admit(turn.key, entry, on: state) {
      case .post: break
      case .hold:
        link.queue.hold(turn)
        continue
      }
      screen.setStage(.posting, of: turn.key)
      if let isHidden = forms.hidden.areHidden(of: entry.request.app) {
        send(entry, in: turn, to: state, isHidden: isHidden)
      } else {
        loop.start { await self.askForLock(entry, in: turn, to: state) }
      }
    }
  }

  private func askForLock(_ entry: Entry, in turn: PostQueue.Turn, to state: ServerState) async {
    // The setting may have changed meanwhile.
    let isLocked = await forms.hidden.isLocked()
    let isHidden = forms.hidden.areHidden(of: entry.request.app) ?? isLocked
    if screen[turn.key]?.revision == entry.revision, link.state?.owner == state.owner {
      send(entry, in: turn, to: state, isHidden: isHidden)
    } else {
      // Meanwhile it was cancelled or replaced, or the server has ended.
      link.queue.finish(turn)
      enqueueAgain(entry, turn)
    }
    post()
  }

  /// Calls the server in this turn, so that requests leave in their order. If that fails, the caller posts the next one.
  private func send(_ entry: Entry, in turn: PostQueue.Turn, to state: ServerState, isHidden: Bool) {
    let count = isHidden ? screen.countWithThread(of: turn.key, entry) : nil
    let presentation = forms.present(entry, hidden: count, on: state)
    var replaced = screen.replaced(by: entry, on: state)
    if replaced != 0, state.traits.known.losesButtonsOfReplaced,
      presentation.notification.actions.count > 1
    {
      // The old one is closed first: a server with little room would drop another one otherwise.
      link.close(PostedNumber(server: state.owner, number: replaced))
      replaced = 0
    }
    do throws(PostFailure) {
      try link.post(presentation.notification, replacing: replaced) { [weak self] answer in
        self?.answered(entry, in: turn, answer, presentation, by: state)
        self?.post()
      } whenLate: { [weak self] number in
        self?.answeredLate(entry, in: turn, number, presentation)
      }
    } catch {
      answered(entry, in: turn, .failure(error), presentation, by: state)
    }
  }

  private func answered(
    _ entry: Entry, in turn: PostQueue.Turn, _ answer: Result<PostedNumber, PostFailure>,
    _ presentation: Presentation, by state: ServerState
  ) {
    link.queue.finish(turn)
    switch answer {
    case .success(let number):
      link.taken()
      arrived(entry, in: turn, number, presentation)
    case .failure(let failure): notPosted(entry, in: turn, failure, by: state)
    }
    guard link.queue.inFlight == 0 else { return }
    // A server that hangs may still answer, and tell a number of which it has spoken before.
    if link.queue.state != .hung { link.early.forgetAll() }
    whenIdle?()
  }

  /// Stops posting, and returns when the server has answered the open calls: without its answers, the next center would
  /// show those notifications again.
  func finish() async {
    pace = .ending
    guard link.queue.inFlight > 0 else { return }
    await loop.withContinuation { continuation in
      let limit = loop.schedule(after: timeouts.lastAnswers) { [weak self] in self?.whenIdle?() }
      whenIdle = { [weak self] in
        limit.cancel()
        self?.whenIdle = nil
        continuation.resume()
      }
    }
  }

  // MARK: Posted

  private func arrived(
    _ entry: Entry, in turn: PostQueue.Turn, _ number: PostedNumber, _ presentation: Presentation
  ) {
    posted(entry, in: turn, number, presentation)
    // One that was cancelled while the call was open took up room until now.
    if screen.posting(number).map({ $0.leftAt != nil }) ?? true { link.roomMade() }
  }

  private func posted(
    _ entry: Entry, in turn: PostQueue.Turn, _ number: PostedNumber, _ presentation: Presentation
  ) {
    let key = turn.key
    guard let state = link.state, number.server == state.owner else { return enqueueAgain(entry, turn) }
    guard let current = screen[key] else {
      // It was cancelled while the call was open, or the newer request was that was to replace it.
      endReplaced(entry)
      return link.close(number)
    }
    if current.revision != entry.revision, !ends.isUnderWay(entry.due) || current.isBefore(entry) {
      // While the call was open, this one was cancelled, or the newer one was that had waited for its number. On the
      // screen, this one may have taken the place of the one before it, which ends as well.
      screen.take(number, because: .replaced)
      return ends.end(entry.due, .replaced)
    }
    // It has ended while its expiry was being changed, or while it was shown again.
    if entry.isRenewed || entry.isReshown, !ends.isUnderWay(entry.due), current.revision == entry.revision {
      screen.remove(key)
      return link.close(number)
    }
    ends.noteShown(entry.due, number, on: state)
    report.note(entry, number, presentation.offer, nag: ends.nagPlan(of: entry.due), on: state)
    let isNewest = current.revision == entry.revision
    if !isNewest && !current.isUnasked {
      // The answer was late, and a newer request with this id is on the screen or being posted. If the server did not
      // reuse the number for it, the old notification is closed.
      if current.onScreen != number { link.close(number) }
      return current.due.isSame(as: entry.due) ? () : ends.end(entry.due, .replaced)
    }
    // If a newer request waits for its time, clicks mean this one until then.
    let leftover =
      isNewest
      ? screen.show(key, as: number, offer: presentation.offer)
      : screen.showForNow(entry.due, key, as: number, offer: presentation.offer)
    noteHidden(entry, key, presentation)
    expiry.begin(entry.due, number, isPaused: presentation.isKept, on: state)
    // Some servers do not reuse the number, or no longer know the one to replace.
    if let leftover { link.close(leftover) }
    // The end of the old one is sent before the delivery of the new one.
    let replaces = ends.carryOut().contains { $0.end == .replaced && $0.key == key } || current.hasRoom
    ends.releaseAll(of: key)
    if !entry.isRenewed { report.tell(entry, as: key, replaces: replaces, on: state) }
    onShown(number, presentation.asksAtOnce)
  }

  /// It is recorded only now. If it is on the screen already, that is recorded as well.
  func wasStored(_ due: Due) {
    guard let entry = screen[RequestKey(due)], case .shown(let number) = entry.stage,
      let posting = screen.posting(number), let state = link.state
    else { return }
    report.note(entry, number, posting.offer, nag: nil, on: state)
  }

  /// Texts that the lock hides come with the unlock.
  private func noteHidden(_ entry: Entry, _ key: RequestKey, _ presentation: Presentation) {
    let returns = presentation.hidesTexts && forms.hidden.returnAtUnlock(of: entry.request.app)
    screen.setTextsReturn(returns, of: key)
    guard returns else { return }
    loop.start {
      guard await self.forms.hidden.awaitUser() else { return }
      self.screen.showTextsAgain()
      self.post()
    }
  }

  private func enqueueAgain(_ entry: Entry, _ turn: PostQueue.Turn) {
    guard let current = screen[turn.key] else { return endReplaced(entry) }
    guard current.revision == entry.revision else {
      return current.due.isSame(as: entry.due) ? () : ends.end(entry.due, .replaced)
    }
    // It was being shown again, and has ended in the meantime.
    guard ends.isUnderWay(entry.due) else { return screen.remove(turn.key) }
    screen.setStage(.queued, of: turn.key)
    link.queue.putBack(turn)
  }

  /// A newer request took its place while it was posted, and is gone itself. One that has ended does not end again.
  private func endReplaced(_ entry: Entry) { if entry.due.record != nil { ends.end(entry.due, .replaced) } }

  /// The answer came after its time limit: the server shows the notification, so it is not posted again.
  private func answeredLate(
    _ entry: Entry, in turn: PostQueue.Turn, _ number: PostedNumber, _ presentation: Presentation
  ) {
    if screen[turn.key]?.revision == entry.revision {
      link.queue.remove(turn.key)
      // It was put back into the queue, and counts as being posted until its number is known.
      screen.setStage(.posting, of: turn.key)
    }
    arrived(entry, in: turn, number, presentation)
    // The server is back, but may have more to answer: the probe goes behind those answers, so nothing is shown twice.
    link.probe()
  }

  // MARK: Not posted

  private func notPosted(_ entry: Entry, in turn: PostQueue.Turn, _ failure: PostFailure, by state: ServerState) {
    enqueueAgain(entry, turn)
    // An answer about a server that has ended says nothing about the next one.
    guard link.state?.owner == state.owner else { return }
    switch failure {
    case .gone: link.pause()  // the next server will be told
    case .timedOut: link.hangs()
    case .refused(let name, let message): refused(entry, turn.key, name, message, by: state)
    }
  }

  private func refused(_ entry: Entry, _ key: RequestKey, _ name: String, _ message: String, by state: ServerState) {
    // A refusal that is not temporary concerns this one notification.
    let isForTheMoment = state.traits.known.refusesForTheMoment(name: name, message: message)
    if !isForTheMoment, screen[key]?.revision == entry.revision, screen.countRefusal(of: key) >= 5 {
      Log.warning("gave up on a notification that the server refuses", name)
      screen.drop(key, because: .failed, detail: name)
      ends.carryOut()
      return
    }
    link.pause()
  }
}
