// SPDX-License-Identifier: Apache-2.0

/// What is due and not yet on the screen, in order; and whether the server is to be left alone for the moment.
struct PostQueue {
  /// How many `Notify` calls may be on their way at once.
  static let window = 64
  /// The shortest and the longest pause after a refusal.
  static let firstPause: Duration = .milliseconds(1100)  // Plasma refuses the same text for one second
  static let longestPause: Duration = .seconds(30)
  /// How often a server that does not answer is asked whether it is there again.
  static let probePause: Duration = .seconds(30)

  enum Mood: Equatable {
    /// Posts go out.
    case open
    /// The server refused: wait, then try again.
    case pausing
    /// The server did not answer: it is probed until it does.
    case hung
  }

  var mood: Mood = .open
  private(set) var inFlight = 0
  private var keys: [RequestKey] = []
  private var start = 0
  private var pause = firstPause

  var isEmpty: Bool { start == keys.count }

  mutating func add(_ key: RequestKey) {
    if !keys[start...].contains(key) { keys.append(key) }
  }

  /// Puts back what could not be posted, before everything that came later.
  mutating func putBack(_ key: RequestKey) {
    guard !keys[start...].contains(key) else { return }
    if start > 0 {
      start -= 1
      keys[start] = key
    } else {
      keys.insert(key, at: 0)
    }
  }

  mutating func remove(_ key: RequestKey) {
    if let index = keys[start...].firstIndex(of: key) { keys.remove(at: index) }
  }

  /// The next to be posted, if one may be now.
  mutating func next() -> RequestKey? {
    guard mood == .open, inFlight < Self.window, !isEmpty else { return nil }
    let key = keys[start]
    start += 1
    if isEmpty || start > 1024 {
      keys.removeFirst(start)
      start = 0
    }
    inFlight += 1
    return key
  }

  /// A post has come to its end, whatever end.
  mutating func finish() { inFlight -= 1 }

  /// The pause to make now; each one is twice the one before, until something succeeds.
  mutating func nextPause() -> Duration {
    defer { pause = min(pause * 2, Self.longestPause) }
    return pause
  }

  mutating func succeed() { pause = Self.firstPause }
}
