// SPDX-License-Identifier: Apache-2.0

/// What is due and not yet on the screen, in order; and whether the server is to be left alone for the moment.
///
/// Every step costs the same however long the line is: ten thousand may come due in the same second.
struct PostQueue {
  /// How many `Notify` calls may be on their way at once.
  static let window = 64

  enum State: Equatable {
    /// Posts go out.
    case open
    /// The server refused, or is about to be gone: wait, then try again.
    case pausing
    /// It is tried again once everything that is on its way has come back, so that nothing overtakes it.
    case draining
    /// The server did not answer: it is probed until it does.
    case hung
  }

  /// A key's place in line, which it keeps while it is posted.
  struct Turn: Hashable {
    let key: RequestKey
    fileprivate let ticket: UInt64
  }

  var state: State = .open
  /// Whose `Notify` has not been answered.
  private var flying: Set<RequestKey> = []
  /// A newer request with the id of one on its way waits for that one's number, which it shall replace.
  private var parked: [RequestKey: Turn] = [:]
  /// The ticket of each key that stands in line. What has another ticket, or none, has left, and is passed over.
  private var tickets: [RequestKey: UInt64] = [:]
  private var line: [Turn] = []
  private var start = 0
  /// Those that were posted in vain, the last first: they go before everything that came later.
  private var returned: [Turn] = []
  private var lastTicket: UInt64 = 0
  private let timeouts: Timeouts
  private var pause: Duration

  init(timeouts: Timeouts = .usual) {
    self.timeouts = timeouts
    pause = timeouts.pauses.first
  }

  var isEmpty: Bool { tickets.isEmpty }
  var inFlight: Int { flying.count }
  /// How many places it takes up, left ones included.
  var places: Int { line.count + returned.count }

  /// Lets it stand in line; where it does already, it keeps its place.
  mutating func add(_ key: RequestKey) {
    guard tickets[key] == nil else { return }
    lastTicket += 1
    tickets[key] = lastTicket
    line.append(Turn(key: key, ticket: lastTicket))
    dropStale()
  }

  /// Puts back what could not be posted, before everything that came later.
  mutating func putBack(_ turn: Turn) {
    guard tickets[turn.key] == nil else { return }
    tickets[turn.key] = turn.ticket
    sortIn(turn)
  }

  private mutating func sortIn(_ turn: Turn) {
    let index = returned.firstIndex { $0.ticket < turn.ticket } ?? returned.count
    returned.insert(turn, at: index)
  }

  mutating func remove(_ key: RequestKey) {
    tickets[key] = nil
  }

  /// The next to be posted, if one may be now.
  mutating func next() -> Turn? {
    guard state == .open, flying.count < Self.window else { return nil }
    while let turn = takeFirst() {
      guard tickets[turn.key] == turn.ticket else { continue }
      if flying.contains(turn.key) {
        parked[turn.key] = turn
        continue
      }
      tickets[turn.key] = nil
      flying.insert(turn.key)
      return turn
    }
    return nil
  }

  /// A post has come to its end, whatever end.
  mutating func finish(_ turn: Turn) {
    flying.remove(turn.key)
    if let next = parked.removeValue(forKey: turn.key) { sortIn(next) }
    if state == .draining && flying.isEmpty { state = .open }
  }

  /// The server may be asked again.
  mutating func reopen() { state = flying.isEmpty ? .open : .draining }

  /// The pause to make now; each one is twice the one before, until something succeeds.
  mutating func nextPause() -> Duration {
    defer { pause = min(pause * 2, timeouts.pauses.longest) }
    return pause
  }

  mutating func succeed() { pause = timeouts.pauses.first }

  // MARK: The line

  private mutating func takeFirst() -> Turn? {
    let next = start < line.count ? line[start] : nil
    if let earlier = returned.last, next.map({ earlier.ticket < $0.ticket }) ?? true { return returned.popLast() }
    guard let next else { return nil }
    start += 1
    // The taken front is given back in one go, once it is as long as what is left.
    if start * 2 > line.count {
      line.removeFirst(start)
      start = 0
    }
    return next
  }

  /// One request that is replaced again and again while no server is there must not make the line longer.
  private mutating func dropStale() {
    guard line.count - start > 2 * tickets.count + 64 else { return }
    line = line[start...].filter { tickets[$0.key] == $0.ticket }
    start = 0
  }
}
