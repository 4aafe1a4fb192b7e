// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// The notifications on the screen, and those queued for it. ``Poster`` posts them.
final class Screen {
  private let link: ServerLink
  private let ends: Ends
  private let time: any TimeSource
  private var burst: Burst
  private let asked: AskedRequests
  private let categories: Categories
  private(set) var state = ScreenState()

  init(link: ServerLink, ends: Ends, time: any TimeSource, burst: Burst, asked: AskedRequests, categories: Categories) {
    self.link = link
    self.ends = ends
    self.time = time
    self.burst = burst
    self.asked = asked
    self.categories = categories
  }

  /// Changes the state, and notes the ends that follow from it in their order.
  private func change<T>(_ change: (inout ScreenState) -> T) -> T {
    defer { ends.note(state.takeEnded()) }
    return change(&state)
  }

  // MARK: The queue

  /// Queues a due request.
  func put(_ due: Due) {
    let key = RequestKey(due)
    if due.earlierShowings > 0, !ends.isUnderWay(due) { return }
    for other in state.outdated(by: due, as: key) { remove(other, because: .replaced) }
    // A request that replaces a notification needs no more room: progress, or a volume key that is held down.
    // Nor does a question of the user's own programs, because a digest cannot be answered.
    let isAsked = due.asker == nil && asked.isAsked(key)
    if state[key] == nil, !isAsked,
      case .fold(let digest) = burst.take(
        due, at: EventLoop.Clock.monotonic.now, format: categories.summary(of: due))
    {
      return fold(due, into: digest)
    }
    // If an earlier date of it still waits for a server, both dates are shown as one.
    var due = due
    if let waiting = state[key], waiting.isEarlierDate(of: due) {
      due = due.standing(for: waiting.due)
      ends.noteMissed(due)
    }
    line(up: due, as: key)
  }

  /// Queues the request without these checks.
  func line(up due: Due, as key: RequestKey) {
    add(due, as: key)
    link.queue.add(key)
  }

  /// Removes it from the screen or from the queue.
  private func remove(_ key: RequestKey, because end: RequestEnd) {
    drop(key, because: end)
    guard let number = state[key]?.onScreen else { return }
    link.close(number)
    leaveScreen(number, because: end)
  }

  /// Counts a request in the digest instead of showing it.
  private func fold(_ due: Due, into digest: NotificationRequest) {
    ends.note(due, .folded)
    // The digest is not stored: the requests that it counts are.
    line(up: Due(digest, date: time.wall), as: RequestKey(digest))
  }

  /// Removes a request that is not on the screen yet from the queue.
  func drop(_ key: RequestKey, because end: RequestEnd = .cancelled, detail: String? = nil) {
    link.queue.remove(key)
    change { $0.withdraw(key, because: end, detail: detail) }
  }

  /// Queues it again: for the next server, or to replace `number` on this one.
  func showAgain(_ key: RequestKey, replacing number: PostedNumber? = nil) {
    change { $0.reshow(key, replacing: number) }
    link.queue.add(key)
  }

  /// Queues it again, although it is on the screen and stays there, because its expiry is another one now.
  func renew(_ key: RequestKey, _ number: PostedNumber) {
    change { $0.renew(key, number) }
    link.queue.add(key)
  }

  /// Queues it again if the server closed it because of a click without a meaning. Returns its key; nil if there was no
  /// such click.
  func reopen(_ number: PostedNumber) -> RequestKey? {
    guard let key = change({ $0.reopen(number, at: EventLoop.Clock.monotonic.now) }) else { return nil }
    link.queue.add(key)
    return key
  }

  /// Whether it is a push whose last moment to be shown has passed, and that has not been on the screen.
  func hasLapsed(_ entry: Entry) -> Bool {
    guard let lapses = entry.due.lapses, !entry.isReshown, !entry.waitsForRoom else { return false }
    return lapses <= time.wall
  }

  /// Closes it, unless it is closed already, and queues it again for when there is room. Returns its key; nil if a newer
  /// request is about to take its place.
  func park(_ number: PostedNumber, isClosed: Bool = false) -> RequestKey? {
    guard let key = state.shown(number), state.isNewest(number) else { return nil }
    if !isClosed { link.close(number) }
    change { $0.park(number, at: EventLoop.Clock.monotonic.now) }
    link.queue.add(key)
    return key
  }

  /// A click had no meaning: if the server closes the notification because of it, it is shown again.
  func ignoreClick(_ number: PostedNumber) {
    change { $0.ignoreClick(number, at: EventLoop.Clock.monotonic.now) }
  }

  // MARK: Leaving

  /// Closes one of an earlier run on the server. It has no entry here.
  func close(_ number: PostedNumber) { link.close(number) }

  /// Closes it on the server, and counts it as closed even if the server does not report that.
  func take(_ number: PostedNumber, because end: RequestEnd = .withdrawn) {
    // The server is about to reuse the number: closing it would close the newer notification.
    if state.isBeingReplaced(number) { return }
    link.close(number)
    closed(number, end)
  }

  /// The same for one that has been answered, wherever it has been shown again in the meantime.
  func takeAnswered(_ posting: ShownNotification, _ number: PostedNumber) {
    take(number)
    guard let entry = state[posting.key], entry.due.isSame(as: posting.due) else { return }
    if let other = entry.onScreen {
      if other != number { take(other) }
    } else if entry.isUnasked {
      // It waits for room, and was clicked in the moment in which it was closed.
      drop(posting.key, because: .withdrawn)
      ends.carryOut()
    }
  }

  /// The notification that an entry takes the place of on this server; 0 for none. One that is shown again replaces its
  /// last showing, which the server may keep in a list.
  func replaced(by entry: Entry, on state: ServerState) -> UInt32 {
    if let number = entry.replaces, number.server == state.owner { return number.number }
    return ends.lastNumber(of: entry.due, on: state)
  }

