// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

extension Due {
  /// Whether both are the same date of the same request, and not one that came after it.
  fileprivate func isSame(as other: Due) -> Bool { delivery != nil && delivery == other.delivery }
}

/// A delivery that is over, for the store.
struct Ended: Hashable {
  let delivery: Int64
  /// Why, in a word; `CloseReason` and a few of our own.
  let reason: String
}

/// What is due and what is on the screen; what has yet to come is in the store.
///
/// Clicks from a server's history stay valid after the popup has gone. A few are kept here, all of them in the store.
struct Ledger {
  /// How many notifications are kept at hand for a late click after they have left the screen.
  static let longestHistory = 250
  /// How long they are kept.
  static let historyLimit: Duration = .seconds(24 * 3600)

  private(set) var entries: [RequestKey: Entry] = [:]
  private(set) var postings: [PostedNumber: Posting] = [:]
  /// What left the screen, in order; of a number that was given again meanwhile, the date is another.
  private var history: [(number: PostedNumber, leftAt: Duration)] = []
  private var historyStart = 0
  private var lastRevision: UInt64 = 0
  private var ended: [Ended] = []

  /// How many requests are due and not on the screen yet; nil: of every app.
  func pendingCount(of app: String?) -> Int {
    entries.count { key, entry in entry.isPending && (app == nil || key.app == app) }
  }

  var pendingCount: Int { pendingCount(of: nil) }

  subscript(key: RequestKey) -> Entry? { entries[key] }

  // MARK: Requests

