// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Finds the action that a click stands for: some clicks open a list of actions, some actions ask for a line of text
/// first.
final class Choosing {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let dialogs: Desktop.Dialogs
  private let names: AppNames
  private let link: ServerLink
  private let screen: Screen
  private let ends: Ends
  private let responder: Responder
  /// Which apps have an open dialog.
  private var turns = DialogTurns()
  /// The open lists of actions.
  private var lists: [PostedNumber: (key: RequestKey, task: Task<Void, Never>)] = [:]
  private var prompts: [UInt64: OpenPrompt] = [:]
  private var lastPrompt: UInt64 = 0

  /// An action that was chosen, and asks for its text.
  private struct OpenPrompt {
    let posting: ShownNotification
    let action: String
    let task: Task<Void, Never>
  }

  init(
    on loop: EventLoop, timeouts: Timeouts, dialogs: Desktop.Dialogs, names: AppNames, link: ServerLink,
    screen: Screen, ends: Ends, responder: Responder
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.dialogs = dialogs
    self.names = names
    self.link = link
    self.screen = screen
    self.ends = ends
    self.responder = responder
  }

  // MARK: Clicks

  func invoked(_ number: PostedNumber, key: String) {
    // The same click has opened the list.
    if key == ServerNotification.defaultKey, screen.posting(number)?.openList != nil, let state = link.state,
      ServerTraits(state).known.sendsDefaultAfterAction
    {
      return
    }
    // Ignored: keys that were not offered (MATE, notification-daemon and notify-osd invent `default`), and second
    // clicks.
    guard let (posting, choice) = screen.use(number, key: key) else { return }
    switch choice {
    case .action(let id):
      chosen(id, of: posting)
      // Some servers close a notification on a click, some leave it; it has been answered in both cases.
      screen.take(number)
    case .chooser:
      offerAll(posting, number, isClick: true)
    case .nothing: break
    }
  }

  /// Opens the list without a click: nothing can be pressed on this server, and an alert needs an answer.
  func askAtOnce(_ number: PostedNumber) {
    guard let posting = screen.beginChoosing(number) else { return }
    offerAll(posting, number, isClick: false)
  }