  /// The server reported that it was closed, or the center closed it.
  func closed(_ number: PostedNumber, _ reason: RequestEnd) {
    // Several servers report this twice, and some report what was replaced: only the first report of a notification on
    // the screen counts.
    let isBeingReplaced = state.isBeingReplaced(number)
    guard isBeingReplaced || state.shown(number) != nil else { return }
    // It replaces itself, which some servers report.
    if state.isBeingRenewed(number), reason == .withdrawn || reason == .unknown { return }
    // Closed to make room for a newer one: by the center, to keep its buttons, or by the server.
    let makesRoom = isBeingReplaced && reason == .withdrawn
    // One that is shown again has not ended.
    if makesRoom, state.isNewest(number) { return leaveScreen(number, because: nil) }
    if makesRoom { change { $0.noteRoomMade(by: number) } }
    leaveScreen(number, because: makesRoom ? .replaced : reason)
    ends.carryOut()
  }

  private func leaveScreen(_ number: PostedNumber, because end: RequestEnd?) {
    change { $0.leaveScreen(number, at: EventLoop.Clock.monotonic.now, because: end) }
    link.roomMade()
  }

  // MARK: Requests

  /// Adds a due request in the place of an earlier one with its id, without queueing it.
  func add(_ due: Due, as key: RequestKey) { change { _ = $0.add(due, as: key) } }

  func remove(_ key: RequestKey) { change { $0.remove(key) } }

  func setStage(_ stage: Stage, of key: RequestKey) { change { $0.setStage(stage, of: key) } }

  /// Records whether the texts of a notification on the screen are hidden until the session is unlocked.
  func setTextsReturn(_ isHidden: Bool, of key: RequestKey) { change { $0.setTextsReturn(isHidden, of: key) } }

  /// Queues those notifications again, with their texts.
  func showTextsAgain() {
    for (key, number) in state.withReturningTexts { showAgain(key, replacing: number) }
  }

  /// How many notifications of its thread are on the screen, itself included.
  func countWithThread(of key: RequestKey, _ entry: Entry) -> Int {
    state.shownCount(of: entry.request.app, thread: entry.request.content.thread) + (entry.onScreen == nil ? 1 : 0)
  }

  func countRefusal(of key: RequestKey) -> Int { change { $0.countRefusal(of: key) } }

  /// Records that the server shows the request. Returns the number of an earlier notification of this id that the
  /// server still shows.
  func show(_ key: RequestKey, as number: PostedNumber, offer: OfferedActions) -> PostedNumber? {
    change { $0.show(key, as: number, offer: offer, at: EventLoop.Clock.monotonic.now) }
  }

  /// The same for a request that was replaced by a newer one while it was being posted.
  func showForNow(_ due: Due, _ key: RequestKey, as number: PostedNumber, offer: OfferedActions) -> PostedNumber? {
    change { $0.showForNow(due, key, as: number, offer: offer, at: EventLoop.Clock.monotonic.now) }
  }

  /// Forgets the numbers of a server that ended. Returns the requests that it showed.
  func forgetServer() -> [RequestKey] { change { $0.forgetServer() } }

  /// Adds a notification of an earlier run that is still on the screen.
  func restore(_ due: Due, as key: RequestKey, _ number: PostedNumber, offer: OfferedActions) {
    change { $0.restore(due, as: key, number, offer: offer) }
  }

  /// Loads a notification that left the screen long ago, or in an earlier run, because a click on it arrived.
  func recall(_ posting: ShownNotification, _ number: PostedNumber) { change { $0.recall(posting, number) } }

  // MARK: Clicks

  func keepToken(_ token: String, for number: PostedNumber) { change { $0.keepToken(token, for: number) } }

  func use(_ number: PostedNumber, key: String) -> (posting: ShownNotification, choice: OfferedActions.Choice)? {
    change { $0.use(number, key: key, at: EventLoop.Clock.monotonic.now) }
  }

  func useUp(_ number: PostedNumber) -> ShownNotification? { change { $0.useUp(number) } }

  func useUp(_ numbers: [PostedNumber]) { change { $0.useUp(numbers) } }

  func beginChoosing(_ number: PostedNumber) -> ShownNotification? { change { $0.beginChoosing(number) } }

  func holdEnd(_ number: PostedNumber, _ reason: RequestEnd) -> Bool { change { $0.holdEnd(number, reason) } }

  func endChoosing(_ number: PostedNumber) -> RequestEnd? { change { $0.endChoosing(number) } }
}

// MARK: - Reading

extension Screen {
  subscript(key: RequestKey) -> Entry? { state[key] }

  /// The notification with this number, for as long as clicks on it count.
  func posting(_ number: PostedNumber) -> ShownNotification? { state.postings[number] }

  /// The app's entries with these ids, oldest first; no ids means all.
  ///
  /// - Parameter rights: the caller's. Sandboxed programs do not get the center's own notifications.
  func matching(
    _ app: String, _ ids: [String], for rights: Rights = .all, where fits: (Entry) -> Bool
  ) -> [RequestKey] {
    let found: [(key: RequestKey, value: Entry)]
    if ids.isEmpty {
      found = state.entries.filter { $0.key.app.isIdentical(to: app) }
    } else {
      // By their keys, so that no other entry has to be searched.
      found = Set(ids.map { RequestKey(app: app, id: $0) }).flatMap { state.keys(of: $0) }
        .compactMap { key in state[key].map { (key, $0) } }
    }
    return found.filter { fits($0.value) && (rights == .all || !ReservedID.isReserved($0.key.id)) }
      .sorted { $0.value.revision < $1.value.revision }.map(\.key)
  }
}
