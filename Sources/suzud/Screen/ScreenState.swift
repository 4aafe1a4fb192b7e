// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// The requests that are due or on the screen; pending ones are in the store.
///
/// Clicks from a server's history count after the popup has gone. The latest such notifications are kept here, all of
/// them in the store.
struct ScreenState {
  /// How long after a click its server may close a notification because of it.
  static let clickDelay: Duration = .seconds(1)

  private(set) var entries: [RequestKey: Entry] = [:]
  /// The dates of each request that are shown side by side; some may have left the screen.
  private var dates = DatesAtOnce()
  private(set) var postings: [PostedNumber: ShownNotification] = [:]
  private var departures = Departures()
  private var lastRevision: UInt64 = 0
  private var ended: [Ended] = []

  /// How many requests are due and not on the screen yet; nil means those of every app.
  func pendingCount(of app: String?) -> Int {
    entries.count { key, entry in entry.isPending && (app == nil || key.app == app) }
  }

  var pendingCount: Int { pendingCount(of: nil) }

  subscript(key: RequestKey) -> Entry? { entries[key] }

  /// The keys of all entries of a request: one, or one for each date, oldest first.
  func keys(of base: RequestKey) -> [RequestKey] {
    let single = entries[base] == nil ? [] : [base]
    return single + dates.keys(of: base).filter { entries[$0] != nil }
  }

  /// The entries that a newer request with the same id ends without replacing them on the screen: dates that are shown
  /// side by side, or the notification before there were such dates.
  func outdated(by due: Due, as key: RequestKey) -> [RequestKey] {
    guard let revision = due.record?.revision, key.delivery != nil || dates.has(key) else { return [] }
    return keys(of: key.base).filter { other in
      other != key && entries[other]?.due.record.map { $0.revision != revision } == true
    }
  }

  /// Whether a newer request with the same id ends it without replacing it on the screen, because the dates of one of
  /// the two are shown side by side.
  func isOutdated(_ due: Due, as key: RequestKey) -> Bool {
    guard let revision = due.record?.revision else { return false }
    return keys(of: key.base).contains { other in
      other != key && entries[other]?.due.record.map { $0.revision > revision } == true
    }
  }

  // MARK: Requests