  /// What has come to its end since this was asked last.
  mutating func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended
  }

  private mutating func end(_ due: Due, _ reason: String) {
    if let delivery = due.delivery { ended.append(Ended(delivery: delivery, reason: reason)) }
  }

  /// Takes in what is due, in the place of an earlier request with its id.
  mutating func add(_ due: Due, as key: RequestKey, stage: Stage = .queued) -> Entry {
    lastRevision += 1
    if let earlier = entries[key], earlier.isUnasked { end(earlier.due, "replaced") }
    let replaced = entries[key]?.onScreen.flatMap { isGone($0) ? nil : $0 }
    let entry = Entry(due: due, stage: stage, revision: lastRevision, replaces: replaced)
    entries[key] = entry
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
  mutating func withdraw(_ key: RequestKey, because reason: String = "cancelled") {
    guard let entry = entries[key], entry.isPending else { return }
    end(entry.due, reason)
    // While it is posted, the server overwrites what it replaces.
    guard !entry.isPosting, let number = entry.replaces, let posting = postings[number] else {
      entries[key] = nil
      return
    }
    lastRevision += 1
    entries[key] = Entry(due: posting.due, stage: .shown(number), revision: lastRevision)
  }

  // MARK: The screen

  /// The server shows the request. Returns what that did to others: a popup of the same id that the server still shows
  /// under another number, and the request whose number it gave away.
  mutating func show(
    _ key: RequestKey, as number: PostedNumber, offer: Offer, at now: Duration
  ) -> (leftover: PostedNumber?, ousted: RequestKey?) {
    guard let entry = entries[key] else { return (nil, nil) }
    var posting = Posting(key: key, due: entry.due, offer: offer)
    let earlier = entry.replaces.flatMap { postings[$0] }
    let isAgain = earlier?.due.isSame(as: entry.due) == true
    // Answered while it was shown again: one answer is all that it gets.
    if let earlier, isAgain { posting.isUsedUp = earlier.isUsedUp }
    let leftover = entry.replaces == number ? nil : entry.replaces
    if let leftover { leaveScreen(leftover, at: now, because: isAgain ? nil : "replaced") }
    let ousted = oust(from: number, by: key, at: now)
    entries[key]?.stage = .shown(number)
    entries[key]?.replaces = nil
    overwrite(number, with: posting)
    return (leftover, ousted)
  }

  /// A server gave the same number twice: what had it first is on the screen no more.
  private mutating func oust(from number: PostedNumber, by key: RequestKey, at now: Duration) -> RequestKey? {
    guard let earlier = postings[number]?.key, earlier != key, entries[earlier]?.onScreen == number else { return nil }
    let ousted = shown(number)
    // What was to replace it has nothing to replace now.
    if ousted == nil { entries[earlier]?.replaces = nil } else { leaveScreen(number, at: now) }
    return ousted
  }

  private mutating func overwrite(_ number: PostedNumber, with posting: Posting) {
    if let earlier = postings[number], earlier.leftAt == nil, !earlier.due.isSame(as: posting.due) {
      end(earlier.due, "replaced")
    }
    postings[number] = posting
  }

  /// What left the screen long ago, or in an earlier run, is at hand again because something happens to it.
  mutating func recall(_ posting: Posting, _ number: PostedNumber) {
    var posting = posting
    posting.leftAt = .zero
    postings[number] = posting
    history.append((number, .zero))
  }

  /// What an earlier run of the center brought to the screen, and is there still.
  mutating func restore(_ due: Due, as key: RequestKey, _ number: PostedNumber, offer: Offer) {
    lastRevision += 1
    entries[key] = Entry(due: due, stage: .shown(number), revision: lastRevision)
    postings[number] = Posting(key: key, due: due, offer: offer)
  }

  /// The server shows a request in whose place a newer one came while it was on its way, and has yet to be posted.
  mutating func showForNow(
    _ due: Due, _ key: RequestKey, as number: PostedNumber, offer: Offer,
    at now: Duration
  ) -> (leftover: PostedNumber?, ousted: RequestKey?) {
    guard let entry = entries[key] else { return (nil, nil) }
    let leftover = entry.replaces == number ? nil : entry.replaces
    if let leftover { leaveScreen(leftover, at: now, because: "replaced") }
    let ousted = oust(from: number, by: key, at: now)
    entries[key]?.replaces = number
    overwrite(number, with: Posting(key: key, due: due, offer: offer))
    return (leftover, ousted)
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

  private func isGone(_ number: PostedNumber) -> Bool { postings[number]?.leftAt != nil }

  /// It is gone from the screen; clicks on it may still come.
  ///
  /// - Parameter reason: nil: what it showed has not come to its end.
  mutating func leaveScreen(_ number: PostedNumber, at now: Duration, because reason: String? = "unknown") {
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
  mutating func use(_ number: PostedNumber, key: String) -> (posting: Posting, choice: Offer.Choice)? {
    guard let posting = postings[number], !posting.isUsedUp, let choice = posting.offer.keys[key] else { return nil }
    if choice == .chooser { return beginChoosing(number).map { ($0, choice) } }
    postings[number]?.isUsedUp = true
    return (posting, choice)
  }

  /// A list to choose from is opened; nil: one is open, or somebody was faster.
  mutating func beginChoosing(_ number: PostedNumber) -> Posting? {
    guard let posting = postings[number], !posting.isUsedUp, !posting.isChoosing else { return nil }
    postings[number]?.isChoosing = true
    return posting
  }

  /// Keeps how it left the screen for when the list is gone; false: none is open.
  mutating func holdEnd(_ number: PostedNumber, _ reason: CloseReason) -> Bool {
    guard let posting = postings[number], posting.isChoosing else { return false }
    if posting.heldEnd == nil { postings[number]?.heldEnd = reason }
    return true
  }

  /// The list to choose from is gone. Returns how the notification left the screen meanwhile, if it did.
  mutating func endChoosing(_ number: PostedNumber) -> CloseReason? {
    defer { postings[number]?.heldEnd = nil }
    postings[number]?.isChoosing = false
    return postings[number]?.heldEnd
  }

  /// The same for whoever acts in the user's place, and need not press what the server drew.
  mutating func useUp(_ number: PostedNumber) -> Posting? {
    guard let posting = postings[number], !posting.isUsedUp else { return nil }
    postings[number]?.isUsedUp = true
    return posting
  }

  // MARK: The server's end

  /// The server ended: its numbers mean nothing any more. Returns the ids of which it showed something, oldest first.
  mutating func forgetServer() -> [RequestKey] {
    let shown = entries.filter { $0.value.onScreen != nil }.sorted { $0.value.revision < $1.value.revision }
    for (key, _) in shown { entries[key]?.replaces = nil }
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
