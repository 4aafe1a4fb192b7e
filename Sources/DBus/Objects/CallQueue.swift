// SPDX-License-Identifier: Apache-2.0

/// Decides when calls begin. A call begins as soon as it arrives, unless its caller, or all callers together, have begun
/// too many recently. Then calls wait, and callers take turns, so that one that sends many or long calls delays only its
/// own.
///
/// The calls of one caller begin in the order in which they came: while one waits, all later calls of its caller wait.
struct CallQueue {
  /// A call that has not begun.
  struct Waiting {
    let call: IncomingCall
    let method: Method
    let address: ReplyAddress
  }

  private struct Caller {
    /// How many calls have no answer yet.
    var calls = 0
    /// The bytes of the calls that have begun and have no answer yet.
    var bytes = 0
    /// The calls that wait: those from `first` on. Removing the first element would move all others.
    var waiting: [Waiting?] = []
    var first = 0

    var isWaiting: Bool { first < waiting.count }

    mutating func removeFirst() {
      waiting[first] = nil
      first += 1
      if !isWaiting { (waiting, first) = ([], 0) }
    }
  }

  /// What the calls may cost that begin in one turn of the loop. Requests of half a mebibyte take about 10 ms.
  private static let mostInTurn = 512 << 10
  /// The same while messages arrive faster than calls of that cost are carried out, for each ``window`` instead of each
  /// turn. Most of the time goes into reading then, because calls of other callers may be behind what has been sent.
  private static let mostWhileBehind = 256 << 10
  private static let window: Duration = .milliseconds(50)
  /// From so many bytes on that arrive in one window, reading is behind.
  private static let behind = 1 << 20
  /// How many bytes the calls of one caller may have that are in progress; one call may have more.
  private static let mostOfOne = 1 << 20
  /// A call of so few bytes begins at once if its caller has no other in progress.
  private static let short = 4 << 10

  private let mostCallsOfOne: Int
  private var callers: [BusName: Caller] = [:]
  /// The callers with calls that wait, the next one first.
  private var line: [BusName] = []
  private var windowEnd: Duration = .zero
  /// The bytes that arrived in this window, and in the one before.
  private var received = 0
  private var receivedBefore = 0
  /// What the calls cost that began in this turn, or in this window.
  private var begun = 0

  init(mostCallsOfOne: Int) { self.mostCallsOfOne = mostCallsOfOne }

  /// Whether any call waits.
  var isEmpty: Bool { line.isEmpty }

  private var isBehind: Bool { max(received, receivedBefore) > Self.behind }

  /// When to call ``beginTurn(at:)`` for the waiting calls; nil if they wait for the end of an earlier call.
  func nextTurn(after now: Duration) -> Duration? {
    if line.isEmpty || begun == 0 { return nil }
    return isBehind ? max(windowEnd, now) : now
  }

  /// The bytes of a call, and as many for the work that even the shortest one takes.
  private static func cost(of call: IncomingCall) -> Int { call.size + 2048 }

  /// Counts a call that came; ``end(_:)`` or ``remove(_:)`` must follow.
  mutating func count(_ sender: BusName) throws(RemoteError) {
    guard callers[sender]?.calls ?? 0 < mostCallsOfOne else {
      throw RemoteError(
        .limitsExceeded, "\(mostCallsOfOne) calls of this program are in progress; wait for their answers")
    }
    callers[sender, default: Caller()].calls += 1
  }

  /// Whether a call that came now begins now; otherwise it must be added.
  mutating func mayBegin(_ call: IncomingCall, at now: Duration) -> Bool {
    moveWindow(to: now)
    received += call.size
    guard let index = callers.index(forKey: call.sender), !callers.values[index].isWaiting else { return false }
    return take(call, at: index)
  }

  private mutating func take(_ call: IncomingCall, at index: Dictionary<BusName, Caller>.Index) -> Bool {
    let (cost, own) = (Self.cost(of: call), callers.values[index].bytes)
    let isShort = call.size <= Self.short
    guard isShort || own == 0 || own + call.size <= Self.mostOfOne else { return false }
    if !isShort || callers.values[index].calls > 1 {
      guard begun == 0 || begun + cost <= (isBehind ? Self.mostWhileBehind : Self.mostInTurn) else { return false }
    }
    begun += cost
    callers.values[index].bytes = own + call.size
    return true
  }

  private mutating func moveWindow(to now: Duration) {
    guard now >= windowEnd else { return }
    receivedBefore = now < windowEnd + Self.window ? received : 0
    (windowEnd, received) = (now + Self.window, 0)
  }

  /// Lets more calls begin: at ``nextTurn(after:)``, after everything else has had its turn.
  mutating func beginTurn(at now: Duration) {
    moveWindow(to: now)
    begun = 0
  }

  /// Adds a call behind those of its caller.
  mutating func add(_ waiting: Waiting) {
    let caller = waiting.call.sender
    if callers[caller]?.isWaiting != true { line.append(caller) }
    callers[caller]?.waiting.append(waiting)
  }

  /// The next call to begin; nil if none waits, or all wait for another turn or the end of an earlier call.
  mutating func next() -> Waiting? {
    for place in line.indices {
      guard let index = callers.index(forKey: line[place]) else { continue }
      let caller = callers.values[index]
      guard caller.isWaiting, let waiting = caller.waiting[caller.first], take(waiting.call, at: index) else {
        continue
      }
      callers.values[index].removeFirst()
      let name = line.remove(at: place)
      if callers.values[index].isWaiting { line.append(name) }
      return waiting
    }
    return nil
  }

  /// A call that began has been answered.
  mutating func end(_ call: IncomingCall) { remove(call.sender, bytes: call.size) }

  /// A call that was counted has been refused.
  mutating func remove(_ sender: BusName, bytes: Int = 0) {
    guard let index = callers.index(forKey: sender) else { return }
    callers.values[index].calls -= 1
    callers.values[index].bytes -= bytes
    if callers.values[index].calls == 0 { callers.remove(at: index) }
  }

  /// Forgets the calls that wait: the bus that they came from is gone, and with it their callers.
  mutating func removeWaiting() {
    for name in line {
      guard let index = callers.index(forKey: name) else { continue }
      let caller = callers.values[index]
      callers.values[index].calls -= caller.waiting.count - caller.first
      (callers.values[index].waiting, callers.values[index].first) = ([], 0)
      if callers.values[index].calls == 0 { callers.remove(at: index) }
    }
    line = []
  }
}
