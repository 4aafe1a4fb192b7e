// SPDX-License-Identifier: Apache-2.0
import Glibc
public import Scheduling

func wallClock() -> Timestamp {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
}

/// One write for each line: what was acknowledged is in the pipe before anything else happens.
func say(_ line: String) {
  var bytes = Array((line + "\n").utf8)
  _ = Glibc.write(1, &bytes, bytes.count)
}

/// Requests as they come in real life; those of one seed are the same every time.
struct Requests {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func random(below limit: Int) -> Int {
    // xorshift64*
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % limit
  }

  mutating func make(app: String, id: String) -> NewRequest {
    let body = String(repeating: "Room 2, second floor. ", count: 1 + random(below: 4))
    return NewRequest(
      app: app, id: id, payload: "{\"app\":\"\(app)\",\"id\":\"\(id)\",\"title\":\"Standup\",\"body\":\"\(body)\"}",
      start: .at(
        PlannedDate(
          due: Timestamp(milliseconds: 1_800_000_000_000) + Int64(random(below: 1 << 30)) * 16,
          wall: "2027-01-15T07:30:00",
          zone: "Europe/London"))
    )
  }
}

/// Writes until it is killed.
struct Writing {
  private let store: Store
  private let seed: UInt64
  private var requests: Requests

  init(folder: String, seed: UInt64) throws(StoreError) {
    store = try Store(folder: folder, clock: wallClock)
    self.seed = seed
    requests = Requests(seed: seed)
    say("open")
  }

  mutating func run() throws(StoreError) -> Never {
    for number in 0... {
      let id = "\(seed)-\(number)"
      switch requests.random(below: 8) {
      case 0: try group(id)
      case 1: try replace(id)
      case 2: try remove(id)
      case 3: try deliver(id)
      default:
        try store.put([requests.make(app: "a", id: id)], now: 1)
        say("put \(id)")
      }
    }
    fatalError("the numbers have run out")
  }

  private mutating func group(_ id: String) throws(StoreError) {
    let group = (0..<5).map { requests.make(app: "g", id: "\(id).\($0)") }
    try store.withTransaction { () throws(StoreError) in for request in group { try store.put([request], now: 1) } }
    say("group \(id)")
  }

  private mutating func replace(_ id: String) throws(StoreError) {
    try store.put([requests.make(app: "a", id: id)], now: 1)
    try store.put([NewRequest(app: "a", id: id, payload: "second", start: .armed)], now: 2)
    say("replace \(id)")
  }

  private mutating func remove(_ id: String) throws(StoreError) {
    try store.put([requests.make(app: "a", id: id)], now: 1)
    try store.remove(app: "a", ids: [id])
    say("remove \(id)")
  }

  private mutating func deliver(_ id: String) throws(StoreError) {
    try store.put([requests.make(app: "a", id: id)], now: 1)
    guard let request = try store.request(app: "a", id: id), let next = request.date,
      let intent = try store.recordIntent(next, of: request, now: 2)
    else { return say("fault \(id)") }
    try store.withNeededTransaction { () throws(StoreError) in
      try store.recordShown(intent.number, server: ":1.5", serverNumber: intent.number.value, keys: "[]", now: 3)
      try store.setNext(nil, fired: 1, of: request.revision)
    }
    // Like clicks: on disk before they are acknowledged, but possibly after the action begins.
    let response = try store.withUnsyncedTransaction { () throws(StoreError) in
      try store.commitResponse(to: intent, action: "default", reply: nil, begins: true, now: 4)
    }
    store.syncLog()
    say("answer \(id) \(response.number)")
  }
}

/// Goes on after every error, as a center does.
func writeSome(folder: String, count: Int) throws(StoreError) {
  let store = try Store(folder: folder, clock: wallClock)
  var requests = Requests(seed: 1)
  for number in 0..<count {
    do throws(StoreError) {
      try store.put([requests.make(app: "a", id: "\(number)")], now: 1)
      say("ok \(number)")
    } catch {
      say("no \(number) \(error.code.rawValue)")
    }
    if store.health == .degraded { try? store.tryAgain() }
  }
  say("end \(store.health)")
}

/// Goes on after every error, and lets the disk alone.
func writeRefused(folder: String, count: Int) throws(StoreError) {
  let store = try Store(folder: folder, clock: wallClock)
  var requests = Requests(seed: 1)
  for number in 0..<count {
    do throws(StoreError) {
      try store.put([requests.make(app: "b", id: "\(number)")], now: 1)
      say("ok \(number)")
    } catch {
      say("no \(number) \(error.code.rawValue)")
    }
  }
  say("end \(store.health) \(try store.pendingCount())")
}

/// Steps made for the test: a new column, and rows that move from one table to another.
func migrate(folder: String, endingBefore step: Int) throws(StoreError) {
  var options = Store.Options()
  options.migrations =
    Migration.all + [
      Migration(
        Migration.newest + 1,
        ["ALTER TABLE request ADD COLUMN tint TEXT", "CREATE INDEX request_created ON request (created)"]),
      Migration(
        Migration.newest + 2,
        [
          "CREATE TABLE more (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, text TEXT)",
          "INSERT INTO more SELECT 0, revision, payload FROM request", "DROP INDEX request_created",
        ]),
    ]
  nonisolated(unsafe) var steps = 0  // the store calls back on this thread
  options.willRun = { statement in
    if steps == step {
      say("ending before \(statement)")
      kill(getpid(), SIGKILL)
    }
    steps += 1
  }
  let store = try Store(folder: folder, options: options, clock: wallClock)
  say("migrated")
  store.close()
}

extension Timestamp: ExpressibleByIntegerLiteral {
  /// A number that a test writes.
  public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
