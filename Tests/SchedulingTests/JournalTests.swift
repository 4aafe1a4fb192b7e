// SPDX-License-Identifier: Apache-2.0
import Scheduling
import Testing

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

  // Moving the -wal into the file takes as long as several commits, and those who waited for the commit waited for it.
  @Test func `A long log is moved into the file after those who wait for its commit have been answered`() throws {
    let fixture = try StoreFixture()
    let (store, time) = (try fixture.open(), VirtualTime("2026-11-21T12:00:00Z"))
    let journal = Journal(store: store, time: time)
    let long = 2 << 20
    func size() throws -> Int { try fixture.bytes("suzu.db").count }
    var sizes: [Int] = []
    journal.write { store throws(StoreError) in
      try store.set("long", to: String(repeating: "x", count: long))
    } then: { _ in
      sizes.append((try? size()) ?? 0)
    }
    #expect(time.turns == 0)
    time.runDue()
    #expect(sizes.count == 1 && sizes[0] < long)
    let after = try size()
    #expect(time.turns == 2 && after > long)
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
    journal.noteUnsynced { store throws(StoreError) in try store.set("a", to: "stored") }
    time.runDue()
    #expect(try store.setting("a") == "stored")
    journal.noteUnsynced { _ throws(StoreError) in throw StoreError(.closed, "test") }
    time.pass(200)
    #expect(reports == ["test"])
  }
}
