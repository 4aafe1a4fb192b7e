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
  /// What it takes the place of on the screen.
  var replaces: PostedNumber?
  /// It was on the screen of a server that ended.
  var isReshown = false
  /// How often a server refused it.
  var refusals = 0
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
  private var history: [(number: PostedNumber, leftAt: Duration)] = []
  private var lastRevision: UInt64 = 0

  /// How many requests are not on the screen yet.
  var pendingCount: Int {
    entries.values.count { entry in
      if case .shown = entry.stage { false } else { true }
    }
  }

  subscript(key: RequestKey) -> Entry? { entries[key] }

  /// Takes a request in, in the place of an earlier one with its id.
  mutating func add(_ request: NotificationRequest, as key: RequestKey, stage: Stage) -> Entry {
    lastRevision += 1
    var entry = Entry(request: request, stage: stage, revision: lastRevision)
    if let earlier = entries[key] {
      entry.replaces = earlier.replaces
      if case .shown(let number) = earlier.stage { entry.replaces = number }
    }
    entries[key] = entry
    return entry
  }

  mutating func setStage(_ stage: Stage, of key: RequestKey) {
    entries[key]?.stage = stage
  }

  mutating func countRefusal(of key: RequestKey) -> Int {
    entries[key]?.refusals += 1
    return entries[key]?.refusals ?? 0
  }

  mutating func remove(_ key: RequestKey) {
    entries[key] = nil
  }

  /// The server showed it.
  mutating func show(_ key: RequestKey, as number: PostedNumber, actions: [String: String]) {
    guard let entry = entries[key] else { return }
    if let replaced = entry.replaces, replaced != number { leaveScreen(replaced, at: EventLoop.Clock.monotonic.now) }
    entries[key]?.stage = .shown(number)
    entries[key]?.replaces = nil
    // Numbers that a server gives again belong to the new notification.
    history.removeAll { $0.number == number }
    postings[number] = Posting(key: key, request: entry.request, actions: actions)
  }

  /// The server has another number for what we replaced while it was on its way.
  mutating func setReplaced(_ number: PostedNumber, by key: RequestKey) {
    entries[key]?.replaces = number
  }

  /// The request whose notification has this number, if that is still what is on the screen.
  func shown(_ number: PostedNumber) -> RequestKey? {
    guard let key = postings[number]?.key, case .shown(number) = entries[key]?.stage else { return nil }
    return key
  }

  /// It is gone from the screen; clicks on it may still come.
  mutating func leaveScreen(_ number: PostedNumber, at now: Duration) {
    if let key = shown(number) { entries[key] = nil }
    history.append((number, now))
    let expired = history.prefix { $0.leftAt < now - Self.historyLimit }.count
    for old in history.prefix(max(expired, history.count - Self.longestHistory)) { postings[old.number] = nil }
    history.removeFirst(max(expired, history.count - Self.longestHistory))
  }

  mutating func keepToken(_ token: String, for number: PostedNumber) {
    postings[number]?.token = token
  }

  /// Uses a notification up; nil where that key was not offered, or somebody was faster.
  mutating func use(_ number: PostedNumber, key: String) -> (posting: Posting, action: String)? {
    guard let posting = postings[number], !posting.isUsedUp, let action = posting.actions[key] else { return nil }
    postings[number]?.isUsedUp = true
    return (posting, action)
  }

  mutating func useUp(_ number: PostedNumber) {
    postings[number]?.isUsedUp = true
  }

  /// The server ended: its numbers mean nothing any more. Returns what was on its screen, oldest first.
  mutating func forgetServer() -> [RequestKey] {
    let shown = entries.filter { _, entry in
      if case .shown = entry.stage { true } else { false }
    }
    for key in entries.keys { entries[key]?.replaces = nil }
    postings = [:]
    history = []
    return shown.sorted { $0.value.revision < $1.value.revision }.map(\.key)
  }

  /// Puts it back in line for the next server.
  mutating func reshow(_ key: RequestKey) {
    entries[key]?.stage = .queued
    entries[key]?.isReshown = true
  }
}
