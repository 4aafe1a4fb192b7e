// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import SuzuTesting
import TestSupport
import Testing

/// Tests writing and reading the rows of a store.
@Suite struct StoreRowsTests {
  let fixture: StoreFixture
  let now = StoreFixture.now

  init() throws { fixture = try StoreFixture() }

  @Test func `Stored requests are there after reopening, in the order of their dates`() throws {
    var store = try fixture.open()
    let revisions = try store.put(
      [3, 1, 2].map { StoreFixture.request("r\($0)", in: Int64($0)) }, now: now)
    #expect(revisions == [1, 2, 3])
    store.close()
    store = try fixture.open()
    let found = try store.nearestDue(limit: 10)
    #expect(found.map(\.id) == ["r1", "r2", "r3"])
    #expect(found[0].date == PlannedDate(due: now + 1000, wall: "2027-01-15T08:00:1", zone: "Europe/Paris"))
    #expect(found[0].payload == "{\"id\":\"r1\",\"body\":\"b\"}")
    #expect(try store.nearestDue(after: Store.Place(behind: found[0]) ?? .start, limit: 1).map(\.id) == ["r2"])
    #expect(try store.pendingCount() == 3)
    #expect(try store.recoveries() == [])
  }

  @Test func `A second request with the same name replaces the first`() throws {
    let store = try fixture.open()
    let first = try store.put([StoreFixture.request("a", body: "old")], now: now)[0]
    let second = try store.put([StoreFixture.request("a", in: 5, body: "new")], now: now)[0]
    #expect(second > first)
    #expect(try store.pending().map(\.revision) == [second])
    #expect(try store.request(revision: first)?.state == .replaced)
    #expect(try store.history().map(\.reason) == ["replaced"])
    #expect(try store.pendingCount(app: "org.example.App") == 1)
    // Another app's is another.
    try store.put([StoreFixture.request("a", app: "org.example.Other")], now: now)
    #expect(try store.pendingCount() == 2)
    #expect(try store.pending(app: "org.example.Other").count == 1)
  }

  // Each end of a request of 250 kB wrote its 60 pages again.
  @Test func `A long request that ends is not written again`() throws {
    let store = try fixture.open()
    let long = String(repeating: "x", count: 250_000)
    let names = ["finished", "cancelled", "replaced"]
    let revisions = try store.put(names.map { StoreFixture.request($0, body: long) }, now: now)
    func written(_ change: () throws -> Void) throws -> Int {
      let before = try fixture.bytes("suzu.db-wal").count
      try change()
      return try fixture.bytes("suzu.db-wal").count - before
    }
    let ends = [
      try written { try store.setNext(nil, fired: 1, of: revisions[0]) },
      try written { try store.remove(app: "org.example.App", ids: ["cancelled"]) },
      try written { try store.put([StoreFixture.request("replaced", body: "short")], now: now) },
    ]
    #expect(ends.allSatisfy { (1..<100_000).contains($0) }, "\(ends)")
    for (revision, name) in zip(revisions, names) {
      let ended = try #require(try store.request(revision: revision))
      #expect("\(ended.state)" == name)
      #expect(ended.payload.utf8.count > 250_000)
    }
  }

  @Test func `A shown request stays readable after its replacement, for late clicks`() throws {
    let store = try fixture.open()
    try store.put([StoreFixture.request("a", body: "old")], now: now)
    let old = try #require(try store.request(app: "org.example.App", id: "a"))
    let intent = try #require(try store.recordIntent(old.knownDate, of: old, now: now))
    try store.recordShown(intent.number, server: ":1.7", serverNumber: 4, keys: "[\"ok\"]", now: now)
    try store.put([StoreFixture.request("a", body: "new")], now: now)
    let clicked = try #require(try store.delivery(server: ":1.7", serverNumber: 4))
    #expect(clicked.keys == "[\"ok\"]")
    #expect(try store.request(revision: clicked.revision)?.payload == old.payload)
    #expect(try store.request(revision: clicked.revision)?.state == .replaced)
    #expect(try store.onScreen(app: "org.example.App", id: "a").map(\.serverNumber) == [4])
    #expect(try store.pendingCount() == 1)
  }

  @Test func `Revisions and numbers are not reused, even after everything was removed`() throws {
    var store = try fixture.open()
    let last = try store.put((0..<5).map { StoreFixture.request("\($0)") }, now: now).last
    #expect(try store.remove(app: "org.example.App") == 5)
    #expect(try store.remove(app: "org.example.App", ids: ["1"]) == 0)
    #expect(try store.pendingCount() == 0)
    store.close()
    store = try fixture.open()
    #expect(try store.put([StoreFixture.request("x")], now: now)[0].value == (last?.value ?? 0) + 1)
  }

