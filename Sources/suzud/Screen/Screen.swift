// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// What is on the screen, and what stands in line for it. ``Poster`` brings it there.
final class Screen {
  private let link: ServerLink
  private let ends: Ends
  private let time: any TimeSource
  private var burst: Burst
  private(set) var state = ScreenState()

  init(link: ServerLink, ends: Ends, time: any TimeSource, burst: Burst) {
    self.link = link
    self.ends = ends
    self.time = time
    self.burst = burst
  }

  /// Changes what is on the screen. What that ends is noted in its order, between the ends that others note.
  private func change<T>(_ change: (inout ScreenState) -> T) -> T {
    defer { ends.note(state.takeEnded()) }
    return change(&state)
  }

  // MARK: The line

  /// Puts what is due in line.
  func put(_ due: Due) {
    let key = RequestKey(due)
    for other in state.outdated(by: due, as: key) { remove(other, because: .replaced) }
    // What takes another's place covers no more of the screen: progress, or a volume key that is held down.
    if state[key] == nil, case .fold(let digest) = burst.take(due, at: EventLoop.Clock.monotonic.now) {
      return fold(due, into: digest)
    }
    // Where it waits for a server already, that date and this one are shown as one.
    var due = due
    if let waiting = state[key], waiting.isUnasked, waiting.request.when == due.request.when, !due.request.when.isEmpty
    {
      due = due.standing(for: waiting.due)
    }
    line(up: due, as: key)
  }

  /// Puts it in line as it is.
  func line(up due: Due, as key: RequestKey) {
    add(due, as: key)
    link.queue.add(key)
  }

  /// Takes it from the screen, or out of the line.
  private func remove(_ key: RequestKey, because end: RequestEnd) {
    drop(key, because: end)
    guard let number = state[key]?.onScreen else { return }
    link.close(number)
    leaveScreen(number, because: end)
  }

  /// One of too many at once: it is told of, not shown.
  private func fold(_ due: Due, into digest: NotificationRequest) {
    ends.note(due, .folded)
    // Not written down: it says how many there are, and they are.
    line(
      up: Due(digest, date: time.wall), as: RequestKey(app: digest.app, id: digest.id ?? ""))
  }

  /// Takes out of the line what has yet to come to the screen.
  func drop(_ key: RequestKey, because end: RequestEnd = .cancelled, detail: String? = nil) {
    link.queue.remove(key)
    change { $0.withdraw(key, because: end, detail: detail) }
  }

  /// Puts it back in line: for the next server, or in the place of what this one may still show under `number`.
  func showAgain(_ key: RequestKey, replacing number: PostedNumber? = nil) {
    change { $0.reshow(key, replacing: number) }
    link.queue.add(key)
  }

  // MARK: Leaving

  /// Closes it on the server, and counts it as closed whether or not the server says so.
  func take(_ number: PostedNumber) {
    // The server will overwrite it, under the same number: closing that would close what comes.
    if state.isBeingReplaced(number) { return }
    link.close(number)
    closed(number, .withdrawn)
  }

  /// It has been closed.
  func closed(_ number: PostedNumber, _ reason: RequestEnd) {
    // Several servers say it twice, and some close what was replaced: only the first for what is on the screen counts.
    let isBeingReplaced = state.isBeingReplaced(number)
    guard isBeingReplaced || state.shown(number) != nil else { return }
    // Closed for the newer one: by us, where its buttons would be lost otherwise, or by the server itself.
    let makesRoom = isBeingReplaced && reason == .withdrawn
    if makesRoom { change { $0.noteRoomMade(by: number) } }
    leaveScreen(number, because: makesRoom ? .replaced : reason)
    ends.carryOut()
  }

  private func leaveScreen(_ number: PostedNumber, because end: RequestEnd) {
    change { $0.leaveScreen(number, at: EventLoop.Clock.monotonic.now, because: end) }
  }

  // MARK: Requests

  /// Takes in what is due, in the place of an earlier request with its id, without putting it in line.
  func add(_ due: Due, as key: RequestKey) { change { _ = $0.add(due, as: key) } }

  func remove(_ key: RequestKey) { change { $0.remove(key) } }

  func setStage(_ stage: Stage, of key: RequestKey) { change { $0.setStage(stage, of: key) } }

  func countRefusal(of key: RequestKey) -> Int { change { $0.countRefusal(of: key) } }

  /// The server shows the request. Returns what the server still shows of the same id, under another number.
  func show(_ key: RequestKey, as number: PostedNumber, offer: OfferedActions) -> PostedNumber? {
    change { $0.show(key, as: number, offer: offer, at: EventLoop.Clock.monotonic.now) }
  }

  /// The same for a request in whose place a newer one came while it was on its way.
  func showForNow(_ due: Due, _ key: RequestKey, as number: PostedNumber, offer: OfferedActions) -> PostedNumber? {
    change { $0.showForNow(due, key, as: number, offer: offer, at: EventLoop.Clock.monotonic.now) }
  }

  /// The numbers of a server that ended mean nothing any more. Returns the ids of which it showed something.
  func forgetServer() -> [RequestKey] { change { $0.forgetServer() } }

  /// What an earlier run of the center brought to the screen, and is there still.
  func restore(_ due: Due, as key: RequestKey, _ number: PostedNumber, offer: OfferedActions) {
    change { $0.restore(due, as: key, number, offer: offer) }
  }

  /// What left the screen long ago, or in an earlier run, is at hand again because something happens to it.
  func recall(_ posting: ShownNotification, _ number: PostedNumber) { change { $0.recall(posting, number) } }

  // MARK: Clicks

  func keepToken(_ token: String, for number: PostedNumber) { change { $0.keepToken(token, for: number) } }

  func use(_ number: PostedNumber, key: String) -> (posting: ShownNotification, choice: OfferedActions.Choice)? {
    change { $0.use(number, key: key) }
  }

  func useUp(_ number: PostedNumber) -> ShownNotification? { change { $0.useUp(number) } }

  func beginChoosing(_ number: PostedNumber) -> ShownNotification? { change { $0.beginChoosing(number) } }

  func holdEnd(_ number: PostedNumber, _ reason: RequestEnd) -> Bool { change { $0.holdEnd(number, reason) } }

  func endChoosing(_ number: PostedNumber) -> RequestEnd? { change { $0.endChoosing(number) } }
}

// MARK: - Reading

extension Screen {
  subscript(key: RequestKey) -> Entry? { state[key] }

  /// The notification with that number, for as long as clicks on it may come.
  func posting(_ number: PostedNumber) -> ShownNotification? { state.postings[number] }

  /// The app's entries with these ids, no ids standing for all of them; oldest first.
  ///
  /// - Parameter rights: those of the caller: the center's own notifications are not for sandboxed programs.
  func matching(
    _ app: String, _ ids: [String], for rights: Rights = .all, where fits: (Entry) -> Bool
  ) -> [RequestKey] {
    let found: [(key: RequestKey, value: Entry)]
    if !ids.isEmpty, !state.hasDated {
      // A key is its id: no entry has to be looked at but those.
      found = Set(ids.map { RequestKey(app: app, id: $0) }).compactMap { key in state[key].map { (key, $0) } }
    } else {
      let wanted = Set(ids.map { RequestKey(app: app, id: $0) })
      found = state.entries.filter { key, _ in
        key.app.isIdentical(to: app) && (wanted.isEmpty || wanted.contains(RequestKey(app: app, id: key.id)))
      }
    }
    return found.filter { fits($0.value) && (rights == .all || !ReservedID.isReserved($0.key.id)) }
      .sorted { $0.value.revision < $1.value.revision }.map(\.key)
  }
}
