// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import NotificationModel
import TestSupport
import Testing

/// Tests listings and their rows in the client library.
@Suite(.timeLimit(.minutes(1))) struct ListingTests {
  static let row: [String: Value] = [
    "app": "org.example.Tea", "id": "tea", "title": "Tea", "every": "Mon 07:30", "badge": .int32(3),
    "userInfo": .properties(["list": .array(of: .variant, [.variant("a"), .variant(.byte(1))]), "half": .double(0.5)]),
    "next": "2026-11-23T07:30:00+01:00", "due": "2026-11-16T07:30:00+01:00", "state": "pending",
    "outcome": "lapsed: locked", "missedDates": .uint32(2), "mood": .properties(["of": "a newer center"]),
  ]

  @Test func `A row keeps every key of the center`() async throws {
    try await withCenter { _, fake, center in
      fake.list([.properties(Self.row)])
      let listed = try #require(try await center.pending().first)
      #expect(listed.app == "org.example.Tea" && listed.id == "tea" && listed.title == "Tea")
      #expect(listed.next == "2026-11-23T07:30:00+01:00" && listed.due == "2026-11-16T07:30:00+01:00")
      #expect(listed.state == .pending && listed.outcome == .lapsed("locked") && listed.missed == 2)
      #expect(listed.words["mood"] == .dictionary(["of": .text("a newer center")]))
      #expect(
        try listed.request()
          == NotificationRequest(app: "org.example.Tea", id: "tea", title: "Tea", schedule: .every("Mon 07:30")) {
            $0.userInfo = ["list": .list([.text("a"), .integer(1)]), "half": .number(0.5)]
            $0.badge = 3
          })
    }
  }

  // A script that listed while the center was being restarted failed.
  @Test func `A listing asks the next center if one ends before it answers, and only once`() async throws {
    try await withCenter { _, fake, center in
      fake.list([.properties(Self.row)])
      fake.end(duringCalls: 1)
      let rows = try await center.history()
      #expect(rows.map(\.id) == ["tea"])
      #expect(fake.asked.count == 2)
      fake.end(duringCalls: 2)
      await #expect(throws: SuzuError.self) { try await center.pending() }
      // What changes something is not asked twice.
      fake.end(duringCalls: 1)
      await #expect(throws: SuzuError.self) { try await center.cancel(app: "org.example.Tea") }
      #expect(fake.asked.count == 5)
    }
  }

  @Test func `Missing and unexpected values get defaults`() async throws {
    try await withCenter { _, fake, center in
      fake.list([
        .properties([:]),
        .properties([
          "title": .uint32(1), "next": true, "missedDates": "many", "state": "new", "path": .objectPath("/a"),
        ]),
      ])
      let rows = try await center.history()
      #expect(rows.map(\.title) == ["", ""] && rows.map(\.missed) == [0, 0] && rows.map(\.next) == [nil, nil])
      #expect(rows[0].words == [:] && rows[1].words["path"] == nil)
      #expect(rows[1].state == ListedRequest.State(rawValue: "new"))
      #expect(throws: RequestError.self) { try rows[1].request() }
    }
  }

  @Test func `Each listing is requested with its page`() async throws {
    try await withCenter { _, fake, center in
      fake.list((0..<5).map { .properties(["id": .string("\($0)")]) })
      let some = try await center.pending(app: "a", after: ListingCursor("1"), limit: 2)
      #expect(some.map(\.id) == ["1", "2"] && some.next == ListingCursor("3"))
      let none = try await center.delivered(after: ListingCursor("5"))
      #expect(none.isEmpty && none.next == nil)
      let all = try await center.history(ListingFilter(since: 7, search: "tea"), limit: .max)
      #expect(all.count == 5 && all.rows.map(\.id) == ["0", "1", "2", "3", "4"] && all.next == nil)
      #expect(
        fake.asked == [
          ["Pending", "a", .properties(["after": "1", "limit": .uint32(2)])],
          ["Delivered", "", .properties(["after": "5", "limit": .uint32(100)])],
          ["History", "", .properties(["limit": .uint32(.max), "since": .int64(7), "search": "tea"])],
        ])
    }
  }

  @Test func `The next dates are returned`() async throws {
    try await withCenter { _, fake, center in
      let request = try NotificationRequest(title: "a", schedule: .every("Mon 07:30"))
      let dates = try await center.next(request, count: 2)
      #expect(dates == [1_795_000_000, -1])
      #expect(fake.asked.last?[0] == "Next" && fake.asked.last?[2] == .uint32(2))
      #expect(fake.asked.last?[1].properties?["every"] == "Mon 07:30")
    }
  }
}
