// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// From a press to what was meant by it: some are questions which of several, some ask for a line of text first.
final class Choosing {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let dialogs: Desktop.Dialogs
  private let names: AppNames
  private let link: ServerLink
  private let screen: Screen
  private let responder: Responder
  /// The apps that have a dialog open.
  private var turns = DialogTurns()
  /// The lists to choose from that are open.
  private var lists: [PostedNumber: (key: RequestKey, task: Task<Void, Never>)] = [:]

  init(
    on loop: EventLoop, timeouts: Timeouts, dialogs: Desktop.Dialogs, names: AppNames, link: ServerLink,
    screen: Screen, responder: Responder
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.dialogs = dialogs
    self.names = names
    self.link = link
    self.screen = screen
    self.responder = responder
  }

  // MARK: Clicks

  func invoked(_ number: PostedNumber, key: String) {
    // A key that was not offered (MATE, notification-daemon and notify-osd invent `default`) and a second click count
    // for nothing.
    guard let (posting, choice) = screen.use(number, key: key) else { return }
    switch choice {
    case .action(let id):
      chosen(id, of: posting)
      // Some servers close it by themselves, some leave it; either way it has been answered.
      screen.take(number)
    case .chooser:
      offerAll(posting, number, instead: 0)
    }
  }

  /// The list is shown by itself: on this server nothing can be pressed, and an alert wants an answer.
  func askAtOnce(_ number: PostedNumber) {
    guard let posting = screen.beginChoosing(number) else { return }
    offerAll(posting, number, instead: nil)
  }

  /// The server's own line of text, which stands for the first action that asks for one.
  func replied(_ number: PostedNumber, text: String) {
    guard let id = screen.posting(number)?.offer.replyAction, let posting = screen.useUp(number) else { return }
    responder.answer(posting, id, reply: text)
    screen.take(number)
  }

  /// Acts as if the user had clicked.
  func respond(_ app: String, _ id: String, _ action: String, reply: String?) throws(CenterError) {
    guard let key = screen.matching(app, [id], where: { $0.onScreen != nil }).last, let number = screen[key]?.onScreen,
      let posting = screen.posting(number)
    else {
      throw CenterError(.notFound, "'\(app)' has no notification '\(id)' on the screen")
    }
    guard posting.offer.meant(by: action, of: posting.request) != nil else {
      throw CenterError(.notFound, "the notification '\(id)' has no action '\(action)'")
    }
    guard screen.useUp(number) != nil else {
      throw CenterError(.notFound, "the notification '\(id)' has been answered already")
    }
    if let reply { responder.answer(posting, action, reply: reply) } else { chosen(action, of: posting) }
    screen.take(number)
  }

  // MARK: Closed

  func closed(_ number: PostedNumber, _ reason: RequestEnd) {
    if reason == .dismissed { dismissed(number) }
    screen.closed(number, reason)
  }

  /// It was put away. Where the app wants to hear of that, it does, unless a click is on its way: some servers close first.
  private func dismissed(_ number: PostedNumber) {
    guard let posting = screen.posting(number), posting.offer.wantsDismissal, !posting.isUsedUp else { return }
    _ = loop.schedule(after: timeouts.lateAction) { [weak self] in
      // The number may be another's by now.
      guard let self, screen.posting(number)?.due.record == posting.due.record, let used = screen.useUp(number)
      else { return }
      responder.answer(used, Action.dismissID, reply: nil)
    }
  }

  // MARK: Lists

  /// The list of everything that may be chosen, for servers that draw less. It may be closed without an answer, and asked
  /// for again.
  ///
  /// - Parameter instead: what counts as chosen where the list cannot be shown; nil: nothing does, and nothing was asked
  ///   for by a click, so that closing the list puts the notification away.
  private func offerAll(_ posting: ShownNotification, _ number: PostedNumber, instead: Int?) {
    let request = posting.request
    // A request's own action may be called as the click is.
    let named = posting.offer.actions == nil ? request.actions.first { $0.id == Action.defaultID } : nil
    let actions = posting.offer.actions ?? request.actions.filter { $0.id != Action.defaultID }
    // The dialog has an OK of its own.
    let plain = request.url == nil && request.app == NotificationRequest.defaultApp ? "Just close it" : "Open it"
    let ids = [Action.defaultID] + actions.map(\.id)
    let labels = zip([named?.title ?? plain] + actions.map(\.title), ids).map { DisplayText.line($0.isEmpty ? $1 : $0) }
    // What it asks about has been replaced, under the same number.
    lists[number]?.task.cancel()
    let task = loop.startLater {
      let turn = await self.turn(of: request.app)
      let isShown = turn && !Task.isCancelled
      let index =
        isShown ? await self.dialogs.choose(self.heading(of: posting), labels, posting.token, instead) : nil
      if turn { self.turns.end(request.app) }
      let id = index.flatMap { ids.indices.contains($0) ? ids[$0] : nil }
      // Closed by us, since another one asks now.
      if id == nil && Task.isCancelled { return }
      // Where too many wait, nothing was answered: it stays, and may be clicked again.
      self.listClosed(id, posting, number, wasClick: instead != nil || !turn)
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

  private func listClosed(_ id: String?, _ asked: ShownNotification, _ number: PostedNumber, wasClick: Bool) {
    lists[number] = nil
    let end = screen.endChoosing(number)
    // Of a server that has ended since, nothing is on the screen; what was chosen counts all the same.
    let lost = number.server == link.state?.owner ? nil : asked
    if let id, let used = screen.useUp(number) ?? lost {
      chosen(id, of: used)
      screen.take(number)
    } else if let end {
      closed(number, end)
    } else if id == nil && !wasClick {
      link.close(number)
      closed(number, .dismissed)
    }
  }

  // MARK: Lines of text

  /// An action was chosen; where it asks for a line of text, that is asked for now.
  private func chosen(_ id: String, of posting: ShownNotification) {
    guard let action = posting.offer.meant(by: id, of: posting.request), let input = action.input else {
      return responder.answer(posting, id, reply: nil)
    }
    loop.startLater {
      let app = posting.request.app
      guard await self.turn(of: app) else {
        return self.responder.answer(posting, id, reply: nil, ending: .lapsed("busy"))
      }
      let reply = await self.dialogs.prompt(self.heading(of: posting, action), input, posting.token)
      self.turns.end(app)
      switch reply {
      case .text(let text): self.responder.answer(posting, id, reply: text)
      case .cancelled: self.responder.answer(posting, id, reply: nil, ending: .lapsed("cancelled"))
      case .unavailable(let why): self.responder.answer(posting, id, reply: nil, ending: .failed(why))
      }
    }
  }

  // MARK: One dialog at a time

  /// What a dialog says first: whose it is, and what it is about.
  private func heading(of posting: ShownNotification, _ action: Action? = nil) -> DialogHeading {
    let texts = [action?.title ?? "", posting.request.title].map(DisplayText.line).filter { !$0.isEmpty }
    let app = names.name(of: posting.request.app, isSandboxed: posting.due.rights != .all)
    return DialogHeading(app: app, text: texts.joined(separator: ": "))
  }

  /// Waits until the app has no dialog open; false: too many wait for that.
  private func turn(of app: String) async -> Bool {
    if turns.take(app) { return true }
    return await loop.withContinuation { continuation in
      if !turns.wait(app, { continuation.resume(returning: true) }) { continuation.resume(returning: false) }
    }
  }
}
