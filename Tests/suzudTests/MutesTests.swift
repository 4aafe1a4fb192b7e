// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests what the center does with muted requests.
@Suite(.timeLimit(.minutes(2)))
struct MutesTests {
  private static let far: Value = .int64(4_000_000_000)

  private static func refusal(_ stand: CenterStand, _ arguments: [Value]) async throws -> String {
    do {
      try await stand.call("Mute", arguments)
      throw TestFailure("it was taken")
    } catch CallError.refused(let error) {
      return "\(error.name): \(error.message)"
    }
  }

  @Test func `Each date of a muted request ends as muted`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.call("Mute", ["test", "a", Self.far])
      try await stand.notify("a", ["every": "1h"])
      for _ in 0..<2 {
        try await stand.center.passTime(hours: 1)
        #expect(try await stand.events.next { $0.hasPrefix("Closed a") } == "Closed a muted")
      }
      #expect(server.posted.waiting.isEmpty)
      try await stand.call("Mute", ["test", "a", .int64(0)])
      try await stand.center.passTime(hours: 1)
      #expect(try await server.posted.next(within: .seconds(10)).summary == "a")
    }
  }

  @Test func `A mute ends with its time`() throws {
    let folder = try TemporaryFolder()
    let time = SetTime()
    let store = try Self.store(in: folder)
    defer { store.close() }
    let mutes = Mutes(store: store, time: time)
    try mutes.set(Mute(RequestID("a"), of: AppID("test"), until: 1_000_060))
    let key = RequestKey(app: "test", id: "a")
    time.wall = Timestamp(milliseconds: 1_000_059_999)
    #expect(mutes.contains(key) && mutes.contains(RequestKey(app: "test", id: "a.snoozed")))
    time.wall = Timestamp(milliseconds: 1_000_060_000)
    #expect(!mutes.contains(key) && mutes.current.isEmpty)
  }

  private static func store(in folder: TemporaryFolder) throws -> Store {
    try Store(folder: folder.path("suzu")) { Timestamp(milliseconds: 0) }
  }

  @Test func `The snoozed copy of a muted request is muted, and no other id`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.call("Mute", ["test", "a", Self.far])
      for id in ["a", "a.snoozed", "ab", "A", "b.snoozed"] { try await stand.notify(id) }
      #expect(try await server.posted.next(3, within: .seconds(10)).map(\.summary) == ["ab", "A", "b.snoozed"])
      try await stand.notify("a", ["app": "other"])
      #expect(try await server.posted.next(within: .seconds(10)).summary == "a")
    }
  }

  @Test func `A muted request does not take the place of the one on the screen`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a")
      _ = try await server.posted.next(within: .seconds(10))
      try await stand.call("Mute", ["test", "a", Self.far])
      try await stand.notify("a", ["title": "newer"])
      #expect(try await stand.events.next { $0.hasPrefix("Closed a") } == "Closed a muted")
      #expect(try await stand.listing("Delivered").compactMap { $0["title"]?.string } == ["a"])
    }
  }

  @Test func `Wrong mutes and too many are refused`() async throws {
    try await CenterStand.run { stand in
      #expect(try await Self.refusal(stand, ["test", "", Self.far]).contains("InvalidRequest"))
      #expect(try await Self.refusal(stand, ["", "a", Self.far]).contains("InvalidRequest"))
      #expect(
        try await Self.refusal(stand, ["test", "a", .int64(-1)]).contains("'until' must be in seconds since 1970"))
      #expect(try await Self.refusal(stand, ["test", "a", .int64(.max)]).contains("InvalidRequest"))
      #expect(try await Self.refusal(stand, ["test", "a", .int64(1)]).contains("InThePast"))
      for number in 0..<1000 { try await stand.call("Mute", ["test", .string("\(number)"), Self.far]) }
      #expect(try await Self.refusal(stand, ["test", "a", Self.far]).contains("LimitExceeded"))
      // Its date changes, and it is not one more.
      try await stand.call("Mute", ["test", "7", .int64(4_000_000_001)])
      try await stand.call("Mute", ["test", "7", .int64(0)])
      try await stand.call("Mute", ["test", "a", Self.far])
      let rows = try await stand.call("Mutes", []).first?.elements?.count
      #expect(rows == 1000)
    }
  }

  @Test func `Mutes are kept in the store, and what cannot be read there is left out`() throws {
    let folder = try TemporaryFolder()
    let time = SetTime()
    let store = try Self.store(in: folder)
    try Mutes(store: store, time: time).set(Mute(RequestID("é"), of: AppID("test"), until: 4_000_000_000))
    let text = try #require(try store.setting("mutes"))
    try store.withNeededTransaction { () throws(StoreError) in
      try store.set("mutes", to: text.replacing("[", with: "[{},7,"))
    }
    store.close()
    let reopened = try Self.store(in: folder)
    defer { reopened.close() }
    #expect(Mutes(store: reopened, time: time).current.map(\.id.text) == ["é"])
  }
}