  @Test func `A date of a request is handled once, whatever the clock does`() throws {
    let store = try fixture.open()
    try store.put([StoreFixture.request("a")], now: now)
    let request = try #require(try store.request(app: "org.example.App", id: "a"))
    var date = request.knownDate
    #expect(try store.recordIntent(date, of: request, now: now) != nil)
    // The same wall time of the same zone, at another instant: tzdata changed, or the clock was set.
    date.due += 3_600_000
    #expect(try store.recordIntent(date, of: request, now: now) == nil)
    date.fold = 1
    #expect(try store.recordIntent(date, of: request, as: .skipped, missed: 3, now: now)?.missed == 3)
    #expect(try store.openIntents().count == 1)
  }

  @Test func `A date without a wall time is identified by request and count`() throws {
    let store = try fixture.open()
    try store.put([NewRequest(app: "a", id: "i", payload: "", start: .at(PlannedDate(due: 5)))], now: now)
    let request = try #require(try store.request(app: "a", id: "i"))
    #expect(try store.recordIntent(PlannedDate(due: 5), of: request, now: now) != nil)
    #expect(try store.recordIntent(PlannedDate(due: 5), of: request, now: now) == nil)
    #expect(try store.setNext(.date(PlannedDate(due: 9)), fired: 1, of: request.revision))
    let next = try #require(try store.request(app: "a", id: "i"))
    #expect(next.fired == 1 && next.date?.due == 9)
    #expect(try store.recordIntent(PlannedDate(due: 9), of: next, now: now) != nil)
  }

  @Test func `An ended or replaced request cannot be moved to another date`() throws {
    let store = try fixture.open()
    let revision = try store.put([StoreFixture.request("a")], now: now)[0]
    #expect(try store.setNext(nil, fired: 1, of: revision))
    #expect(try !store.setNext(.date(PlannedDate(due: 1)), fired: 2, of: revision))
    #expect(try store.pendingCount() == 0)
    #expect(try store.nearestDue(limit: 5).isEmpty)
    #expect(try store.request(app: "org.example.App", id: "a")?.state == .finished)
  }

  @Test func `The first close counts, and the history lists the newest first, page by page`() throws {
    let store = try fixture.open()
    try store.put((0..<4).map { StoreFixture.request("\($0)", app: $0 == 3 ? "b" : "a", in: Int64($0)) }, now: now)
    for request in try store.pending() {
      let intent = try #require(try store.recordIntent(request.knownDate, of: request, now: now))
      try store.recordShown(intent.number, server: ":1.1", serverNumber: intent.number.value, keys: nil, now: now)
    }
    #expect(try store.delivered().map(\.id) == ["3", "2", "1", "0"])
    #expect(try store.delivered(app: "a", limit: 2).map(\.id).last == "1")
    try store.recordClosed(1, reason: "dismissed", now: now + 1)
    try store.recordClosed(1, reason: "expired", now: now + 2)
    #expect(try store.delivery(1)?.reason == "dismissed")
    #expect(try store.delivered().count == 3)
    #expect(try store.history(app: "a").count == 3)
    #expect(throws: StoreError.self) { try store.recordClosed(77, reason: nil, now: now) }
  }

  @Test func `A response begins once and has one outcome`() throws {
    var store = try fixture.open()
    try store.put([StoreFixture.request("a")], now: now)
    let request = try #require(try store.pending().first)
    let intent = try #require(try store.recordIntent(request.knownDate, of: request, now: now))
    let response = try store.commitResponse(to: intent, action: "ok", reply: "yes", now: now)
    _ = try store.commitResponse(to: request, action: "no", reply: nil, now: now)
    #expect(try store.markRunning(response.number))
    store.close()
    store = try fixture.open()
    #expect(try store.unfinishedResponses().map(\.state) == [.running, .committed])
    #expect(try !store.markRunning(response.number))
    try store.finish(response.number, outcome: "done", now: now)
    try store.finish(response.number, outcome: "failed", now: now)
    #expect(try store.responses(to: intent.number).map(\.outcome) == ["done"])
    #expect(try store.unfinishedResponses().count == 1)
  }

