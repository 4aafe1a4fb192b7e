// SPDX-License-Identifier: Apache-2.0
import Scheduling

/// Does all that a center does to its store, in fast motion, until it is killed.
///
/// Before each commit it says what that makes of which request, `try ID=STATE …`, and after it `ok`. A state is `gone`
/// or `STATE.VERSION.LENGTH.SHOWN.ANSWERS`: the request's number of state, the first word of its payload and how long
/// that is, how many of its deliveries are on the screen, and how many answers those have.
struct Living {
  /// Moves on by a second each time it is asked, so that every copy has a name of its own.
  private final class Clock {
    var now: Timestamp = 1_800_000_000_000
    func read() -> Timestamp {
      now += 1000
      return now
    }
  }

  private struct Life {
    var payload: String
    var state = 0
    var shown = 0
    var answers = 0

    var text: String {
      "\(state).\(payload.prefix { $0 != " " }).\(payload.utf8.count).\(shown).\(answers)"
    }
  }

  private let folder: String
  private let seed: UInt64
  private let clock = Clock()
  private var store: Store
  private var copy: StoreCopy?
  private var requests: Requests
  private var lives: [String: Life] = [:]
  private var pending: [String] = []
  private var open: [(id: String, delivery: DeliveryRecord)] = []
  private var over: [String] = []
  private var made = 0

  init(folder: String, seed: UInt64) throws(StoreError) {
    self.folder = folder
    self.seed = seed
    store = try Store(folder: folder, clock: clock.read)
    clock.now = max(clock.now, store.lastCopy ?? 0)  // later than the life before
    requests = Requests(seed: seed)
    say("open")
  }

  mutating func run() throws(StoreError) -> Never {
    // What the life before has left, so that the first purge is one commit as well.
    while try !store.purge(now: clock.now + 1, age: 0) {}
    while true {
      if store.total.historyBytes > 300_000 { try purge() }
      switch requests.random(below: 100) {
      case 0: try reopen()
      case 1: try add(60 + requests.random(below: 120), large: true)
      case 2..<12: try goOnWithCopy()
      case 12..<15: try purge()
      case 15..<20: try add(5)
      case 20..<26: try addDue()
      case 26..<40: try replace()
      case 40..<55: try cancel(pending.count > 150 ? 60 : 2)
      case 55..<70: try fire()
      case 70..<78: try answer()
      default: try add(1)
      }
    }
  }

  /// Commits what `body` does and makes these requests what they are said to be; nil is gone.
  private mutating func commit<T>(
    _ changes: [String: Life?], _ body: (Store, Timestamp) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    say("try " + changes.map { "\($0.key)=\($0.value?.text ?? "gone")" }.joined(separator: " "))
    let value = try body(store, clock.now)
    for (id, life) in changes { lives[id] = life }
    say("ok")
    return value
  }

  private mutating func payload(_ version: Int, large: Bool = false) -> String {
    let isLarge = large || requests.random(below: 12) == 0
    let count = isLarge ? 100 + requests.random(below: 400) : 1 + requests.random(below: 10)
    return "\(version) " + String(repeating: "Room 2, second floor. ", count: count)
  }

  private func request(_ id: String, _ payload: String) -> NewRequest {
    NewRequest(
      app: "a", id: id, payload: payload,
      start: .at(PlannedDate(due: clock.now + 60_000, wall: "2027-01-15T07:30:00", zone: "Europe/London")))
  }

  private mutating func new(_ count: Int, large: Bool = false) -> [String: Life] {
    var new: [String: Life] = [:]
    for _ in 0..<count {
      new["\(seed)-\(made)"] = Life(payload: payload(1, large: large))
      made += 1
    }
    return new
  }

