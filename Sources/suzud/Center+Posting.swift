// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// From due to shown: in order, as many at once as the window allows, and again until it works.
extension Center {
  /// Its time has come.
  func enqueue(_ key: RequestKey) {
    ledger.setStage(.queued, of: key)
    queue.add(key)
    post()
  }

  func post() {
    guard let serverState else { return activateServer() }
    while let key = queue.next() {
      guard let entry = ledger[key], case .queued = entry.stage else {
        queue.finish()
        continue
      }
      ledger.setStage(.posting, of: key)
      // At once, so that requests leave in the order in which they came. It ends with the server's answer.
      _ = Task.immediate(executorPreference: loop) { await post(entry, as: key, to: serverState) }
    }
  }

  private func post(_ entry: Entry, as key: RequestKey, to state: ServerState) async {
    let presentation = Presenter.present(
      entry.request, capabilities: state.capabilities, isReshown: entry.isReshown)
    let replaced = entry.replaces?.server == state.owner ? entry.replaces?.number ?? 0 : 0
    do throws(CallError) {
      let number = try await server.notify(presentation.notification, replacing: replaced) { [weak self] number in
        self?.assumeIsolated { $0.answeredLate(entry, as: key, number, presentation) }
      }
      queue.finish()
      queue.succeed()
      await posted(entry, as: key, number, presentation)
    } catch {
      queue.finish()
      notPosted(entry, as: key, error)
    }
    if queue.inFlight == 0 { earlyEvents = [:] }
    post()
  }

  private func posted(
    _ entry: Entry, as key: RequestKey, _ number: PostedNumber, _ presentation: Presentation
  ) async {
    guard number.server == serverState?.owner else { return enqueueAgain(entry, key) }
    guard let current = ledger[key] else {
      // Cancelled while it was on its way.
      try? await server.close(number)
      return
    }
    guard current.revision == entry.revision else {
      // A newer request with this id is on its way, or waits for its time: it takes the place of this one.
      ledger.setReplaced(number, by: key)
      return
    }
    ledger.show(key, as: number, actions: presentation.actions)
    await watchers.tell(.delivered(app: key.app, id: key.id))
    for event in earlyEvents.removeValue(forKey: number) ?? [] { await receive(event) }
  }

  private func enqueueAgain(_ entry: Entry, _ key: RequestKey) {
    guard ledger[key]?.revision == entry.revision else { return }
    ledger.setStage(.queued, of: key)
    queue.putBack(key)
  }

  // MARK: When it does not work

  private func notPosted(_ entry: Entry, as key: RequestKey, _ error: CallError) {
    enqueueAgain(entry, key)
    switch error {
    case .failed(let failure) where failure.code == .timedOut: serverHangs()
    case .failed: break  // the bus is gone, and comes back with a server
    case .refused(let refusal) where Self.isGone(refusal): break  // the next server will be told
    case .refused(let refusal): refused(entry, key, refusal)
    }
  }

  /// What the bus says when the server ended before or during the call.
  private static func isGone(_ refusal: RemoteError) -> Bool {
    [.serviceUnknown, .nameHasNoOwner, .noReply].contains(refusal.name)
  }

  private func refused(_ entry: Entry, _ key: RequestKey, _ refusal: RemoteError) {
    // notification-daemon (MaxNotificationsExceeded), MATE ("Exceeded maximum number") and Plasma
    // (ExcessNotificationGeneration) refuse for the moment. Any other refusal is of this one notification.
    let isForTheMoment = refusal.name.text.contains("xce") || refusal.message.contains("xce")
    if !isForTheMoment, ledger.countRefusal(of: key) >= 5, ledger[key]?.revision == entry.revision {
      Log.warning("the notification server refuses a notification for good", refusal.name.text)
      ledger.remove(key)
      queue.remove(key)
      _ = Task(executorPreference: loop) {
        await self.watchers.tell(.closed(app: key.app, id: key.id, reason: .unknown))
      }
      return
    }
    guard queue.mood == .open else { return }
    queue.mood = .pausing
    _ = loop.schedule(after: queue.nextPause()) { [weak self] in
      self?.assumeIsolated { center in
        if center.queue.mood == .pausing { center.queue.mood = .open }
        center.post()
      }
    }
  }

  private func serverHangs() {
    guard queue.mood != .hung else { return }
    queue.mood = .hung
    Log.warning("the notification server does not answer; asking it again every", PostQueue.probePause.text)
    probeLater()
  }

  private func probeLater() {
    _ = loop.schedule(after: PostQueue.probePause) { [weak self] in
      self?.assumeIsolated { center in _ = Task(executorPreference: center.loop) { await center.probe() } }
    }
  }

  private func probe() async {
    guard queue.mood == .hung, serverState != nil else { return }
    if await server.answers() {
      queue.mood = .open
      post()
    } else {
      probeLater()
    }
  }

  /// The answer came after its time limit: the server has shown it, so it need not be told again.
  private func answeredLate(
    _ entry: Entry, as key: RequestKey, _ number: PostedNumber, _ presentation: Presentation
  ) {
    if ledger[key]?.revision == entry.revision { queue.remove(key) }
    if queue.mood == .hung { queue.mood = .open }
    _ = Task(executorPreference: loop) {
      await self.posted(entry, as: key, number, presentation)
      await self.post()
    }
  }

  // MARK: The server comes and goes

  func serverAppeared(_ state: ServerState) {
    serverState = state
    queue.mood = .open
    queue.succeed()
    Log.info("notification server", "\(state.information.name) \(state.information.version)")
    announceServer()
    post()
  }

  func serverVanished() async {
    let wasThere = serverState != nil
    serverState = nil
    earlyEvents = [:]
    let shown = ledger.forgetServer()
    for key in shown {
      // What stays until it is answered must be answered: it is shown again. The rest had its time.
      if ledger[key]?.request.style == .alert {
        ledger.reshow(key)
        queue.add(key)
      } else {
        ledger.remove(key)
        await watchers.tell(.closed(app: key.app, id: key.id, reason: .vanished))
      }
    }
    if wasThere {
      Log.info("notification server", "gone")
      announceServer()
    }
    if !queue.isEmpty { activateServer() }
  }

  /// Asks the bus for a server, once for everything that waits; without one it waits for one to appear.
  private func activateServer() {
    guard !isActivating, !queue.isEmpty else { return }
    isActivating = true
    _ = Task(executorPreference: loop) { await self.activate() }
  }

  private func activate() async {
    do throws(CallError) {
      try await server.activate()
    } catch {
      Log.info("no notification server; notifications wait for one", "\(error)")
    }
    isActivating = false
  }

  private func announceServer() {
    _ = Task(executorPreference: loop) {
      try? await self.connection.propertiesChanged(
        ["Server", "Capabilities"], of: CenterInterface.name, at: CenterInterface.path)
    }
  }
}
