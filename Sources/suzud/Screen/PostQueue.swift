// SPDX-License-Identifier: Apache-2.0

/// The due requests that are not on the screen yet, in order, and whether the server may be called now.
///
/// Each step takes the same time however long the queue is: ten thousand requests may be due in the same second.
struct PostQueue {
  /// How many `Notify` calls may be open at once.
  static let window = 64
  /// The same for the server that is there: one if it must rest after each.
  var window = PostQueue.window

  enum State: Equatable {
    /// Requests are posted.
    case open
    /// The server refused a call, or is about to exit: wait, then try again.
    case pausing
    /// The server has taken a notification, and must be left alone for a moment.
    case resting
    /// Posting continues once all open calls have returned, so that no request overtakes another.
    case draining
    /// The server did not answer: it is probed until it does.
    case hung
  }

  /// A key's place in the queue, which it keeps while it is posted.
  struct Turn: Hashable {
    let key: RequestKey
    let ticket: UInt64
  }

  var state: State = .open
  /// The places with an open `Notify` call.
  private(set) var flying: [RequestKey: Turn] = [:]
  /// Newer requests whose id has an open call: they wait for its number, which they are to replace.
  private var parked: [RequestKey: Turn] = [:]
  /// The current ticket of each key in the queue. Places with another ticket are stale and skipped.
  private var tickets: [RequestKey: UInt64] = [:]
  private var line: [Turn] = []
  private var start = 0
  /// The places of failed posts, the latest first: they go before all later ones.
  private var returned: [Turn] = []
  /// The places of requests for which the server has no room.
  private var held: [RequestKey: Turn] = [:]
  private var lastTicket: UInt64 = 0
  private let timeouts: Timeouts
  private var pause: Duration

  init(timeouts: Timeouts = .usual) {
    self.timeouts = timeouts
    pause = timeouts.pauses.first
  }

  var isEmpty: Bool { tickets.isEmpty }
  var inFlight: Int { flying.count }
  /// The length of the queue with stale places.
  var places: Int { line.count + returned.count }

  /// Adds a key to the queue; one that is in it already keeps its place. One that was put aside is looked at again: the
  /// request may be another one now, for which there is room.
  mutating func add(_ key: RequestKey) {
    guard tickets[key] == nil else {
      if let turn = held.removeValue(forKey: key) { sortIn(turn) }
      return
    }
    lastTicket += 1
    tickets[key] = lastTicket
    line.append(Turn(key: key, ticket: lastTicket))
    dropStale()
  }

  /// Puts back a place that could not be posted, before all later ones.
  mutating func putBack(_ turn: Turn) {
    guard tickets[turn.key] == nil else { return }
    tickets[turn.key] = turn.ticket
    sortIn(turn)
  }

  /// Puts a place aside until ``release()``: the server has no room for it, and others go before it.
  mutating func hold(_ turn: Turn) {
    finish(turn)
    guard tickets[turn.key] == nil else { return }
    tickets[turn.key] = turn.ticket
    held[turn.key] = turn
  }

  /// Whether the server has no room for this key.
  func isHeld(_ key: RequestKey) -> Bool { held[key] != nil }

  /// Puts the places back that were put aside; returns whether there were any.
  mutating func release() -> Bool {
    guard !held.isEmpty else { return false }
    returned += held.values.filter { tickets[$0.key] == $0.ticket }
    returned.sort { $0.ticket > $1.ticket }
    held = [:]
    return true
  }

  private mutating func sortIn(_ turn: Turn) {
    let index = returned.firstIndex { $0.ticket < turn.ticket } ?? returned.count
    returned.insert(turn, at: index)
  }

  mutating func remove(_ key: RequestKey) {
    tickets[key] = nil
    held[key] = nil
  }

  /// The next place to post, if one may be posted now.
  mutating func next() -> Turn? {
    guard state == .open, flying.count < window else { return nil }
    while let turn = takeFirst() {
      guard tickets[turn.key] == turn.ticket else { continue }
      if flying[turn.key] != nil {
        parked[turn.key] = turn
        continue
      }
      tickets[turn.key] = nil
      flying[turn.key] = turn
      return turn
    }
    return nil
  }

  /// The call of this place has returned.
  mutating func finish(_ turn: Turn) {
    flying[turn.key] = nil
    if let next = parked.removeValue(forKey: turn.key) { sortIn(next) }
    if state == .draining && flying.isEmpty { state = .open }
  }

  /// The server may be called again.
  mutating func reopen() {
    _ = release()
    state = flying.isEmpty ? .open : .draining
  }

  /// The next pause; each is twice the one before, until a post succeeds.
  mutating func nextPause() -> Duration {
    defer { pause = min(pause * 2, timeouts.pauses.longest) }
    return pause
  }

  mutating func succeed() { pause = timeouts.pauses.first }

  // MARK: The queue

  private mutating func takeFirst() -> Turn? {
    let next = start < line.count ? line[start] : nil
    if let earlier = returned.last, next.map({ earlier.ticket < $0.ticket }) ?? true { return returned.popLast() }
    guard let next else { return nil }
    start += 1
    // The used front is removed once it is as long as the rest.
    if start * 2 > line.count {
      line.removeFirst(start)
      start = 0
    }
    return next
  }

  /// Removes stale places: a request that is replaced again and again while there is no server must not make the queue
  /// longer.
  private mutating func dropStale() {
    guard line.count - start > 2 * tickets.count + 64 else { return }
    line = line[start...].filter { tickets[$0.key] == $0.ticket }
    start = 0
  }
}
