// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// From due to shown: in order, as many at once as the window allows, and again until it works.
extension Center {
  /// Their time has come.
  func enqueue(_ due: [Due]) {
    trimMemory(after: due.count)
    for one in due { enqueue(one) }
    noteEnded()
    post()
  }

  private func enqueue(_ due: Due) {
    begin(due)
    supersede(RequestKey(due))
    if mayShow(due), !isAskedAbout(due) { put(due) }
  }

  /// Puts it in line for the screen.
  func put(_ due: Due) {
    let key = RequestKey(due)
    for other in ledger.outdated(by: due, as: key) { remove(other, because: .replaced) }
    // What takes another's place covers no more of the screen: progress, or a volume key that is held down.
    if ledger[key] == nil, case .fold(let digest) = burst.take(due, at: EventLoop.Clock.monotonic.now) {
      return fold(due, into: digest)
    }
    // Where it waits for a server already, that date and this one are shown as one.
    var due = due
    if let waiting = ledger[key], waiting.isUnasked, waiting.request.when == due.request.when, !due.request.when.isEmpty
    {
      due = due.standing(for: waiting.due)
    }
    _ = ledger.add(due, as: key)
    queue.add(key)
  }

  /// Takes it from the screen, or out of the line.
  private func remove(_ key: RequestKey, because end: RequestEnd) {
    queue.remove(key)
    ledger.withdraw(key, because: end)
    guard let number = ledger[key]?.onScreen else { return }
    closeOnServer(number)
    ledger.leaveScreen(number, at: EventLoop.Clock.monotonic.now, because: end)
  }

  /// One of too many at once: it is told of, not shown.
  private func fold(_ due: Due, into digest: NotificationRequest) {
    ledger.end(due, .folded)
    let key = RequestKey(app: digest.app, id: digest.id ?? "")
    // Not written down: it says how many there are, and they are.
    _ = ledger.add(Due(digest, delivery: nil, date: time.wall), as: key)
    queue.add(key)
  }

  func post() {
    if isEnding { return }
    guard let serverState else { return activateServer() }
    while let turn = queue.next() {
      guard let entry = ledger[turn.key], case .queued = entry.stage else {
        queue.finish(turn)
        continue
      }
      ledger.setStage(.posting, of: turn.key)
      // At once, so that requests leave in the order in which they came. It ends with the server's answer.
      _ = Task.immediate { await post(entry, in: turn, to: serverState) }
    }
  }

  private func post(_ entry: Entry, in turn: PostQueue.Turn, to state: ServerState) async {
    let presentation = present(entry, on: state)
    var replaced = entry.replaces?.server == state.owner ? entry.replaces?.number ?? 0 : 0
    if let old = entry.replaces, replaced != 0, ServerTraits(state).known.losesButtonsOfReplaced,
      presentation.notification.actions.count > 1
    {
      // First the old one, then the new one: where there is room for few, another would have to make way for it.
      closeOnServer(old)
      replaced = 0
    }
    do throws(CallError) {
      let number = try await server.notify(presentation.notification, replacing: replaced) { [weak self] number in
        self?.assumeIsolated { $0.answeredLate(entry, in: turn, number, presentation) }
      }
      queue.finish(turn)
      queue.succeed()
      posted(entry, in: turn, number, presentation)
    } catch {
      queue.finish(turn)
      notPosted(entry, in: turn, error)
    }
    if queue.inFlight == 0 {
      earlyEvents = [:]
      whenIdle?()
    }
    post()
  }

  private func present(_ entry: Entry, on state: ServerState) -> Presentation {
    let request = entry.request
    let rights = entry.due.rights
    // What the category is now: what it was when the request was made is of no use to an app that has a newer one. Now as
    // then, it is one that the request may have.
    let choices = Choices(
      request, category: request.category.flatMap { categories.category($0, of: request.app, for: rights) })
    return Presenter.present(
      MediaFile.fit(rights.fit(request)), choices, on: ServerTraits(state),
      isSilent: entry.isReshown || !apps[request.app].allowed.contains(.sound),
      canAsk: !choices.actions.isEmpty && desktop.canAsk())
  }

  /// Posts nothing more, and returns when the server has answered what is on its way: without its answers, all of that
  /// would be shown again by the next center.
  func finishPosting() async {
    isEnding = true
    guard queue.inFlight > 0 else { return }
    await loop.withContinuation { continuation in
      let limit = loop.schedule(after: patience.lastAnswers) { [weak self] in self?.assumeIsolated { $0.whenIdle?() } }
      whenIdle = { [weak self] in
        limit.cancel()
        self?.assumeIsolated { $0.whenIdle = nil }
        continuation.resume()
      }
    }
  }

