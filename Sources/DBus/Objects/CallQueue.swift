// SPDX-License-Identifier: Apache-2.0

/// Decides when calls begin. Without ``CallPacing``, a call begins as soon as it arrives. With it, calls wait if their
/// caller, or all callers together, have begun too many recently, and callers take turns.
///
/// The calls of one caller begin in the order in which they came: while one waits, all later calls of its caller wait.
struct CallQueue {
  /// The arguments of a call that has not begun.
  enum Content {
    /// The handler has them.
    case read(Method.Run)
    /// They are read when the call begins.
    case held(HeldMessage, Method)
  }

  /// A call that has not begun.
  struct Waiting {
    let call: IncomingCall
    let content: Content
    let address: ReplyAddress
    /// ``Bounds/work`` of the method.
    let work: Int

    /// The bytes of the call, its work, and as much as even the shortest call takes.
    var cost: Int { call.size + work + 2048 }
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

  private let mostCallsOfOne: Int
  private let pacing: CallPacing?
  private var callers: [BusName: Caller] = [:]
  /// The callers with calls that wait, the next one first.
  private var line: [BusName] = []
  private var windowEnd: Duration = .zero
  /// The bytes that arrived in this window, and in the one before.
  private var received = 0
  private var receivedBefore = 0
  /// What the calls cost that began in this turn, or in this window.
  private var begun = 0

  init(mostCallsOfOne: Int, pacing: CallPacing?) {
    self.mostCallsOfOne = mostCallsOfOne
    self.pacing = pacing
  }

  /// Whether any call waits.
  var isEmpty: Bool { line.isEmpty }

  private func isBehind(_ pacing: CallPacing) -> Bool { max(received, receivedBefore) > pacing.behind }

  /// When to call ``beginTurn(at:)`` for the waiting calls; nil if they wait for the end of an earlier call.
  func nextTurn(after now: Duration) -> Duration? {
    guard let pacing, !line.isEmpty, begun > 0 else { return nil }
    return isBehind(pacing) ? max(windowEnd, now) : now
  }

  /// Counts a call that came; ``end(_:)`` or ``remove(_:)`` must follow.
  mutating func count(_ sender: BusName) throws(RemoteError) {
    guard callers[sender]?.calls ?? 0 < mostCallsOfOne else {
      throw RemoteError(
        .limitsExceeded, "\(mostCallsOfOne) calls of this program are in progress; wait for their answers")
    }
    callers[sender, default: Caller()].calls += 1
  }

  /// Whether a call that came now begins now; otherwise it must be added.
  mutating func mayBegin(_ waiting: Waiting, at now: Duration) -> Bool {
    let call = waiting.call
    guard let index = callers.index(forKey: call.sender) else { return false }
    guard let pacing else {
      callers.values[index].bytes += call.size
      return true
    }
    moveWindow(to: now)
    received += call.size
    return !callers.values[index].isWaiting && take(waiting, at: index, within: pacing)
  }

  private mutating func take(
    _ waiting: Waiting, at index: Dictionary<BusName, Caller>.Index, within pacing: CallPacing
  ) -> Bool {
    let (call, cost, own) = (waiting.call, waiting.cost, callers.values[index].bytes)
    let isShort = call.size <= pacing.short
    guard isShort || own == 0 || own + call.size <= pacing.mostOfOne else { return false }
    if !isShort || callers.values[index].calls > 1 {
      guard begun == 0 || begun + cost <= (isBehind(pacing) ? pacing.mostPerWindow : pacing.mostPerTurn) else {
        return false
      }
    }
    begun += cost
    callers.values[index].bytes = own + call.size
    return true
  }

  private mutating func moveWindow(to now: Duration) {
    guard let pacing, now >= windowEnd else { return }
    receivedBefore = now < windowEnd + pacing.window ? received : 0
    (windowEnd, received) = (now + pacing.window, 0)
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
    guard let pacing else { return nil }
    for place in line.indices {
      guard let index = callers.index(forKey: line[place]) else { continue }
      let caller = callers.values[index]
      guard caller.isWaiting, let waiting = caller.waiting[caller.first], take(waiting, at: index, within: pacing)
      else {
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