  @Test func `Many calls in one transaction succeed or fail together`() throws {
    let store = try fixture.open()
    #expect(throws: StoreError.self) {
      try store.withTransaction { () throws(StoreError) in
        try store.put([StoreFixture.request("a")], now: now)
        #expect(try store.pendingCount() == 1)
        throw StoreError(.notFound, "something else went wrong")
      }
    }
    #expect(try store.pendingCount() == 0)
    #expect(try store.pending().isEmpty)
    let revisions = try store.withTransaction { () throws(StoreError) in
      try store.put([StoreFixture.request("a")], now: now) + store.put([StoreFixture.request("b")], now: now)
    }
    #expect(revisions.count == 2)
    try store.check()
  }

  @Test func `Purging removes old rows, and leaves pending, shown and unfinished ones`() throws {
    let store = try fixture.open()
    try store.put((0..<30).map { StoreFixture.request("\($0)", in: Int64($0)) }, now: now)
    for request in try store.nearestDue(limit: 20) {
      let intent = try #require(try store.recordIntent(request.knownDate, of: request, now: now))
      _ = try store.setNext(nil, fired: 1, of: request.revision)
      if intent.number > 2 { try store.recordClosed(intent.number, reason: nil, now: now) }
    }
    var rounds = 1
    while try !store.purge(now: now + Store.historyAge + 1, limit: 5) { rounds += 1 }
    #expect(rounds > 3)
    #expect(try store.history().map(\.number) == [2, 1])
    #expect(try store.pendingCount() == 10)
    #expect(try store.request(app: "org.example.App", id: "0") != nil)
    #expect(try store.request(app: "org.example.App", id: "5") == nil)
    // By length, too.
    for request in try store.nearestDue(limit: 10) {
      let intent = try #require(try store.recordIntent(request.knownDate, of: request, now: now))
      try store.recordClosed(intent.number, reason: nil, now: now)
    }
    while try !store.purge(now: now, limit: 100, length: 4) {}
    #expect(try store.history().map(\.number) == [30, 29, 28, 27, 2, 1])
    try store.check()
  }

  @Test func `Settings survive the process, and any text comes back unchanged`() throws {
    var store = try fixture.open()
    let text = "é\u{0}\u{1F514}‮'\"%"
    try store.set("clock", to: "12")
    try store.set("clock", to: text)
    try store.set("gone", to: "x")
    try store.set("gone", to: nil)
    try store.put(
      [
        NewRequest(app: "", id: "", payload: "", start: .armed),
        StoreFixture.request(text, body: text),
      ], now: now)
    store.close()
    store = try fixture.open()
    #expect(try store.setting("clock") == text)
    #expect(try store.setting("gone") == nil)
    #expect(try store.pending().map(\.id) == ["", text])
  }

  @Test func `The files belong to this user alone, whatever the umask and the folder's mode`() throws {
    try FileManager.default.createDirectory(
      atPath: fixture.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
    let store = try fixture.open()
    try store.put([StoreFixture.request("a")], now: now)
    try store.backup()
    #expect(try FileManager.default.attributesOfItem(atPath: fixture.path)[.posixPermissions] as? Int == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path)
    #expect(names.contains("suzu.db-wal"))
    for name in names {
      #expect(
        try FileManager.default.attributesOfItem(atPath: fixture.file(name))[.posixPermissions] as? Int == 0o600,
        "\(name)")
    }
  }
}

/// Tests copies and upkeep of a store in use.
@Suite struct UpkeepTests {
  @Test func `A daily copy has everything written so far, and the two newest stay`() throws {
    let fixture = try StoreFixture()
    let time = VirtualTime("2026-11-21T12:00:00Z")
    let store = try Store(folder: fixture.path) { time.wall }
    try store.put((0..<5000).map { StoreFixture.request("\($0)") }, now: time.wall)
    let upkeep = Upkeep(store: store, time: time)
    var reports: [String] = []
    upkeep.report = { reports.append($0) }
    upkeep.start()
    time.pass(59_000)
    #expect(try fixture.copies().isEmpty)
    // Written in the middle of the copy: it goes into it, or the copy would be of no state at all.
    time.call(after: 1000) { time.callNext { _ = try? store.put([StoreFixture.request("meanwhile")], now: time.wall) } }
    time.pass(days: 4)
    #expect(reports == [])
    let copies = try fixture.copies()
    #expect(copies.count == 2)
    // Waiting for the disk on the loop delayed every caller, once by 700 ms: each piece is synced on another thread.
    #expect(time.workAway >= 4)
    #expect(copies.allSatisfy { $0.hasPrefix("suzu.db.copy-2026112") })
    #expect(store.lastCopy == VirtualTime.date("2026-11-24T12:01:00Z"))
    upkeep.end()
    store.close()
    // A copy is a database: it stands in for one that is lost.
    try fixture.write(fixture.bytes(copies[1]), "suzu.db")
    try fixture.write([], "suzu.db-wal")
    let restored = try Store(folder: fixture.path) { time.wall }
    #expect(try restored.pendingCount() == 5001)
    try restored.check()
  }

  @Test func `An unfinished copy leaves no file`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put((0..<5000).map { StoreFixture.request("\($0)") }, now: StoreFixture.now)
    var copy: StoreCopy? = try store.beginCopy()
    #expect(try copy?.step(pages: 10) == false)
    copy = nil
    #expect(try fixture.files().keys.filter { $0.contains("copy") } == [])
  }
}

extension StoreFixture {
  fileprivate func copies() throws -> [String] { try files().keys.filter { $0.contains(".copy-") }.sorted() }
}
