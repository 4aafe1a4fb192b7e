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
}