  /// The text typed into the server's own reply line, which belongs to the first action with an input.
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
    let action = try Self.named(action, on: posting)
    guard screen.useUp(number) != nil else {
      throw CenterError(.notFound, "the notification '\(id)' has been answered already")
    }
    if let reply { responder.answer(posting, action, reply: reply) } else { chosen(action, of: posting) }
    screen.take(number)
  }

  /// The action that a caller names; `default` is what a click on the notification means.
  private static func named(_ action: String, on posting: ShownNotification) throws(CenterError) -> String {
    let isClick = action == Action.defaultID && posting.offer.action(action, of: posting.request) == nil
    switch isClick ? posting.offer.click : .action(action) {
    case .action(let id) where posting.offer.meant(by: id, of: posting.request) != nil: return id
    case .nothing:
      throw CenterError(
        .notFound, "a click on the notification '\(posting.key.id)' does nothing; name one of its actions")
    case .action, .chooser:
      throw CenterError(.notFound, "the notification '\(posting.key.id)' has no action '\(action)'")
    }
  }

  // MARK: Closed

  /// The server closed it. The click that closed it may still follow, and open a dialog.
  func closed(_ number: PostedNumber, _ reason: RequestEnd) {
    guard let posting = screen.posting(number), !posting.isUsedUp, posting.mayOpenDialog else {
      return left(number, reason)
    }
    ends.postpone(posting.due)
    left(number, reason)
    _ = loop.schedule(after: timeouts.lateAction) { [weak self] in self?.ends.release(posting.due) }
  }

  private func left(_ number: PostedNumber, _ reason: RequestEnd) {
    if reason == .dismissed { dismissed(number) }
    screen.closed(number, reason)
  }

  /// The notification was dismissed. An app that wants to know is told, after a moment: some servers report the close
  /// before the click that caused it.
  private func dismissed(_ number: PostedNumber) {
    guard let posting = screen.posting(number), posting.offer.wantsDismissal, !posting.isUsedUp else { return }
    _ = loop.schedule(after: timeouts.lateAction) { [weak self] in
      // The number may belong to another notification by now.
      guard let self, screen.posting(number)?.due.record == posting.due.record, let used = screen.useUp(number)
      else { return }
      responder.answer(used, Action.dismissID, reply: nil)
    }
  }

  // MARK: Lists

  /// Opens the list of all actions, for servers that draw fewer. It may be closed without an answer, and opened again.
  ///
  /// - Parameter isClick: whether a click opened the list. Otherwise, closing the list dismisses the notification.
  private func offerAll(_ posting: ShownNotification, _ number: PostedNumber, isClick: Bool) {
    let entries = Self.entries(of: posting)
    let labels = entries.map { DisplayText.line($0.label.isEmpty ? $0.id : $0.label) }
    // If the list cannot be shown, the click has its own meaning.
    let instead = isClick ? entries.firstIndex { posting.offer.click == .action($0.id) } : nil
    let app = posting.request.app.text
    ends.postpone(posting.due)
    // The notification that the list belongs to was replaced under the same number.
    lists[number]?.task.cancel()
    let task = loop.startLater {
      defer { self.ends.release(posting.due) }
      let turn = await self.turn(of: app)
      let isShown = turn && !Task.isCancelled
      let index =
        isShown ? await self.dialogs.choose(self.heading(of: posting), labels, posting.token, instead) : nil
      if turn { self.turns.end(app) }
      let id = index.flatMap { entries.indices.contains($0) ? entries[$0].id : nil }
      // Closed by `cancel`, because a newer list replaces it.
      if id == nil && Task.isCancelled { return }
      // If too many lists wait, the notification stays and may be clicked again.
      self.listClosed(id, posting, number, wasClick: isClick || !turn)
    }
    lists[number] = (posting.key, task)
  }

  /// The actions in a list. A click on the notification comes first, unless it is one of the others, or does nothing.
  private static func entries(of posting: ShownNotification) -> [(id: String, label: String)] {
    let request = posting.request
    var entries = (posting.offer.actions ?? request.content.actions).map { (id: $0.id, label: $0.title) }
    guard posting.offer.click == .click else { return entries }
    // The dialog has its own OK button, so the entry needs another label.
    var click = (id: Action.defaultID, label: request.opensOnClick ? "Open it" : "Just close it")
    // A request may give its own action the id `default`.
    if posting.offer.actions == nil, let index = entries.firstIndex(where: { $0.id == Action.defaultID }) {
      click = entries.remove(at: index)
    }
    return [click] + entries
  }

  /// Closes the list: its server ended, and it opens again when the notification is shown again.
  func closeList(of key: RequestKey) {
    for (number, list) in lists where list.key == key {
      lists[number] = nil
      list.task.cancel()
    }
  }

  private func listClosed(_ id: String?, _ asked: ShownNotification, _ number: PostedNumber, wasClick: Bool) {
    lists[number] = nil
    let end = screen.endChoosing(number)
    // If the server has ended since, the notification is not on the screen, but the choice still counts.
    let lost = number.server == link.state?.owner ? nil : asked
    if let id, let used = screen.useUp(number) ?? lost {
      chosen(id, of: used)
      screen.take(number)
    } else if let end {
      left(number, end)
    } else if id == nil && !wasClick {
      link.close(number)
      left(number, .dismissed)
    }
  }

  // MARK: Lines of text

  /// Answers with this action, after asking for its line of text if it has an input.
  private func chosen(_ id: String, of posting: ShownNotification) {
    guard let action = posting.offer.meant(by: id, of: posting.request), let input = action.input else {
      return responder.answer(posting, id, reply: nil)
    }
    // The click closes the notification, but its answer follows: the end is reported after it.
    ends.postpone(posting.due)
    lastPrompt += 1
    let prompt = lastPrompt
    let task = loop.startLater {
      let app = posting.request.app.text
      guard await self.turn(of: app) else { return self.promptClosed(prompt, nil, ending: .lapsed("busy")) }
      let reply: Desktop.Dialogs.Reply =
        Task.isCancelled
        ? .cancelled : await self.dialogs.prompt(self.heading(of: posting, action), input, posting.token)
      self.turns.end(app)
      switch reply {
      case .text(let text): self.promptClosed(prompt, text)
      case .cancelled: self.promptClosed(prompt, nil, ending: .lapsed("cancelled"))
      case .unavailable(let why): self.promptClosed(prompt, nil, ending: .failed(why))
      }
    }
    prompts[prompt] = OpenPrompt(posting: posting, action: id, task: task)
  }

  private func promptClosed(_ prompt: UInt64, _ reply: String?, ending: Outcome? = nil) {
    // The center has ended it already.
    guard let open = prompts.removeValue(forKey: prompt) else { return }
    responder.answer(open.posting, open.action, reply: reply, ending: ending)
    ends.release(open.posting.due)
  }

  /// The center ends: the click on an action whose text is still being typed is recorded, and its dialog closed.
  func end() {
    for prompt in prompts.keys.sorted() {
      prompts[prompt]?.task.cancel()
      promptClosed(prompt, nil, ending: .lapsed("the center ended"))
    }
  }

  // MARK: One dialog at a time

  /// The title and text of a dialog: the app, the action and the notification.
  private func heading(of posting: ShownNotification, _ action: Action? = nil) -> DialogHeading {
    let texts = [action?.title ?? "", posting.request.content.title].map(DisplayText.line).filter { !$0.isEmpty }
    let app = names.name(of: posting.request.app.text, isSandboxed: posting.due.rights != .all)
    return DialogHeading(app: app, text: texts.joined(separator: ": "))
  }

  /// Waits until the app has no open dialog; returns false if too many wait already.
  private func turn(of app: String) async -> Bool {
    if turns.take(app) { return true }
    return await loop.withContinuation { continuation in
      if !turns.wait(app, { continuation.resume(returning: true) }) { continuation.resume(returning: false) }
    }
  }
}

extension ShownNotification {
  /// Whether a click on it may open a list of actions or ask for a text.
  fileprivate var mayOpenDialog: Bool {
    offer.keys.values.contains { choice in
      switch choice {
      case .chooser: true
      case .action(let id): offer.meant(by: id, of: request)?.input != nil
      case .nothing: false
      }
    }
  }
}