  /// Removes and returns the ends that were noted since the last call.
  mutating func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended
  }

  /// Notes an end for ``takeEnded()``.
  private mutating func end(_ due: Due, _ end: RequestEnd, detail: String? = nil) {
    ended.append(Ended(key: RequestKey(due), delivery: due.record?.delivery, end: end, detail: detail))
  }

  /// Adds a due request in the place of an earlier one with its id.
  mutating func add(_ due: Due, as key: RequestKey, stage: Stage = .queued) -> Entry {
    lastRevision += 1
    let earlier = entries[key]
    if let earlier, earlier.isUnasked, !earlier.due.isSame(as: due) { end(earlier.due, .replaced) }
    let replaced = earlier?.onScreen.flatMap { isGone($0) ? nil : $0 }
    let entry = Entry(due: due, stage: stage, revision: lastRevision, replaces: replaced)
    entries[key] = entry
    dates.add(key, keeping: entries)
    return entry
  }

  mutating func setStage(_ stage: Stage, of key: RequestKey) {
    guard let place = entries.index(forKey: key) else { return }
    entries.values[place].stage = stage
    // It may have been closed while the server was asked, in vain, to replace it.
    if let replaced = entries.values[place].replaces, isGone(replaced) { entries.values[place].replaces = nil }
  }

  mutating func countRefusal(of key: RequestKey) -> Int {
    entries[key]?.refusals += 1
    return entries[key]?.refusals ?? 0
  }

  /// What ``withdraw(_:because:detail:)`` ends; nil for one that is on the screen already.
  ///
  /// - Parameter isAsked: whether one counts that the server was asked to show.
  func waiting(_ key: RequestKey, isAsked: Bool) -> Due? {
    guard let entry = entries[key], entry.isUnasked || isAsked && entry.isPosting else { return nil }
    guard let (_, posting) = stays(after: entry) else { return entry.due }
    return posting.due.isSame(as: entry.due) ? nil : entry.due
  }

  /// The notification on the screen that a pending entry would have replaced, and that stays without it.
  private func stays(after entry: Entry) -> (number: PostedNumber, posting: ShownNotification)? {
    guard let number = entry.replaces, let posting = postings[number], posting.leftAt == nil else { return nil }
    // While it is shown again, the server may have changed it already.
    return entry.isPosting && posting.due.isSame(as: entry.due) ? nil : (number, posting)
  }

  /// Removes a request that is not on the screen yet. The notification that it would have replaced stays.
  mutating func withdraw(_ key: RequestKey, because reason: RequestEnd = .cancelled, detail: String? = nil) {
    guard let entry = entries[key], entry.isPending else { return }
    // The server may replace the old notification all the same: the poster ends it then.
    guard let (number, posting) = stays(after: entry) else {
      end(entry.due, reason, detail: detail)
      entries[key] = nil
      return
    }
    // One that was to be shown again is still on the screen.
    if !posting.due.isSame(as: entry.due) { end(entry.due, reason, detail: detail) }
    lastRevision += 1
    entries[key] = Entry(
      due: posting.due, stage: .shown(number), revision: lastRevision, isAnswered: posting.isUsedUp)
  }

  // MARK: The screen

  /// Records that the server shows the request. Returns the number of an earlier notification of this id that the
  /// server still shows.
  mutating func show(
    _ key: RequestKey, as number: PostedNumber, offer: OfferedActions, at now: Duration
  ) -> PostedNumber? {
    guard let entry = entries[key] else { return nil }
    var posting = ShownNotification(key: key, due: entry.due, offer: offer)
    let earlier = entry.replaces.flatMap { postings[$0] }
    let isAgain = earlier?.due.isSame(as: entry.due) == true
    posting.isUsedUp = entry.isAnswered
    let leftover = entry.replaces == number ? nil : entry.replaces
    if let leftover { leaveScreen(leftover, at: now, because: isAgain ? nil : .replaced) }
    oust(from: number, by: key, at: now)
    entries[key]?.stage = .shown(number)
    entries[key]?.replaces = nil
    entries[key]?.waitsForRoom = false
    entries[key]?.refusals = 0
    overwrite(number, with: posting)
    return leftover
  }

  /// The server gave a number twice: the notification that had it first is no longer on the screen.
  private mutating func oust(from number: PostedNumber, by key: RequestKey, at now: Duration) {
    guard let earlier = postings[number]?.key, earlier != key, entries[earlier]?.onScreen == number else { return }
    // The request that was to replace it has nothing to replace now.
    if shown(number) == nil { entries[earlier]?.replaces = nil } else { leaveScreen(number, at: now) }
  }

  private mutating func overwrite(_ number: PostedNumber, with posting: ShownNotification) {
    if let earlier = postings[number], earlier.leftAt == nil, !earlier.due.isSame(as: posting.due) {
      end(earlier.due, .replaced)
    }
    postings[number] = posting
  }

  /// Loads a notification that left the screen long ago, or in an earlier run, because a click on it arrived.
  mutating func recall(_ posting: ShownNotification, _ number: PostedNumber) {
    var posting = posting
    posting.leftAt = .zero
    postings[number] = posting
    departures.add(number, at: .zero)
  }

  /// Adds a notification of an earlier run that is still on the screen.
  mutating func restore(_ due: Due, as key: RequestKey, _ number: PostedNumber, offer: OfferedActions) {
    lastRevision += 1
    entries[key] = Entry(due: due, stage: .shown(number), revision: lastRevision)
    dates.add(key, keeping: entries)
    postings[number] = ShownNotification(key: key, due: due, offer: offer)
  }

  /// Records that the server shows a request that was replaced by a newer one, not posted yet, while it was being
  /// posted.
  mutating func showForNow(
    _ due: Due, _ key: RequestKey, as number: PostedNumber, offer: OfferedActions,
    at now: Duration
  ) -> PostedNumber? {
    guard let entry = entries[key] else { return nil }
    let leftover = entry.replaces == number ? nil : entry.replaces
    if let leftover { leaveScreen(leftover, at: now, because: .replaced) }
    oust(from: number, by: key, at: now)
    entries[key]?.replaces = number
    overwrite(number, with: ShownNotification(key: key, due: due, offer: offer))
    return leftover
  }

  /// The key of the notification with this number, if it is on the screen and nothing is about to replace it.
  func shown(_ number: PostedNumber) -> RequestKey? {
    guard let key = postings[number]?.key, let entry = entries[key], entry.onScreen == number, !entry.isPosting
    else { return nil }
    return key
  }

  /// Whether a newer request that replaces this notification is being posted.
  func isBeingReplaced(_ number: PostedNumber) -> Bool {
    guard let key = postings[number]?.key, let entry = entries[key] else { return false }
    return entry.isPosting && entry.replaces == number
  }

  /// Whether no newer request is about to replace this notification. It may be about to be shown again itself.
  func isNewest(_ number: PostedNumber) -> Bool {
    guard let posting = postings[number], let entry = entries[posting.key] else { return false }
    return posting.due.isSame(as: entry.due)
  }

  /// Whether the server is asked to change the expiry of this notification.
  func isBeingRenewed(_ number: PostedNumber) -> Bool {
    isBeingReplaced(number) && postings[number].map { entries[$0.key]?.isRenewed == true } ?? false
  }

  /// Records that the notification was closed to make room for its replacement.
  mutating func noteRoomMade(by number: PostedNumber) {
    if let key = postings[number]?.key { entries[key]?.hasRoom = true }
  }

  private func isGone(_ number: PostedNumber) -> Bool { postings[number]?.leftAt != nil }

  /// Records that a notification left the screen; clicks on it may still arrive.
  ///
  /// - Parameter reason: its end; nil if it has not ended, because it is shown again.
  mutating func leaveScreen(_ number: PostedNumber, at now: Duration, because reason: RequestEnd? = .unknown) {
    if let key = shown(number), let entry = entries[key] {
      // An entry that waits to replace its own notification is done; any other waits on, with nothing to replace.
      if entry.isPending && !isNewest(number) { entries[key]?.replaces = nil } else { entries[key] = nil }
    }
    depart(number, at: now, because: reason)
  }

  private mutating func depart(_ number: PostedNumber, at now: Duration, because reason: RequestEnd?) {
    guard let posting = postings[number], posting.leftAt == nil else { return }
    if let reason { end(posting.due, reason) }
    postings[number]?.leftAt = now
    departures.add(number, at: now)
    while let oldest = departures.takeOverdue(now) {
      if postings[oldest.number]?.leftAt == oldest.leftAt { postings[oldest.number] = nil }
    }
  }

  // MARK: Clicks

  mutating func keepToken(_ token: String, for number: PostedNumber) {
    postings[number]?.token = token
  }

  /// Uses a notification up, unless the click opens a list or does nothing; returns nil if the key was not
  /// offered, or an earlier click used it up.
  mutating func use(
    _ number: PostedNumber, key: String, at now: Duration
  ) -> (posting: ShownNotification, choice: OfferedActions.Choice)? {
    guard let posting = postings[number], !posting.isUsedUp, let choice = posting.offer.keys[key] else { return nil }
    switch choice {
    case .action, .time: markUsed(number)
    case .chooser, .times: return beginChoosing(number).map { ($0, choice) }
    case .nothing: ignoreClick(number, at: now)
    }
    return (posting, choice)
  }

  /// Records a click without a meaning; see ``reopen(_:at:)``.
  mutating func ignoreClick(_ number: PostedNumber, at now: Duration) { postings[number]?.ignoredClickAt = now }

  /// Queues a notification again that the server closed because of a click without a meaning. Returns its key; nil if
  /// there was no such click.
  mutating func reopen(_ number: PostedNumber, at now: Duration) -> RequestKey? {
    guard let posting = postings[number], !posting.isUsedUp, let clicked = posting.ignoredClickAt,
      now - clicked <= Self.clickDelay, let key = shown(number), entries[key]?.isPending == false
    else { return nil }
    // Nothing of it is left that could be answered.
    postings[number] = nil
    reshow(key)
    return key
  }

  /// Queues a notification again that is closed to make room for a newer one. A click on it may be under way.
  mutating func park(_ number: PostedNumber, at now: Duration) {
    guard let key = shown(number) else { return }
    depart(number, at: now, because: nil)
    reshow(key)
    entries[key]?.waitsForRoom = true
  }

  /// The open notifications of an app, or of all apps, oldest first.
  func open(of app: String?) -> [(number: PostedNumber, entry: Entry)] {
    postings.compactMap { number, posting -> (number: PostedNumber, entry: Entry)? in
      guard posting.leftAt == nil, app == nil || posting.key.app == app, let entry = entries[posting.key] else {
        return nil
      }
      return (number, entry)
    }.sorted { $0.entry.revision < $1.entry.revision }
  }

  /// Records that the list of actions is open; returns nil if it was, or an earlier click used the notification up.
  mutating func beginChoosing(_ number: PostedNumber) -> ShownNotification? {
    guard let posting = postings[number], !posting.isUsedUp, posting.openList == nil else { return nil }
    postings[number]?.openList = ShownNotification.OpenList()
    return posting
  }

  /// Keeps the end of the notification until its list is closed; returns false if no list is open.
  mutating func holdEnd(_ number: PostedNumber, _ reason: RequestEnd) -> Bool {
    guard let list = postings[number]?.openList else { return false }
    if list.heldEnd == nil { postings[number]?.openList?.heldEnd = reason }
    return true
  }

  /// Records that the list is closed. Returns how the notification left the screen in the meantime, if it did.
  mutating func endChoosing(_ number: PostedNumber) -> RequestEnd? {
    defer { postings[number]?.openList = nil }
    return postings[number]?.openList?.heldEnd
  }

  /// Uses a notification up for a response that does not press one of its buttons.
  mutating func useUp(_ number: PostedNumber) -> ShownNotification? {
    guard let posting = postings[number], !posting.isUsedUp else { return nil }
    markUsed(number)
    return posting
  }

  /// Uses up notifications that leave the screen together.
  mutating func useUp(_ numbers: [PostedNumber]) { markUsed(numbers) }

  private mutating func markUsed(_ number: PostedNumber) { markUsed([number]) }

  /// Uses notifications up under each number that they have had: a server may give one another number when it is shown
  /// again, and keep the first in a list. Thousands may leave the screen together, so all are compared in one pass.
  private mutating func markUsed(_ numbers: [PostedNumber]) {
    let dues = numbers.compactMap { postings[$0]?.due }
    let (objects, records) = (Set(dues.map { ObjectIdentifier($0) }), Set(dues.compactMap(\.record)))
    let used = postings.indices.filter { index in
      let due = postings.values[index].due
      return objects.contains(ObjectIdentifier(due)) || due.record.map { records.contains($0) } == true
    }
    for index in used {
      postings.values[index].isUsedUp = true
      let posting = postings.values[index]
      if entries[posting.key]?.due.isSame(as: posting.due) == true { entries[posting.key]?.isAnswered = true }
    }
  }

  // MARK: The server's end

  /// The server ended, and its numbers with it. Notifications that were about to be replaced end, too. Returns the
  /// requests that it showed, oldest first.
  mutating func forgetServer() -> [RequestKey] {
    let shown = entries.filter { $0.value.onScreen != nil }.sorted { $0.value.revision < $1.value.revision }
    for (key, entry) in shown {
      if let number = entry.replaces, let posting = postings[number], posting.leftAt == nil,
        !posting.due.isSame(as: entry.due)
      {
        end(posting.due, .vanished)
      }
      // It was answered while the server was asked to show it again.
      if entry.isPending, entry.isAnswered {
        end(entry.due, .withdrawn)
        entries[key] = nil
      }
      entries[key]?.replaces = nil
    }
    postings = [:]
    departures = Departures()
    return shown.map(\.key)
  }

  /// Queues it again: for the next server, or to replace `number` on this one.
  mutating func reshow(_ key: RequestKey, replacing number: PostedNumber? = nil) {
    entries[key]?.stage = .queued
    entries[key]?.isReshown = true
    entries[key]?.replaces = number
  }

  /// Queues it again, although it is on the screen and stays there, because its expiry is another one now.
  mutating func renew(_ key: RequestKey, _ number: PostedNumber) {
    reshow(key, replacing: number)
    entries[key]?.isRenewed = true
  }

  mutating func remove(_ key: RequestKey) {
    entries[key] = nil
  }

  // MARK: Hidden texts

  mutating func setTextsReturn(_ isHidden: Bool, of key: RequestKey) {
    if entries[key]?.textsReturn != isHidden { entries[key]?.textsReturn = isHidden }
  }

  /// The notifications on the screen whose texts are hidden until the session is unlocked, oldest first.
  var withReturningTexts: [(key: RequestKey, number: PostedNumber)] {
    entries.filter { $0.value.textsReturn }.sorted { $0.value.revision < $1.value.revision }.compactMap { key, entry in
      if case .shown(let number) = entry.stage { (key, number) } else { nil }
    }
  }

  /// How many notifications of an app and a thread are on the screen.
  func shownCount(of app: AppID, thread: String?) -> Int {
    entries.values.count { $0.onScreen != nil && $0.request.app == app && $0.request.content.thread == thread }
  }
}
