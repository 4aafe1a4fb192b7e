// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

extension Due {
  /// Whether both are the same date of the same request, and not one that came after it.
  fileprivate func isSame(as other: Due) -> Bool {
    self === other || record != nil && record == other.record
  }
}

/// A delivery that is over: what is written down and told of it.
struct Ended: Hashable {
  let key: RequestKey
  /// Nil: it could not be written down when it began, or is the center's own.
  let delivery: DeliveryRecord.Number?
  let end: RequestEnd
  /// What the history says instead of the end's own word.
  var detail: String?
}

/// What is due and what is on the screen; what has yet to come is in the store.
///
/// Clicks from a server's history stay valid after the popup has gone. A few are kept here, all of them in the store.
struct ScreenState {
  /// How many notifications are kept at hand for a late click after they have left the screen.
  static let longestHistory = 250
  /// How long they are kept.
  static let historyLimit: Duration = .seconds(24 * 3600)

  private(set) var entries: [RequestKey: Entry] = [:]
  /// The dates of each request that stand beside one another; some may have left.
  private var dates: [RequestKey: Set<DeliveryRecord.Number>] = [:]
  private(set) var postings: [PostedNumber: ShownNotification] = [:]
  /// What left the screen, in order; of a number that was given again meanwhile, the date is another.
  private var history: [(number: PostedNumber, leftAt: Duration)] = []
  private var historyStart = 0
  private var lastRevision: UInt64 = 0
  /// Whether there may be keys that hold a delivery besides the id; see ``RequestKey/delivery``.
  private(set) var hasDated = false
  private var ended: [Ended] = []

  /// How many requests are due and not on the screen yet; nil: of every app.
  func pendingCount(of app: String?) -> Int {
    entries.count { key, entry in entry.isPending && (app == nil || key.app == app) }
  }

  var pendingCount: Int { pendingCount(of: nil) }

  subscript(key: RequestKey) -> Entry? { entries[key] }

  /// All entries of a request: one, or each of its dates, the oldest first.
  func keys(of base: RequestKey) -> [RequestKey] {
    let single = entries[base] == nil ? [] : [base]
    guard let dates = dates[base] else { return single }
    return single
      + dates.sorted().map { RequestKey(app: base.app, id: base.id, delivery: $0) }.filter { entries[$0] != nil }
  }

  private mutating func noteDate(_ key: RequestKey) {
    guard let delivery = key.delivery else { return }
    var known = dates[key.base] ?? []
    if known.count >= 64 {
      known = known.filter { entries[RequestKey(app: key.app, id: key.id, delivery: $0)] != nil }
    }
    known.insert(delivery)
    dates[key.base] = known
  }

  /// The notifications, shown or in line, that a newer request of the same name ends without taking their place: dates
  /// that stand for themselves, or the one before there were such dates.
  func outdated(by due: Due, as key: RequestKey) -> [RequestKey] {
    guard let revision = due.record?.revision, key.delivery != nil || dates[key] != nil else { return [] }
    return keys(of: key.base).filter { other in
      other != key && entries[other]?.due.record.map { $0.revision != revision } == true
    }
  }

  // MARK: Requests

