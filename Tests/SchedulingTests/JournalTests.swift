// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import SuzuTesting
import TestSupport
import Testing

@testable import Scheduling

/// Tests that reads wait for the writes of the turn, instead of causing a commit of their own.
@Suite struct JournalTests {
  @Test func `A wait for earlier writes ends with their common commit`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    var order: [String] = []
    journal.afterWrites { order.append("nothing to wait for") }
    #expect(order == ["nothing to wait for"])
    order = []
    for name in ["a", "b"] {
      journal.write { store throws(StoreError) in
        try store.set(name, to: "stored")
      } then: { _ in
        order.append(name)
      }
      journal.afterWrites {
        order.append("after \(name)")
        // Both are committed: only one commit was made.
        for name in ["a", "b"] { #expect((try? store.setting(name)) == "stored") }
      }
      #expect(try store.setting(name) == nil)
    }
    #expect(order.isEmpty)
    time.runDue()
    #expect(order == ["a", "after a", "b", "after b"] && time.turns == 1)
  }

  // A click synced the disk twice if anything was to be written in its turn.
  @Test func `A write that cannot wait takes the earlier ones of the turn into its commit`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    for sync in [Journal.Sync.withLater, .atOnce] {
      var order: [String] = []
      journal.write { store throws(StoreError) in
        try store.set("earlier", to: "\(sync)")
      } then: { _ in
        // Committed together.
        #expect((try? store.setting("click")) == "\(sync)")
        order.append("earlier")
      }
      let result = journal.writeNow(sync: sync) { store throws(StoreError) in
        try store.set("click", to: "\(sync)")
        order.append("click")
        return 7
      }
      #expect(try result.get() == 7 && order == ["click", "earlier"])
    }
    let result = journal.writeNow(sync: .soon) { _ throws(StoreError) in throw StoreError(.closed, "test") }
    #expect(throws: StoreError.self) { try result.get() }
    time.runDue()
    #expect(try store.setting("earlier") == "atOnce")
  }

  @Test func `A wait for writes also ends when they fail`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    var (failed, waited) = (false, false)
    journal.write { _ throws(StoreError) in
      throw StoreError(.closed, "test")
    } then: { result in
      if case .failure = result { failed = true }
    }
    journal.afterWrites { waited = true }
    time.runDue()
    #expect(failed && waited)
  }

  // A push is shown before its commit is synced, and acknowledged after that.
  // A notification that the user had dismissed while the disk failed came back after the next start.
  @Test func `A note that the disk does not take is written later, in its order`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    var (failures, reported) = (2, 0)
    journal.report = { _ in reported += 1 }
    for value in ["first", "second"] {
      journal.note { store throws(StoreError) in
        if failures > 0 {
          failures -= 1
          throw StoreError(.inputOutput, "test")
        }
        try store.set("name", to: value)
      }
    }
    var isThird = false
    journal.write { store throws(StoreError) in
      try store.set("other", to: try store.setting("name"))
    } then: {
      isThird = (try? $0.get()) != nil
    }
    time.runDue()
    // Together they failed, and then the first one failed alone. The second one waits behind it.
    #expect(reported == 1 && isThird)
    #expect(try store.setting("name") == "second" && store.setting("other") == "second")

    failures = 1
    journal.note { store throws(StoreError) in
      if failures > 0 {
        failures -= 1
        throw StoreError(.inputOutput, "test")
      }
      try store.set("name", to: "third")
    }
    time.runDue()
    #expect(try store.setting("name") == "second" && reported == 2)
    time.pass(1_000)
    #expect(try store.setting("name") == "third")
  }

  @Test func `A late note that cannot be written does not hold up the others, and each learns when it is`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    var (isFailing, reported, done) = (true, [StoreError.Code](), [String]())
    journal.report = { reported.append($0.code) }
    func note(_ value: String) {
      journal.note { store throws(StoreError) in
        if isFailing { throw StoreError(.inputOutput, "test") }
        try store.set(value, to: value)
        if value == "gone" { throw StoreError(.notFound, "test") }
      } then: {
        done.append(value)
      }
    }
    for value in ["first", "gone", "last"] { note(value) }
    time.runDue()
    #expect(reported == [.inputOutput, .inputOutput, .inputOutput] && done.isEmpty)
    isFailing = false
    var isWritten = false
    journal.write { store throws(StoreError) in
      try store.set("other", to: store.setting("last") ?? "")
    } then: {
      isWritten = (try? $0.get()) != nil
    }
    time.runDue()
    #expect(isWritten && done == ["first", "last"] && reported.last == .notFound && reported.count == 4)
    #expect(try store.setting("other") == "last" && store.setting("gone") == nil)
    // Nothing is left that fails.
    time.pass(120_000)
    #expect(reported.count == 4 && done.count == 2)
  }

  // The outcome of a response would have been dropped, because the response was not stored yet.
  @Test func `On a full disk, only a write that need not be in order overtakes a late note`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    var (isFull, order) = (true, [String]())
    func write(_ value: String) -> (Store) throws(StoreError) -> Void {
      { store throws(StoreError) in
        if isFull && value == "first" { throw StoreError(.full, "test") }
        order.append(value)
      }
    }
    journal.note(write("first"))
    time.runDue()
    journal.note(write("second"))
    time.runDue()
    var refusal: StoreError.Code?
    journal.write(isInOrder: true, write("third")) { if case .failure(let error) = $0 { refusal = error.code } }
    time.runDue()
    #expect(order.isEmpty && refusal == .full)
    var isOvertaking = false
    journal.write(write("removal")) { isOvertaking = (try? $0.get()) != nil }
    time.runDue()
    #expect(order == ["removal"] && isOvertaking)
    isFull = false
    time.pass(60_000)
    #expect(order == ["removal", "first", "second"])
  }

  @Test func `A response keeps the number that it got before the disk took it`() throws {
    let fixture = try StoreFixture()
    let (store, now) = (try fixture.open(), Timestamp(milliseconds: 1_000))
    let request = try NotificationRequest(app: "org.example.Tea", id: RequestID("a"), title: "Tea")
    let due = Due(request, record: Due.Record(delivery: .init(1), revision: .init(1)), date: now)
    let early = try #require(try store.commitResponse(to: due, action: "ok", reply: nil, now: now))
    let reserved = store.reserveResponse()
    let later = try #require(try store.commitResponse(to: due, action: "ok", reply: nil, now: now))
    let late = try #require(try store.commitResponse(to: due, action: "ok", reply: nil, as: reserved, now: now))
    let last = try #require(try store.commitResponse(to: due, action: "ok", reply: nil, now: now))
    #expect(early.number < reserved && reserved < later.number && late.number == reserved && later.number < last.number)
    #expect(store.reserveResponse() > last.number)
  }

  @Test func `A sync of the next turn is one for all who wait, and they learn whether it was one`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    var order: [String] = []
    journal.write(isNew: true, sync: .withLater) { store throws(StoreError) in
      try store.set("a", to: "stored")
    } then: { _ in
      order.append("committed in turn \(time.turns)")
      for name in ["a", "b"] { journal.syncNextTurn { order.append("\(name) \($0) in turn \(time.turns)") } }
    }
    time.runDue()
    #expect(order == ["committed in turn 1", "a true in turn 2", "b true in turn 2"])
    store.close()
    journal.syncNextTurn { order.append("closed: \($0)") }
    time.runDue()
    #expect(order.last == "closed: false")
  }

  private static let long = 2 << 20

  private func set(
    _ name: String, length: Int, of letter: String = "x", in journal: Journal, then done: @escaping () -> Void = {}
  ) {
    journal.write { store throws(StoreError) in
      try store.set(name, to: String(repeating: letter, count: length))
    } then: { _ in
      done()
    }
  }

  // Moving the -wal into the file takes as long as several commits, and those who waited for the commit waited for it.
  @Test func `A long log is moved into the file after those who wait for its commit have been answered`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    func size() throws -> Int { try fixture.bytes("suzu.db").count }
    set("long", length: Self.long, in: journal)
    time.runDue()
    let turns = time.turns
    var sizes: [Int] = []
    set("short", length: 1, in: journal) { sizes.append((try? size()) ?? 0) }
    #expect(time.turns == turns)
    time.runDue()
    #expect(sizes.count == 1 && sizes[0] < Self.long)
    let after = try size()
    #expect(time.turns == turns + 2 && after > Self.long)
  }

  // Each of the parts of a large batch changes most pages of the indexes: moved after each, they were written to the
  // file twenty times.
  @Test func `Large commits one after another are moved together, and a second after the last one`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    func size() throws -> Int { try fixture.bytes("suzu.db").count }
    // SQLite does not write pages that stay the same.
    for letter in ["a", "b", "c"] {
      set("long", length: Self.long, of: letter, in: journal)
      time.runDue()
      #expect(try size() < Self.long)
    }
    time.pass(Journal.movePause)
    #expect(try size() > Self.long)
    for letter in ["a", "b", "c", "d"] {
      set("other", length: Self.long, of: letter, in: journal)
      time.runDue()
    }
    #expect(try size() > 2 * Self.long)
  }

  @Test func `A log is moved into the file by its commit if there is no later turn`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let long = 2 << 20
    try store.set("long", to: String(repeating: "x", count: long))
    #expect(try fixture.bytes("suzu.db").count > long)
  }

  @Test func `What may be lost with the machine is written in its turn, and its failure reported`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    var reports: [String] = []
    journal.report = { reports.append($0.message) }
    journal.note(sync: .soon) { store throws(StoreError) in try store.set("a", to: "stored") }
    time.runDue()
    #expect(try store.setting("a") == "stored")
    journal.note(sync: .soon) { _ throws(StoreError) in throw StoreError(.closed, "test") }
    time.pass(200)
    #expect(reports == ["test"])
  }

  // After a power failure, the second counter said that commits were lost which had never been reported as stored.
  @Test func `A commit is counted a second time only once it is synced`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    func commits() throws -> Int? {
      try Int(String(decoding: fixture.bytes("suzu.db.witness").prefix(19), as: UTF8.self))
    }
    let first = try #require(try commits())
    journal.write(sync: .withLater) { store throws(StoreError) in
      try store.set("a", to: "1")
    } then: { _ in
    }
    time.pass(10_000)
    #expect(try commits() == first)
    journal.note(sync: .soon) { store throws(StoreError) in try store.set("a", to: "2") }
    time.runDue()
    #expect(try commits() == first)
    time.pass(Journal.syncPause)
    #expect(try commits() == first + 2)
    journal.note { store throws(StoreError) in try store.set("a", to: "3") }
    time.runDue()
    #expect(try commits() == first + 3)
  }
}
