// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Scheduling

/// Tests what the store keeps of pushes.
struct StorePushTests {
  private static let now = StoreFixture.now
  private static let day: Int64 = 86_400_000

  /// Stores a push that is due at once.
  @discardableResult
  private static func put(
    _ id: String?, _ request: String, app: String = "a", lapses: Timestamp? = nil, in store: Store, now: Timestamp = now
  ) throws -> DeliveryRecord {
    try store.withTransaction { () throws(StoreError) in
      let records = try store.putDue([NewRequest(app: app, id: request, payload: "{}", start: .now)], now: now)
      try store.recordPush(PushRecord(app: app, id: id, lapses: lapses), as: records[0], now: now)
      return records[0]
    }
  }

  @Test func `An id is known for seven days, in its app, by its bytes, and after a restart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try Self.put("m", "r", in: store)
    try Self.put("e\u{301}", "s", in: store)
    store.close()
    let again = try fixture.open()
    defer { again.close() }
    #expect(try again.request(ofPush: "m", of: "a", now: Self.now + 7 * Self.day - 1) == "r")
    #expect(try again.request(ofPush: "m", of: "a", now: Self.now + 7 * Self.day) == nil)
    #expect(try again.request(ofPush: "m", of: "b", now: Self.now) == nil)
    #expect(try again.request(ofPush: "\u{e9}", of: "a", now: Self.now) == nil)
    // A clock that was ahead.
    #expect(try again.request(ofPush: "m", of: "a", now: Self.now - Self.day) == "r")
    // Sent again after that time, it counts anew.
    try Self.put("m", "t", in: again, now: Self.now + 8 * Self.day)
    #expect(try again.request(ofPush: "m", of: "a", now: Self.now + 9 * Self.day) == "t")
    try again.check(again.opened())
  }

  @Test func `The last moment of a push is kept until it is shown, and ids are deleted after seven days`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let shown = try Self.put("m", "r", lapses: Self.now + 5, in: store)
    let waits = try Self.put("n", "s", lapses: Self.now + 6, in: store)
    let bare = try Self.put(nil, "t", in: store)
    #expect(try store.lapse(of: shown.number) == Self.now + 5 && store.lapse(of: bare.number) == nil)
    try store.recordShown(shown.number, server: ":1.1", serverNumber: 1, keys: nil, now: Self.now)
    func rows() throws -> Int64? {
      try store.read { database throws(StoreError) in try database.number("SELECT count(*) FROM pushed") }
    }
    #expect(try rows() == 2)
    #expect(try store.purge(now: Self.now + 6 * Self.day) && rows() == 2)
    #expect(try !store.purge(now: Self.now + 8 * Self.day, limit: 1) && rows() == 1)
    #expect(try store.purge(now: Self.now + 8 * Self.day) && rows() == 1)
    #expect(try store.lapse(of: waits.number) == Self.now + 6)
    #expect(
      PushRecord(app: "a", id: nil, lapses: 5).hasLapsed(at: 5)
        && !PushRecord(app: "a", id: nil, lapses: 5).hasLapsed(at: 4))
    #expect(!PushRecord(app: "a", id: nil, lapses: nil).hasLapsed(at: .init(milliseconds: .max)))
  }

  @Test func `An app that sends very many ids loses its oldest, and no other app's`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    try Self.put("other", "r", app: "b", in: store)
    let most = Store.mostPushes
    try store.withTransaction { () throws(StoreError) in
      for number in 0..<most + 200 {
        let record = try store.putDue([NewRequest(app: "a", id: "r", payload: "{}", start: .now)], now: Self.now)[0]
        try store.recordPush(PushRecord(app: "a", id: "m\(number)", lapses: nil), as: record, now: Self.now)
      }
    }
    let count = try store.read { database throws(StoreError) in
      try database.number("SELECT count(*) FROM pushed WHERE app = 'a'") ?? 0
    }
    #expect((most..<most + 64).contains(count))
    #expect(try store.request(ofPush: "m0", of: "a", now: Self.now) == nil)
    #expect(try store.request(ofPush: "m\(most + 199)", of: "a", now: Self.now) == "r")
    #expect(try store.request(ofPush: "other", of: "b", now: Self.now) == "r")
  }
}
