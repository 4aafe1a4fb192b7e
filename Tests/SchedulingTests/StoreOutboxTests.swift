// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import Scheduling

/// Tests what the store keeps of what is to be sent elsewhere.
struct StoreOutboxTests {
  private static let now = StoreFixture.now
  private static let day: Int64 = 86_400_000
  private static let nag = Nag.escalating([
    Nag.Step(after: .seconds(10), push: .onlyLink), Nag.Step(after: .seconds(20), push: .link("phone")),
  ])

  /// Stores a request that is shown and not answered.
  private static func show(_ id: String, in store: Store) throws -> DeliveryRecord {
    try store.withTransaction { () throws(StoreError) in
      let record = try store.putDue([NewRequest(app: "a", id: id, payload: "{}", start: .now)], now: now)[0]
      try store.recordShown(
        record.number, server: "s", serverNumber: record.number.value, keys: nil,
        nag: NagPlan(nag: nag, wakes: false, step: 0), now: now)
      return record
    }
  }

  private static func rows(_ store: Store) throws -> Int64? {
    try store.read { database throws(StoreError) in try database.number("SELECT count(*) FROM outbox") }
  }

  @Test func `Each step is stored once, is sent in order, and survives a restart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let shown = try Self.show("r", in: store)
    #expect(try store.outgoing(now: Self.now).isEmpty)
    #expect(try store.queuePushes(of: shown.number, app: "a", Self.nag, at: 1, now: Self.now))
    #expect(try !store.queuePushes(of: shown.number, app: "a", Self.nag, at: 1, now: Self.now + 1))
    #expect(try store.queuePushes(of: shown.number, app: "a", Self.nag, at: 2, now: Self.now + 2))
    store.close()
    let again = try fixture.open()
    defer { again.close() }
    #expect(try !again.queuePushes(of: shown.number, app: "a", Self.nag, at: 2, now: Self.now + 3))
    let waiting = try again.outgoing(now: Self.now + 3)
    #expect(waiting.map(\.step) == [1, 2] && waiting.map(\.link) == [nil, "phone"])
    #expect(waiting.map(\.delivery) == [shown.number, shown.number] && waiting.map(\.app) == ["a", "a"])
    let first = try #require(waiting.first)
    #expect(try again.settleOutgoing(first.number, as: .sent, detail: nil, now: Self.now + 4))
    // The first end counts.
    #expect(try !again.settleOutgoing(first.number, as: .failed, detail: "x", now: Self.now + 5))
    #expect(try again.outgoing(now: Self.now + 5).map(\.step) == [2])
    #expect(try again.outgoing(first.number, now: Self.now + 5) == nil)
    #expect(try !again.settleOutgoing(.init(7), as: .sent, detail: nil, now: Self.now))
    let all = try again.outgoing(of: shown.number, now: Self.now + 5)
    #expect(all.map(\.state) == [.sent, .waiting] && all.map(\.settled) == [Self.now + 4, nil])
    try again.check(again.opened())
  }

  @Test func `What waits for a day lapses, and what has been sent stays`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let shown = try Self.show("r", in: store)
    try store.queuePushes(of: shown.number, app: "a", Self.nag, at: 1, now: Self.now)
    let number = try #require(try store.outgoing(now: Self.now + Self.day - 1).first?.number)
    #expect(try store.outgoing(number, now: Self.now + Self.day) == nil)
    #expect(try store.outgoing(of: shown.number, now: Self.now + Self.day).map(\.state) == [.lapsed])
    #expect(try store.outgoing(now: Self.now + Self.day).isEmpty)
    // It is recorded, and a clock that is set back does not make it wait again.
    #expect(try store.outgoing(now: Self.now).isEmpty)
    #expect(try store.outgoing(of: shown.number, now: Self.now).map(\.settled) == [Self.now + Self.day])
  }

  /// How a notification ends before something of it was sent.
  enum End: CaseIterable { case answer, close, cancel, replacement }

  @Test(arguments: End.allCases)
  func `Nothing is sent of a notification that has been answered or taken back`(end: End) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let shown = try Self.show("r", in: store)
    try store.queuePushes(of: shown.number, app: "a", Self.nag, at: 1, now: Self.now)
    let number = try #require(try store.outgoing(now: Self.now).first?.number)
    switch end {
    case .answer:
      _ = try store.commitResponse(to: shown, action: "ok", reply: nil, now: Self.now)
    case .close: try store.recordClosed(shown.number, reason: "acknowledged", now: Self.now)
    case .cancel: try store.recordNoMore(app: "a", id: "r", because: .cancelled, now: Self.now)
    case .replacement:
      _ = try store.putDue([NewRequest(app: "a", id: "r", payload: "{}", start: .now)], now: Self.now)
    }
    #expect(try store.outgoing(number, now: Self.now) == nil)
    #expect(try store.outgoing(of: shown.number, now: Self.now).map(\.state) == [.unneeded])
    #expect(try store.outgoing(now: Self.now).isEmpty)
  }

  @Test func `Its rows go with the history, and only then`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let (kept, gone) = (try Self.show("r", in: store), try Self.show("s", in: store))
    for one in [kept, gone] { try store.queuePushes(of: one.number, app: "a", Self.nag, at: 2, now: Self.now) }
    try store.recordClosed(gone.number, reason: "dismissed", now: Self.now)
    let record = try #require(try store.delivery(gone.number))
    #expect(try store.clear([record], before: nil).deleted.map(\.number) == [gone.number])
    #expect(try Self.rows(store) == 2)
    #expect(try store.outgoing(now: Self.now).map(\.delivery) == [kept.number, kept.number])
    try store.recordClosed(kept.number, reason: "dismissed", now: Self.now)
    #expect(try store.purge(now: Self.now + 29 * Self.day) && Self.rows(store) == 2)
    #expect(try store.purge(now: Self.now + 31 * Self.day) && Self.rows(store) == 0)
  }

  @Test func `A limited number waits at the same time, and the others say so`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let most = Int(Store.mostOutgoing)
    let last = try store.withTransaction { () throws(StoreError) in
      var last = DeliveryRecord.Number.none
      for index in 0...most {
        let new = NewRequest(app: "a", id: "r\(index)", payload: "{}", start: .now)
        last = try store.putDue([new], now: Self.now)[0].number
        _ = try store.queuePushes(of: last, app: "a", Self.nag, at: 1, now: Self.now)
      }
      return last
    }
    #expect(try store.outgoing(now: Self.now).count == most)
    let beyond = try store.outgoing(of: last, now: Self.now)
    #expect(beyond.map(\.state) == [.failed] && beyond.first?.detail == "too much waits to be sent already")
  }

  @Test func `A rescue recovers what waits`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let shown = try Self.show("r", in: store)
    try store.queuePushes(of: shown.number, app: "a", Self.nag, at: 2, now: Self.now)
    store.close()
    var files = try fixture.files()
    for index in 0..<100 { files["suzu.db"]?[index] = 0xEE }
    try fixture.restore(files)
    let again = try fixture.open()
    defer { again.close() }
    #expect(try !again.recoveries().isEmpty)
    #expect(try again.outgoing(now: Self.now).map(\.step) == [1, 2])
  }

  @Test func `A call is stored once for its response, and ends together with it`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let shown = try Self.show("r", in: store)
    let response = try store.commitResponse(to: shown, action: "ok", reply: nil, now: Self.now)
    try store.recordClosed(shown.number, reason: "withdrawn", now: Self.now)
    let first = try #require(try store.queueCall(of: response.number, app: "a", content: "{}", now: Self.now))
    let second = try store.queueCall(of: response.number, app: "a", content: "[]", now: Self.now + 5)
    #expect(second == first && first.step == nil)
    store.close()
    let again = try fixture.open()
    defer { again.close() }
    // Its notification has been answered, which is why it is made.
    #expect(try again.outgoing(now: Self.now) == [first])
    #expect(try again.outgoing(first.number, now: Self.now) == first)
    // A day later, it is for the center to end it.
    #expect(try again.outgoing(now: Self.now + Self.day) == [])
    #expect(try again.unfinishedResponses().map(\.number) == [response.number])
    #expect(try again.purge(now: Self.now + 40 * Self.day) && Self.rows(again) == 1)
    #expect(try again.settleOutgoing(first.number, as: .failed, detail: "HTTP 500", now: Self.now + 9))
    #expect(try again.responses(to: shown.number).map(\.outcome) == ["failed: HTTP 500"])
    #expect(try Self.rows(again) == 0)
    #expect(try !again.settleOutgoing(first.number, as: .sent, detail: nil, now: Self.now + 9))
  }
}