  private func posted(
    _ entry: Entry, in turn: PostQueue.Turn, _ number: PostedNumber, _ presentation: Presentation
  ) {
    let key = turn.key
    guard number.server == serverState?.owner else { return enqueueAgain(entry, turn) }
    guard let current = ledger[key] else {
      // Cancelled while it was on its way.
      return closeOnServer(number)
    }
    noteShown(entry.due, number, presentation)
    let now = EventLoop.Clock.monotonic.now
    let isNewest = current.revision == entry.revision
    if !isNewest && !current.isUnasked {
      // The answer was late, and a newer one with this id is on the screen or on its way there, unless the server put
      // it in this one's place.
      if current.onScreen != number { closeOnServer(number) }
      return end(entry.due, .replaced)
    }
    // Where a newer one waits for its time, this is what a click is about until then.
    let leftover =
      isNewest
      ? ledger.show(key, as: number, offer: presentation.offer, at: now)
      : ledger.showForNow(entry.due, key, as: number, offer: presentation.offer, at: now)
    // Not every server keeps the number, or knows the one that it shall replace.
    if let leftover { closeOnServer(leftover) }
    // First how the old one ended, then that the new one is there.
    let replaces = noteEnded().contains { $0.end == .replaced && $0.key == key } || current.hasRoom
    tell(
      .delivered(
        app: key.app, id: key.id, due: text(of: entry.due), missed: entry.due.missed, replaces: replaces),
      of: key.app)
    giveSigns(of: entry)
    if presentation.asksAtOnce { askAtOnce(number) }
    // Answered while the server was asked to show it again.
    if ledger.postings[number]?.isUsedUp == true { takeFromScreen(number) }
    for event in earlyEvents.removeValue(forKey: number) ?? [] { receive(event) }
  }

  /// What is seen and heard besides the notification itself; once, however often it is shown.
  private func giveSigns(of entry: Entry) {
    if entry.isReshown { return }
    let request = entry.request
    let allowed = apps[request.app].allowed
    if let badge = request.badge, allowed.contains(.badge) { badges.set(badge, of: request.app, journal) }
    if let sound = request.sound, sound != "none", allowed.contains(.sound),
      serverState?.capabilities.contains(.sound) == false, entry.due.rights.mayUse(sound)
    {
      desktop.play(sound)
    }
  }

  private func enqueueAgain(_ entry: Entry, _ turn: PostQueue.Turn) {
    guard let current = ledger[turn.key] else { return }
    guard current.revision == entry.revision else { return end(entry.due, .replaced) }
    ledger.setStage(.queued, of: turn.key)
    queue.putBack(turn)
  }

  // MARK: When it does not work

  private func notPosted(_ entry: Entry, in turn: PostQueue.Turn, _ error: CallError) {
    enqueueAgain(entry, turn)
    switch error {
    case .refused(let refusal) where Self.isGone(refusal): pause()  // the next server will be told
    case .refused(let refusal): refused(entry, turn.key, refusal)
    case .failed(let failure):
      switch failure.code {
      case .timedOut: serverHangs()
      case .disconnected, .closed, .cancelled: pause()  // the bus is gone, and comes back with a server
      default:
        // awesome answers without a number where it does not like the texts.
        refused(entry, turn.key, RemoteError(.failed, failure.message))
      }
    }
  }

  /// What the bus says when the server ended before or during the call.
  private static func isGone(_ refusal: RemoteError) -> Bool {
    [.serviceUnknown, .nameHasNoOwner, .noReply].contains(refusal.name)
  }

  private func refused(_ entry: Entry, _ key: RequestKey, _ refusal: RemoteError) {
    // notification-daemon (MaxNotificationsExceeded), MATE ("Exceeded maximum number") and Plasma
    // (ExcessNotificationGeneration) refuse for the moment. Any other refusal is of this one notification.
    let isForTheMoment = [refusal.name.text, refusal.message].contains { text in
      text.indices.contains { text[$0...].hasPrefix("xce") }
    }
    if !isForTheMoment, ledger[key]?.revision == entry.revision, ledger.countRefusal(of: key) >= 5 {
      Log.warning("the notification server refuses a notification for good", refusal.name.text)
      queue.remove(key)
      ledger.withdraw(key, because: .failed, detail: refusal.name.text)
      noteEnded()
      return
    }
    pause()
  }

  /// The answer came after its time limit: the server has shown it, so it need not be told again.
  private func answeredLate(
    _ entry: Entry, in turn: PostQueue.Turn, _ number: PostedNumber, _ presentation: Presentation
  ) {
    if ledger[turn.key]?.revision == entry.revision { queue.remove(turn.key) }
    posted(entry, in: turn, number, presentation)
    // It is back, but may have more to answer: the question goes behind that, and so nothing is shown twice.
    _ = Task(executorPreference: loop) { await self.probe() }
  }
}