  /// What has come to its end since this was asked last.
  mutating func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended
  }

  /// Notes an end; ``takeEnded()`` has it.
  private mutating func end(_ due: Due, _ end: RequestEnd, detail: String? = nil) {
    ended.append(Ended(key: RequestKey(due), delivery: due.record?.delivery, end: end, detail: detail))
  }

  /// Takes in what is due, in the place of an earlier request with its id.
  mutating func add(_ due: Due, as key: RequestKey, stage: Stage = .queued) -> Entry {
    lastRevision += 1
    if entries.isEmpty { hasDated = false }
    if key.delivery != nil { hasDated = true }
    if let earlier = entries[key], earlier.isUnasked { end(earlier.due, .replaced) }
    let replaced = entries[key]?.onScreen.flatMap { isGone($0) ? nil : $0 }
    let entry = Entry(due: due, stage: stage, revision: lastRevision, replaces: replaced)
    entries[key] = entry
    noteDate(key)
    return entry
  }

  mutating func setStage(_ stage: Stage, of key: RequestKey) {
    entries[key]?.stage = stage
    // It may have been closed while the server was asked to replace it, in vain.
    if let replaced = entries[key]?.replaces, isGone(replaced) { entries[key]?.replaces = nil }
  }

  mutating func countRefusal(of key: RequestKey) -> Int {
    entries[key]?.refusals += 1
    return entries[key]?.refusals ?? 0
  }

  /// Forgets a request that has yet to come to the screen. What it would have replaced there is the id's request again.
  mutating func withdraw(_ key: RequestKey, because reason: RequestEnd = .cancelled, detail: String? = nil) {
    guard let entry = entries[key], entry.isPending else { return }
    end(entry.due, reason, detail: detail)
    // While it is posted, the server overwrites what it replaces.
    guard !entry.isPosting, let number = entry.replaces, let posting = postings[number] else {
      entries[key] = nil
      return
    }
    lastRevision += 1
    entries[key] = Entry(due: posting.due, stage: .shown(number), revision: lastRevision)
  }

  // MARK: The screen

  /// The server shows the request. Returns what the server still shows of the same id, under another number.
  mutating func show(
    _ key: RequestKey, as number: PostedNumber, offer: OfferedActions, at now: Duration
  ) -> PostedNumber? {
    guard let entry = entries[key] else { return nil }
    var posting = ShownNotification(key: key, due: entry.due, offer: offer)
    let earlier = entry.replaces.flatMap { postings[$0] }
    let isAgain = earlier?.due.isSame(as: entry.due) == true
    // Answered while it was shown again: one answer is all that it gets.
    if let earlier, isAgain { posting.isUsedUp = earlier.isUsedUp }
    let leftover = entry.replaces == number ? nil : entry.replaces
    if let leftover { leaveScreen(leftover, at: now, because: isAgain ? nil : .replaced) }
    oust(from: number, by: key, at: now)
    entries[key]?.stage = .shown(number)
    entries[key]?.replaces = nil
    overwrite(number, with: posting)
    return leftover
  }

  /// A server gave the same number twice: what had it first is on the screen no more.
  private mutating func oust(from number: PostedNumber, by key: RequestKey, at now: Duration) {
    guard let earlier = postings[number]?.key, earlier != key, entries[earlier]?.onScreen == number else { return }
    // What was to replace it has nothing to replace now.
    if shown(number) == nil { entries[earlier]?.replaces = nil } else { leaveScreen(number, at: now) }
  }

  private mutating func overwrite(_ number: PostedNumber, with posting: ShownNotification) {
    if let earlier = postings[number], earlier.leftAt == nil, !earlier.due.isSame(as: posting.due) {
      end(earlier.due, .replaced)
    }
    postings[number] = posting
  }

  /// What left the screen long ago, or in an earlier run, is at hand again because something happens to it.
  mutating func recall(_ posting: ShownNotification, _ number: PostedNumber) {
    var posting = posting
    posting.leftAt = .zero
    postings[number] = posting
    history.append((number, .zero))
  }

  /// What an earlier run of the center brought to the screen, and is there still.
  mutating func restore(_ due: Due, as key: RequestKey, _ number: PostedNumber, offer: OfferedActions) {
    lastRevision += 1
    entries[key] = Entry(due: due, stage: .shown(number), revision: lastRevision)
    noteDate(key)
    postings[number] = ShownNotification(key: key, due: due, offer: offer)
  }

  /// The server shows a request in whose place a newer one came while it was on its way, and has yet to be posted.
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

  /// The id whose notification has this number, if that is what is on the screen, and nothing is about to replace it.
  func shown(_ number: PostedNumber) -> RequestKey? {
    guard let key = postings[number]?.key, let entry = entries[key], entry.onScreen == number, !entry.isPosting
    else { return nil }
    return key
  }

  /// Whether a newer request is on its way to the server, to take the place of this one.
  func isBeingReplaced(_ number: PostedNumber) -> Bool {
    guard let key = postings[number]?.key, let entry = entries[key] else { return false }
    return entry.isPosting && entry.replaces == number
  }

  /// What is being replaced was closed for it.
  mutating func noteRoomMade(by number: PostedNumber) {
    if let key = postings[number]?.key { entries[key]?.hasRoom = true }
  }

  private func isGone(_ number: PostedNumber) -> Bool { postings[number]?.leftAt != nil }

  /// It is gone from the screen; clicks on it may still come.
  ///
  /// - Parameter reason: nil: what it showed has not come to its end.
  mutating func leaveScreen(_ number: PostedNumber, at now: Duration, because reason: RequestEnd? = .unknown) {
    if let key = shown(number), let entry = entries[key] {
      // What waits to be shown again in its own place has been dealt with; anything else goes on without a place.
      let isItself = postings[number]?.due.isSame(as: entry.due) == true
      if entry.isPending && !isItself { entries[key]?.replaces = nil } else { entries[key] = nil }
    }
    guard let posting = postings[number], posting.leftAt == nil else { return }
    if let reason { end(posting.due, reason) }
    postings[number]?.leftAt = now
    history.append((number, now))
    forgetOldest(now)
  }

  private mutating func forgetOldest(_ now: Duration) {
    while historyStart < history.count {
      let oldest = history[historyStart]
      guard history.count - historyStart > Self.longestHistory || oldest.leftAt < now - Self.historyLimit else { break }
      if postings[oldest.number]?.leftAt == oldest.leftAt { postings[oldest.number] = nil }
      historyStart += 1
    }
    if historyStart > Self.longestHistory {
      history.removeFirst(historyStart)
      historyStart = 0
    }
  }

  // MARK: Clicks

  mutating func keepToken(_ token: String, for number: PostedNumber) {
    postings[number]?.token = token
  }

  /// Uses a notification up, unless the click only asks what there is to choose; nil where that key was not offered, or
  /// somebody was faster.
  mutating func use(_ number: PostedNumber, key: String) -> (posting: ShownNotification, choice: OfferedActions.Choice)?
  {
    guard let posting = postings[number], !posting.isUsedUp, let choice = posting.offer.keys[key] else { return nil }
    if choice == .chooser { return beginChoosing(number).map { ($0, choice) } }
    postings[number]?.isUsedUp = true
    return (posting, choice)
  }

  /// A list to choose from is opened; nil: one is open, or somebody was faster.
  mutating func beginChoosing(_ number: PostedNumber) -> ShownNotification? {
    guard let posting = postings[number], !posting.isUsedUp, posting.openList == nil else { return nil }
    postings[number]?.openList = ShownNotification.OpenList()
    return posting
  }

  /// Keeps how it left the screen for when the list is gone; false: none is open.
  mutating func holdEnd(_ number: PostedNumber, _ reason: RequestEnd) -> Bool {
    guard let list = postings[number]?.openList else { return false }
    if list.heldEnd == nil { postings[number]?.openList?.heldEnd = reason }
    return true
  }

  /// The list to choose from is gone. Returns how the notification left the screen meanwhile, if it did.
  mutating func endChoosing(_ number: PostedNumber) -> RequestEnd? {
    defer { postings[number]?.openList = nil }
    return postings[number]?.openList?.heldEnd
  }

  /// The same for whoever acts in the user's place, and need not press what the server drew.
  mutating func useUp(_ number: PostedNumber) -> ShownNotification? {
    guard let posting = postings[number], !posting.isUsedUp else { return nil }
    postings[number]?.isUsedUp = true
    return posting
  }

  // MARK: The server's end

  /// The server ended: its numbers mean nothing any more. What was about to be replaced ends with it. Returns the ids of which it showed something, oldest first.
  mutating func forgetServer() -> [RequestKey] {
    let shown = entries.filter { $0.value.onScreen != nil }.sorted { $0.value.revision < $1.value.revision }
    for (key, entry) in shown {
      if let number = entry.replaces, let posting = postings[number], posting.leftAt == nil,
        !posting.due.isSame(as: entry.due)
      {
        end(posting.due, .vanished)
      }
      entries[key]?.replaces = nil
    }
    postings = [:]
    history = []
    historyStart = 0
    return shown.map(\.key)
  }

  /// Puts it back in line: for the next server, or in the place of what this one may still show under `number`.
  mutating func reshow(_ key: RequestKey, replacing number: PostedNumber? = nil) {
    entries[key]?.stage = .queued
    entries[key]?.isReshown = true
    entries[key]?.replaces = number
  }

  /// It is over.
  mutating func remove(_ key: RequestKey) {
    entries[key] = nil
  }
}