  private mutating func add(_ count: Int, large: Bool = false) throws(StoreError) {
    let new = new(count, large: large)
    let requests = new.map { request($0.key, $0.value.payload) }
    try commit(new) { store, now throws(StoreError) in
      guard requests.count == 5 else {
        try store.put(requests, now: now)
        return
      }
      // In parts, as very many are.
      try store.stage(BatchPart(Array(requests[3...])), number: 1, charges: [:])
      try store.acceptBatch(BatchPart(Array(requests[..<3])), now: now)
      try store.moveBatchPart(BatchPart(Array(requests[3...])), number: 1, now: now)
    }
    pending += new.keys
  }

  private mutating func addDue() throws(StoreError) {
    var new = new(1)
    guard let id = new.keys.first, let payload = new[id]?.payload else { return }
    let request = request(id, payload)
    new[id]?.state = 1
    new[id]?.shown = 1
    let intents = try commit(new) { store, now throws(StoreError) in try store.putDue([request], now: now) }
    if let intent = intents.first { open.append((id, intent)) }
  }

  private mutating func takePending() -> String? {
    pending.isEmpty ? nil : pending.remove(at: requests.random(below: pending.count))
  }

  private mutating func replace() throws(StoreError) {
    guard let id = takePending() else { return }
    let request = request(id, payload(2))
    try commit([id: Life(payload: request.payload)]) { store, now throws(StoreError) in
      _ = try store.put([request], now: now)
    }
    pending.append(id)
  }

  private mutating func cancel(_ most: Int) throws(StoreError) {
    let ids = (0..<most).compactMap { _ in takePending() }
    if ids.isEmpty { return }
    try commit(Dictionary(uniqueKeysWithValues: ids.map { ($0, nil) })) { store, now throws(StoreError) in
      _ = try store.remove(app: "a", ids: ids)
    }
  }

  private mutating func fire() throws(StoreError) {
    guard let id = takePending(), var life = lives[id], let request = try store.request(app: "a", id: id),
      let next = request.date
    else { return }
    life.shown = 1
    let intent = try commit([id: life]) { store, now throws(StoreError) in
      try store.recordIntent(next, of: request, now: now)
    }
    guard let intent else { return }
    life.state = 1
    try commit([id: life]) { store, now throws(StoreError) in
      try store.withNeededTransaction { () throws(StoreError) in
        try store.recordShown(intent.number, server: ":1.5", serverNumber: intent.number.value, keys: "[]", now: now)
        try store.setNext(nil, fired: 1, of: request.revision)
      }
    }
    open.append((id, intent))
  }

  private mutating func answer() throws(StoreError) {
    guard let (id, delivery) = open.popLast(), var life = lives[id] else { return }
    life.answers = 1
    let response = try commit([id: life]) { store, now throws(StoreError) in
      try store.commitResponse(to: delivery, action: "default", reply: nil, now: now)
    }
    life.answers = 0
    life.shown = 0
    try commit([id: life]) { store, now throws(StoreError) in
      try store.withNeededTransaction { () throws(StoreError) in
        try store.recordClosed(delivery.number, reason: "answered", now: now)
        try store.finish(response.number, outcome: "done", now: now)
      }
    }
    over.append(id)
  }

  /// Purges all that is over, in one commit: there is less history than one commit purges.
  private mutating func purge() throws(StoreError) {
    let bytes = store.total.historyBytes
    try commit(Dictionary(uniqueKeysWithValues: over.map { ($0, nil) })) { store, now throws(StoreError) in
      if try !store.purge(now: now + 1, age: 0) { throw StoreError(.misuse, "\(bytes) bytes need a second commit") }
    }
    over = []
  }

  /// The daily copy, with everything else in between.
  private mutating func goOnWithCopy() throws(StoreError) {
    guard let copy else {
      copy = try store.beginCopy()
      return
    }
    if try copy.step(pages: 1 + requests.random(below: 200)) {
      self.copy = nil
      say("copied")
    }
  }

  private mutating func reopen() throws(StoreError) {
    copy = nil
    store.close()
    store = try Store(folder: folder, clock: clock.read)
    say("open")
  }
}
