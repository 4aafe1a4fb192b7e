// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// From a press to what was meant by it: some are questions which of several, some ask for a line of text first.
extension Center {
  func invoked(_ number: PostedNumber, key: String) {
    // A key that was not offered (MATE, notification-daemon and notify-osd invent `default`) and a second click count
    // for nothing.
    guard let (posting, choice) = ledger.use(number, key: key) else { return }
    switch choice {
    case .action(let id):
      chosen(id, of: posting)
      // Some servers close it by themselves, some leave it; either way it has been answered.
      takeFromScreen(number)
    case .chooser:
      offerAll(posting, number, instead: 0)
    }
  }

  /// The list is shown by itself: on this server nothing can be pressed, and an alert wants an answer.
  func askAtOnce(_ number: PostedNumber) {
    guard let posting = ledger.beginChoosing(number) else { return }
    offerAll(posting, number, instead: nil)
  }

  /// The server's own line of text, which stands for the first action that asks for one.
  func replied(_ number: PostedNumber, text: String) {
    guard let id = ledger.postings[number]?.offer.replyAction, let posting = ledger.useUp(number) else { return }
    answer(posting, id, reply: text)
    takeFromScreen(number)
  }

  /// The list of everything that may be chosen, for servers that draw less. It may be closed without an answer, and asked
  /// for again.
  ///
  /// - Parameter instead: what counts as chosen where the list cannot be shown; nil: nothing does, and nothing was asked
  ///   for by a click, so that closing the list puts the notification away.
  private func offerAll(_ posting: Posting, _ number: PostedNumber, instead: Int?) {
    let request = posting.request
    // A request's own action may be called as the click is.
    let named = posting.offer.actions == nil ? request.actions.first { $0.id == Action.defaultID } : nil
    let actions = posting.offer.actions ?? request.actions.filter { $0.id != Action.defaultID }
    // The dialog has an OK of its own.
    let plain = request.url == nil && request.app == NotificationRequest.defaultApp ? "Just close it" : "Open it"
    let ids = [Action.defaultID] + actions.map(\.id)
    let labels = [named?.title ?? plain] + actions.map(\.title)
    // What it asks about has been replaced, under the same number.
    lists[number]?.task.cancel()
    let task = Task(executorPreference: loop) {
      let turn = await self.turn(of: request.app)
      let isShown = turn && !Task.isCancelled
      let index =
        isShown
        ? await self.desktop.choose(
          await self.heading(of: posting), zip(labels, ids).map { DisplayText.line($0.isEmpty ? $1 : $0) },
          posting.token, instead) : nil
      if turn { await self.endTurn(of: request.app) }
      let id = index.flatMap { ids.indices.contains($0) ? ids[$0] : nil }
      // Closed by us, since another one asks now.
      if id == nil && Task.isCancelled { return }
      // Where too many wait, nothing was answered: it stays, and may be clicked again.
      await self.listClosed(id, posting, number, wasClick: instead != nil || !turn)
    }
    lists[number] = (posting.key, task)
  }

  /// The server ended, and this will be shown again: it is asked about then.
  func closeList(of key: RequestKey) {
    for (number, list) in lists where list.key == key {
      lists[number] = nil
      list.task.cancel()
    }
  }

  private func listClosed(_ id: String?, _ asked: Posting, _ number: PostedNumber, wasClick: Bool) {
    lists[number] = nil
    let end = ledger.endChoosing(number)
    // Of a server that has ended since, nothing is in the ledger; what was chosen counts all the same.
    let lost = number.server == serverState?.owner ? nil : asked
    if let id, let used = ledger.useUp(number) ?? lost {
      chosen(id, of: used)
      takeFromScreen(number)
    } else if let end {
      closed(number, end)
    } else if id == nil && !wasClick {
      closeOnServer(number)
      closed(number, .dismissed)
    }
  }

  /// An action was chosen; where it asks for a line of text, that is asked for now.
  func chosen(_ id: String, of posting: Posting) {
    guard let action = posting.offer.meant(by: id, of: posting.request), let input = action.input else {
      return answer(posting, id, reply: nil)
    }
    _ = Task(executorPreference: loop) {
      let app = posting.request.app
      guard await self.turn(of: app) else { return await self.answer(posting, id, reply: nil, ending: .lapsed("busy")) }
      let reply = await self.desktop.prompt(await self.heading(of: posting, action), input, posting.token)
      await self.endTurn(of: app)
      switch reply {
      case .text(let text): await self.answer(posting, id, reply: text)
      case .cancelled: await self.answer(posting, id, reply: nil, ending: .lapsed("cancelled"))
      case .unavailable(let why): await self.answer(posting, id, reply: nil, ending: .failed(why))
      }
    }
  }

  // MARK: One dialog at a time

  /// What a dialog says first: whose it is, and what it is about.
  private func heading(of posting: Posting, _ action: Action? = nil) -> DialogHeading {
    let texts = [action?.title ?? "", posting.request.title].map(DisplayText.line).filter { !$0.isEmpty }
    let app = displayName(of: posting.request.app, isSandboxed: posting.due.rights != .all)
    return DialogHeading(app: app, text: texts.joined(separator: ": "))
  }

  /// Waits until the app has no dialog open; false: too many wait for that.
  private func turn(of app: String) async -> Bool {
    if dialogs.take(app) { return true }
    return await loop.withContinuation { continuation in
      if !dialogs.wait(app, { continuation.resume(returning: true) }) { continuation.resume(returning: false) }
    }
  }

  private func endTurn(of app: String) { dialogs.end(app) }

  /// It was put away. Where the app wants to hear of that, it does, unless a click is on its way: some servers close first.
  func dismissed(_ number: PostedNumber) {
    guard let posting = ledger.postings[number], posting.offer.wantsDismissal, !posting.isUsedUp else { return }
    _ = loop.schedule(after: patience.lateAction) { [weak self] in
      self?.assumeIsolated { center in
        // The number may be another's by now.
        guard center.ledger.postings[number]?.due.delivery == posting.due.delivery,
          let used = center.ledger.useUp(number)
        else { return }
        center.answer(used, Action.dismissID, reply: nil)
      }
    }
  }
}
