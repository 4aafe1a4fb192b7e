// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// Which request is meant: an app's id.
struct RequestKey: Hashable {
  let app: String
  let id: String
}

/// Where a request is on its way to the screen.
enum Stage {
  /// Its time has not come.
  case waiting(EventLoop.Deadline)
  /// It is due and stands in the queue.
  case queued
  /// The server was asked, and has not answered yet.
  case posting
  /// It is on the screen.
  case shown(PostedNumber)
}

/// A request that is not over.
struct Entry {
  var request: NotificationRequest
  var stage: Stage
  /// Told apart from an earlier request with the same id, whose answers may still come.
  let revision: UInt64
  /// An earlier request with the same id is on the screen, and this one will take its place.
  var replaces: PostedNumber?
  /// It was on the screen of a server that ended.
  var isReshown = false
  /// How often a server refused it.
  var refusals = 0

  /// What the user sees of this id at the moment.
  var onScreen: PostedNumber? {
    if case .shown(let number) = stage { number } else { replaces }
  }

  /// Whether it has yet to come to the screen.
  var isPending: Bool {
    if case .shown = stage { false } else { true }
  }

  /// Whether no server was asked yet.
  var isUnasked: Bool { isPending && !isPosting }

  /// Whether the server was asked, and has not answered yet.
  var isPosting: Bool {
    if case .posting = stage { true } else { false }
  }
}

/// A notification that a server has shown, for as long as clicks on it may come.
struct Posting {
  let key: RequestKey
  let request: NotificationRequest
  /// Which action each key on the wire stands for.
  let actions: [String: String]
  /// What lets a program raise its window; comes just before the click.
  var token: String?
  /// The user has acted: nothing more counts.
  var isUsedUp = false
  /// When it left the screen; nil while it is there.
  fileprivate(set) var leftAt: Duration?
}

/// Everything that the center knows about requests.
///
/// Clicks from a server's history stay valid after the popup has gone; the oldest are forgotten first.
struct Ledger {
  /// How many notifications are kept for a late click after they have left the screen.
  static let longestHistory = 10_000
  /// How long they are kept.
  static let historyLimit: Duration = .seconds(24 * 3600)

  private(set) var entries: [RequestKey: Entry] = [:]
  private(set) var postings: [PostedNumber: Posting] = [:]
  /// What left the screen, in order; of a number that was given again meanwhile, the date is another.
  private var history: [(number: PostedNumber, leftAt: Duration)] = []
  private var historyStart = 0
  private var lastRevision: UInt64 = 0

  /// How many requests are not on the screen yet.
  var pendingCount: Int { entries.values.count(where: \.isPending) }

  subscript(key: RequestKey) -> Entry? { entries[key] }

  // MARK: Requests

  /// Takes a request in, in the place of an earlier one with its id.
  mutating func add(_ request: NotificationRequest, as key: RequestKey, stage: Stage) -> Entry {
    lastRevision += 1
    let replaced = entries[key]?.onScreen.flatMap { isGone($0) ? nil : $0 }
    let entry = Entry(request: request, stage: stage, revision: lastRevision, replaces: replaced)
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
  mutating func withdraw(_ key: RequestKey) {
    guard let entry = entries[key], entry.isPending else { return }
    // While it is posted, the server overwrites what it replaces.
    guard !entry.isPosting, let number = entry.replaces, let posting = postings[number] else {
      entries[key] = nil
      return
    }
    lastRevision += 1
    entries[key] = Entry(request: posting.request, stage: .shown(number), revision: lastRevision)
  }

  // MARK: The screen

  /// The server shows the request. Returns what that did to others: a popup of the same id that the server still shows
  /// under another number, and the request whose number it gave away.
  mutating func show(
    _ key: RequestKey, as number: PostedNumber, actions: [String: String], at now: Duration
  ) -> (leftover: PostedNumber?, ousted: RequestKey?) {
    guard let entry = entries[key] else { return (nil, nil) }
    let leftover = entry.replaces == number ? nil : entry.replaces
    if let leftover { leaveScreen(leftover, at: now) }
    let ousted = oust(from: number, by: key, at: now)
    entries[key]?.stage = .shown(number)
    entries[key]?.replaces = nil
    postings[number] = Posting(key: key, request: entry.request, actions: actions)
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

  /// The server shows a request in whose place a newer one came while it was on its way, and has yet to be posted.
  mutating func showForNow(
    _ request: NotificationRequest, _ key: RequestKey, as number: PostedNumber, actions: [String: String],
    at now: Duration
  ) -> (leftover: PostedNumber?, ousted: RequestKey?) {
    guard let entry = entries[key] else { return (nil, nil) }
    let leftover = entry.replaces == number ? nil : entry.replaces
    if let leftover { leaveScreen(leftover, at: now) }
    let ousted = oust(from: number, by: key, at: now)
    entries[key]?.replaces = number
    postings[number] = Posting(key: key, request: request, actions: actions)
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
  mutating func leaveScreen(_ number: PostedNumber, at now: Duration) {
    if let key = shown(number) {
      if entries[key]?.isPending == true { entries[key]?.replaces = nil } else { entries[key] = nil }
    }
    guard postings[number] != nil, postings[number]?.leftAt == nil else { return }
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

  /// Uses a notification up; nil where that key was not offered, or somebody was faster.
  mutating func use(_ number: PostedNumber, key: String) -> (posting: Posting, action: String)? {
    guard let posting = postings[number], !posting.isUsedUp, let action = posting.actions[key] else { return nil }
    postings[number]?.isUsedUp = true
    return (posting, action)
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

  /// Puts it back in line for the next server.
  mutating func reshow(_ key: RequestKey) {
    entries[key]?.stage = .queued
    entries[key]?.isReshown = true
  }

  /// It is over.
  mutating func remove(_ key: RequestKey) {
    entries[key] = nil
  }
}
