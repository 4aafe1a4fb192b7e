// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import Scheduling

/// Tests what the store keeps of answers to pushes: who was first, and what is to be sent.
struct StoreAnswerTests {
  private static let now = StoreFixture.now
  private static let day: Int64 = 86_400_000
  private static let route = AnswerRoute(link: "home", place: "tea-answers")

  /// Stores a push that is shown.
  @discardableResult
  private static func show(
    _ id: String, in store: Store, route: AnswerRoute? = route, payload: String = #"{"title":"Bell"}"#
  ) throws -> DeliveryRecord {
    try store.withTransaction { () throws(StoreError) in
      let record = try store.putDue([NewRequest(app: "a", id: "r-" + id, payload: payload, start: .now)], now: now)[0]
      try store.recordPush(PushRecord(app: "a", id: id, lapses: nil, route: route), as: record, now: now)
      try store.recordShown(record.number, server: "s", serverNumber: record.number.value, keys: nil, now: now)
      return record
    }
  }

  @Test func `The first answer counts, in its app, and after a restart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let shown = try Self.show("m", in: store)
    #expect(try store.recordAnswer(toPush: "m", of: "b", by: "desk", now: Self.now) == nil)
    #expect(try store.recordAnswer(toPush: "n", of: "a", by: "desk", now: Self.now) == nil)
    let first = try #require(try store.recordAnswer(toPush: "m", of: "a", by: "desk", now: Self.now))
    #expect(first.number == shown.number && first.id == "r-m" && first.title == "Bell")
    #expect(first.isOpen && !first.isAnsweredHere)
    #expect(try store.recordAnswer(toPush: "m", of: "a", by: "other", now: Self.now) == nil)
    store.close()
    let again = try fixture.open()
    defer { again.close() }
    #expect(try again.recordAnswer(toPush: "m", of: "a", by: "other", now: Self.now) == nil)
    // It is known all the same, and is not shown again.
    #expect(try again.request(ofPush: "m", of: "a", now: Self.now) == "r-m")
    try again.check(again.opened())
  }

  @Test func `An answer of this machine is one as well, and is known for as long as its push`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    try Self.show("m", in: store)
    try Self.show("n", in: store)
    #expect(try store.recordAnswer(toPush: "m", of: "a", by: "", now: Self.now) != nil)
    #expect(try store.recordAnswer(toPush: "m", of: "a", by: "desk", now: Self.now) == nil)
    #expect(try store.recordAnswer(toPush: "n", of: "a", by: "desk", now: Self.now + Store.pushAge) == nil)
    #expect(try store.recordAnswer(toPush: "n", of: "a", by: "desk", now: Self.now + Store.pushAge - 1) != nil)
  }

  @Test func `What was answered here, or has ended, is told apart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let (mine, closed) = (try Self.show("m", in: store), try Self.show("c", in: store, payload: "no JSON"))
    try store.withTransaction { () throws(StoreError) in
      _ = try store.commitResponse(to: mine, action: "go", reply: nil, now: Self.now)
      try store.recordClosed(closed.number, as: .closed, reason: "dismissed", now: Self.now)
    }
    let first = try #require(try store.recordAnswer(toPush: "m", of: "a", by: "desk", now: Self.now))
    #expect(first.isAnsweredHere)
    let second = try #require(try store.recordAnswer(toPush: "c", of: "a", by: "desk", now: Self.now))
    #expect(!second.isOpen && !second.isAnsweredHere && second.title.isEmpty)
  }

  @Test func `The end of what is answered elsewhere gets its reason, and an open one stays open`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let (closed, open) = (try Self.show("m", in: store), try Self.show("n", in: store))
    try store.withTransaction { () throws(StoreError) in
      try store.recordClosed(closed.number, as: .closed, reason: "withdrawn", now: Self.now)
      for record in [closed, open] { try store.nameEnd(of: record.number, "answered on desk") }
    }
    #expect(try store.delivery(closed.number)?.reason == "answered on desk")
    #expect(try store.delivery(open.number)?.reason == nil && store.delivery(open.number)?.state == .shown)
  }

  @Test func `An answer is stored once, to be sent over the link of its push, and deleted with its end`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let shown = try Self.show("m", in: store)
    let bare = try Self.show("n", in: store, route: nil)
    #expect(try !store.queueAnswer(to: bare.number, action: "go", reply: nil, now: Self.now))
    #expect(try !store.queueAnswer(to: .init(99), action: "go", reply: nil, now: Self.now))
    #expect(try store.queueAnswer(to: shown.number, action: "go", reply: "at once", now: Self.now))
    #expect(try !store.queueAnswer(to: shown.number, action: "other", reply: nil, now: Self.now))
    store.close()
    let again = try fixture.open()
    defer { again.close() }
    let waiting = try #require(try again.outgoing(now: Self.now).first)
    #expect(waiting.link == "home" && waiting.app == "a")
    guard case .answer(shown.number, "home", let content) = waiting.subject,
      case .dictionary(let words) = try JSONReader.read(content)
    else { throw StoreError(.damaged, "no answer: \(waiting)") }
    #expect(
      words == [
        "push": .text("m"), "action": .text("go"), "reply": .text("at once"), "to": .text("tea-answers"),
        "at": .integer(Self.now.milliseconds / 1000),
      ])
    // A notification that has ended sends its answer all the same.
    try again.recordClosed(shown.number, as: .closed, reason: "dismissed", now: Self.now)
    #expect(try again.outgoing(waiting.number, now: Self.now) == waiting)
    #expect(try again.settleOutgoing(waiting.number, as: .sent, detail: nil, now: Self.now))
    #expect(try again.outgoing(now: Self.now).isEmpty)
    let rows = try again.read { database throws(StoreError) in
      try database.number("SELECT count(*) FROM outbox")
    }
    #expect(rows == 0)
    try again.check(again.opened())
  }

  @Test func `What another desktop has answered first is not answered a second time`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let shown = try Self.show("m", in: store)
    #expect(try store.recordAnswer(toPush: "m", of: "a", by: "desk", now: Self.now) != nil)
    #expect(try !store.queueAnswer(to: shown.number, action: "go", reply: nil, now: Self.now))
  }

  @Test func `An answer that cannot be sent within a day lapses`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    defer { store.close() }
    let shown = try Self.show("m", in: store)
    try #require(try store.queueAnswer(to: shown.number, action: "go", reply: nil, now: Self.now))
    #expect(try store.outgoing(now: Self.now + Self.day - 1).count == 1)
    #expect(try store.outgoing(now: Self.now + Self.day).isEmpty)
    #expect(try store.outgoing(now: Self.now).isEmpty)
  }
}
