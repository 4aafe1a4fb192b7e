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
  private let dialogs: AppDialogs
  private let link: ServerLink
  private let screen: Screen
  private let ends: Ends
  private let poster: Poster
  private let responder: Responder
  private let arrivals: Arrivals
  /// The open lists of actions.
  private var lists: [PostedNumber: OpenList] = [:]
  private var prompts: OpenPrompts

  private struct OpenList {
    let due: Due
    let key: RequestKey
    let task: Task<Void, Never>
  }

  init(
    on loop: EventLoop, timeouts: Timeouts, dialogs: AppDialogs, link: ServerLink, screen: Screen,
    ends: Ends, poster: Poster, responder: Responder, waiting: WaitingResponses
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.dialogs = dialogs
    self.link = link
    self.screen = screen
    self.ends = ends
    self.poster = poster
    self.responder = responder
    prompts = OpenPrompts(waiting)
    // As long as the server may take to show it.
    arrivals = Arrivals(on: loop, limit: timeouts.server.posting)
  }

  // MARK: Clicks

  func invoked(_ number: PostedNumber, key: String) {
    // The same click has opened the list.
    if key == ServerNotification.defaultKey, screen.posting(number)?.openList != nil, let state = link.state,
      state.traits.known.sendsDefaultAfterAction
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
      screen.takeAnswered(posting, number)
    case .time(let id, let time):
      responder.answer(posting, id, reply: time)
      screen.takeAnswered(posting, number)
    case .times(let id): offer(ListEntry.times(of: id, of: posting), of: posting, number, isClick: true)
    case .chooser: offer(ListEntry.actions(of: posting), of: posting, number, isClick: true)
    case .nothing:
      if !isPressable(posting) {
        responder.report(posting, Action.listID, .failed(Desktop.Dialogs.noList))
      }
    }
  }

  /// Opens the list without a click: nothing can be pressed on this server, and an alert needs an answer.
  func askAtOnce(_ number: PostedNumber) {
    guard let posting = screen.beginChoosing(number) else { return }
    offer(ListEntry.actions(of: posting), of: posting, number, isClick: false)
  }

  /// The text typed into the server's own reply line, which belongs to the first action with an input.
  func replied(_ number: PostedNumber, text: String) {
    guard let id = screen.posting(number)?.offer.replyAction, let posting = screen.useUp(number) else { return }
    responder.answer(posting, id, reply: text)
    screen.takeAnswered(posting, number)
  }

  /// Acts as if the user had clicked. If the notification is on its way to the screen, waits for it.
  func respond(_ app: String, _ id: String, _ action: String, reply: String?) async throws(CenterError) {
    var isInTime = true
    while isInTime, isArriving(app, id) { isInTime = await arrivals.wait(for: RequestKey(app: app, id: id)) }
    guard let key = screen.matching(app, [id], where: { $0.onScreen != nil }).last, let number = screen[key]?.onScreen,
      let posting = screen.posting(number)
    else {
      throw CenterError(.notFound, "'\(app)' has no notification '\(id)' on the screen")
    }
    let action = try Self.named(action, on: posting)
    let times = posting.offer.meant(by: action, of: posting.request)?.snoozeTimes ?? []
    if let reply, !times.isEmpty, times.chosen(reply) == nil {
      throw CenterError(
        .invalidRequest,
        "'\(DisplayText.line(action))' has no time '\(DisplayText.line(reply))'; it has "
          + times.map { "'\($0.text)'" }.joined(separator: ", "))
    }
    if reply == nil, times.count > 1, dialogs.canChoose, let posting = screen.beginChoosing(number) {
      return offer(ListEntry.times(of: action, of: posting), of: posting, number, isClick: true)
    }
    guard screen.useUp(number) != nil else {
      throw CenterError(.notFound, "the notification '\(id)' has been answered already")
    }
    if let reply { responder.answer(posting, action, reply: reply) } else { chosen(action, of: posting) }
    screen.takeAnswered(posting, number)
  }

  /// Whether the latest notification of this request is queued or being posted. One that waits for room may wait for
  /// long; so may one that is shown beside earlier dates.
  private func isArriving(_ app: String, _ id: String) -> Bool {
    let keys = screen.matching(app, [id]) { _ in true }
    guard let latest = keys.last, let entry = screen[latest], entry.isPending, !entry.waitsForRoom else { return false }
    return latest.delivery == nil || keys.allSatisfy { screen[$0]?.onScreen == nil }
  }

  /// The notification is on the screen.
  func shown(_ number: PostedNumber) {
    if let key = screen.posting(number)?.key { arrivals.note(key.base) }
  }

  /// The action that a caller names; `default` is what a click on the notification means.
  private static func named(_ action: String, on posting: ShownNotification) throws(CenterError) -> String {
    let isClick = action == Action.defaultID && posting.offer.action(action, of: posting.request) == nil
    switch isClick ? posting.offer.click : .action(action) {
    case .action(let id) where posting.offer.meant(by: id, of: posting.request) != nil: return id
    case .nothing:
      throw CenterError(
        .notFound, "a click on the notification '\(posting.key.id)' does nothing; name one of its actions")
    case .action, .time, .times, .chooser:
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

  /// Opens a list: of all actions, for servers that draw fewer, or of the times of one. It may be closed without an
  /// answer, and opened again.
  ///
  /// - Parameter isClick: whether a click opened the list. Otherwise, closing the list dismisses the notification.
  private func offer(_ entries: [ListEntry], of posting: ShownNotification, _ number: PostedNumber, isClick: Bool) {
    let labels = entries.map { DisplayText.line($0.label.isEmpty ? $0.id : $0.label) }
    ends.postpone(posting.due)
    // The notification that the list belongs to was replaced under the same number.
    lists[number]?.task.cancel()
    let task = loop.startLater {
      defer { self.ends.release(posting.due) }
      let choice = await self.dialogs.choose(among: labels, of: posting)
      if case .chosen(let index)? = choice, entries.indices.contains(index) {
        return self.listClosed(entries[index], posting, number, wasClick: isClick)
      }
      // The center closed the list, or a newer list replaces it.
      if Task.isCancelled { return }
      if case .unavailable(let why)? = choice {
        return self.listFailed(why, entries, posting, number, wasClick: isClick)
      }
      // If too many lists wait, the notification stays and may be clicked again.
      self.listClosed(nil, posting, number, wasClick: isClick || choice == nil)
    }
    lists[number] = OpenList(due: posting.due, key: posting.key, task: task)
  }

  /// Closes the list: its server ended, and it opens again when the notification is shown again.
  func closeList(of key: RequestKey) {
    for (number, list) in lists where list.key == key { close(list, number) }
  }

  private func close(_ list: OpenList, _ number: PostedNumber) {
    lists[number] = nil
    _ = screen.endChoosing(number)
    list.task.cancel()
  }

  private func listClosed(
    _ entry: ListEntry?, _ asked: ShownNotification, _ number: PostedNumber, wasClick: Bool
  ) {
    lists[number] = nil
    let end = screen.endChoosing(number)
    // If the server has ended since, the notification is not on the screen, but the choice still counts.
    let lost = number.server == link.state?.owner ? nil : asked
    if let entry, let used = screen.useUp(number) ?? lost {
      if let time = entry.time { responder.answer(used, entry.id, reply: time) } else { chosen(entry.id, of: used) }
      screen.takeAnswered(used, number)
    } else if let end {
      left(number, end)
    } else if entry == nil && !wasClick {
      link.close(number)
      left(number, .dismissed)
    }
  }

  /// The list could not be shown: a click does what the notification itself does, or chooses the first time. If that is
  /// nothing, an alert stays, or comes back if its server closed it because of the click.
  private func listFailed(
    _ why: String, _ entries: [ListEntry], _ asked: ShownNotification, _ number: PostedNumber, wasClick: Bool
  ) {
    // A list of times is one of a single action, which was pressed.
    if wasClick, let first = entries.first, first.time != nil,
      entries.allSatisfy({ $0.id == first.id && $0.time != nil })
    {
      return listClosed(first, asked, number, wasClick: true)
    }
    if wasClick, let id = asked.clickWithEffect {
      return listClosed(ListEntry(id: id, label: ""), asked, number, wasClick: true)
    }
    lists[number] = nil
    let end = screen.endChoosing(number)
    if !isPressable(asked) { responder.report(asked, Action.listID, .failed(why)) }
    guard wasClick, asked.request.content.style == .alert else {
      if let end { left(number, end) }
      return
    }
    screen.ignoreClick(number)
    guard let end else { return }
    if end != .expired, screen.reopen(number) != nil {
      ends.noteLost(asked.due)
      poster.post()
    } else {
      left(number, end)
    }
  }

  /// Whether one of its actions can be chosen without the list.
  private func isPressable(_ posting: ShownNotification) -> Bool {
    if posting.offer.replyAction != nil { return true }
    // A server that draws no buttons gets them for a menu of its own, which few users have set up.
    return posting.hasButtons && link.state.map { $0.traits.buttons != 0 } == true
  }

  // MARK: Lines of text

  /// Answers with this action, after asking for its line of text if it has an input.
  private func chosen(_ id: String, of posting: ShownNotification) {
    let meant = posting.offer.meant(by: id, of: posting.request)
    guard let action = meant, let input = action.input else {
      // Without a way to choose, it is the first time.
      return responder.answer(posting, id, reply: meant?.snoozeTimes.first?.text)
    }
    // The click closes the notification, but its answer follows: the end is reported after it.
    ends.postpone(posting.due)
    ends.answered(posting.due)
    prompts.add(posting, id) { prompt in
      loop.startLater {
        switch await self.dialogs.prompt(input, for: action, of: posting) {
        case .text(let text): self.promptClosed(prompt, text)
        case .cancelled: self.promptClosed(prompt, nil, ending: .lapsed("cancelled"))
        case .unavailable(let why): self.promptClosed(prompt, nil, ending: .failed(why))
        case nil: self.promptClosed(prompt, nil, ending: .lapsed("busy"))
        }
      }
    }
  }

  private func promptClosed(_ prompt: UInt64, _ reply: String?, ending: Outcome? = nil) {
    // The center has ended it already.
    guard let open = prompts.remove(prompt) else { return }
    responder.answer(open.posting, open.action, reply: reply, ending: ending)
    ends.release(open.posting.due)
  }

  // MARK: Dialogs without a purpose

  /// A notification ended while its list was open, and not because of the click that opened it: the list is closed.
  func ended(_ one: Ended) {
    arrivals.note(one.key.base)
    // Nothing replaces the notification, so the choice of the user still counts.
    if one.end == .vanished { return }
    for (number, list) in lists where list.key.base == one.key.base && list.due.record?.delivery == one.delivery {
      close(list, number)
    }
  }

  /// Closes the text dialogs of these requests, of all of the app if there are no ids; returns how many. The clicks
  /// that opened them are recorded.
  @discardableResult
  func closePrompts(of app: String, _ ids: [String], because why: String) -> Int {
    if prompts.isEmpty { return 0 }
    let wanted = Set(ids.map { Identifier($0) })
    let closed = prompts.numbers.filter { number in
      guard let open = prompts[number], open.posting.key.app.isIdentical(to: app) else { return false }
      return ids.isEmpty || wanted.contains(Identifier(open.posting.key.id))
    }
    for number in closed {
      prompts[number]?.task.cancel()
      promptClosed(number, nil, ending: .lapsed(why))
    }
    return closed.count
  }

  /// The center ends: the click on an action whose text is still being typed is recorded, and its dialog closed.
  func end() {
    arrivals.endAll()
    for prompt in prompts.numbers {
      prompts[prompt]?.task.cancel()
      promptClosed(prompt, nil, ending: .lapsed("the center ended"))
    }
  }
}

extension ShownNotification {
  /// Whether a click on it may open a list of actions or ask for a text.
  fileprivate var mayOpenDialog: Bool {
    offer.keys.values.contains { choice in
      switch choice {
      case .chooser, .times: true
      case .time, .nothing: false
      case .action(let id): offer.meant(by: id, of: request)?.input != nil
      }
    }
  }

  /// Whether it has a button for one of its actions.
  fileprivate var hasButtons: Bool {
    offer.keys.contains { key, choice in
      switch choice {
      case .action, .time, .times: key != Action.defaultID
      case .chooser, .nothing: false
      }
    }
  }

  /// The action of a click on the notification itself; nil if it would only close the notification.
  fileprivate var clickWithEffect: String? {
    guard case .action(let id) = offer.click, offer.meant(by: id, of: request) != nil else { return nil }
    return id != Action.defaultID || hasOwnClick ? id : nil
  }

  private var hasOwnClick: Bool { request.opensOnClick || offer.action(Action.defaultID, of: request) != nil }
}
