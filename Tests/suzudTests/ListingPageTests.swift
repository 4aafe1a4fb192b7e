// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests the pages of listings on the bus: cursors, searches and the options of a call.
@Suite(.timeLimit(.minutes(3))) struct ListingPageTests {
  private static func ids(_ rows: [[String: Value]]) -> [String] { rows.compactMap { $0["id"]?.string } }

  private static func refusal(_ body: () async throws -> some Sendable) async -> String {
    do {
      _ = try await body()
      return "taken"
    } catch CallError.refused(let error) {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  @Test func `A search finds the text in the id, title, subtitle and body, in letters of any case`() async throws {
    try await CenterStand.run { stand in
      try await stand.notify("a-dentist", ["in": "1h"])
      try await stand.notify("b", ["in": "2h", "title": "DENTIST"])
      try await stand.notify("c", ["in": "3h", "subtitle": "to the Dentist"])
      try await stand.notify("d", ["in": "4h", "body": "Call the dentist. Zahnärztin: ÄRZTIN"])
      try await stand.notify("e", ["in": "5h", "url": "https://example.org/dentist"])
      func found(_ text: String) async throws -> [String] {
        Self.ids(try await stand.all("Pending", ["search": .string(text)]))
      }
      #expect(try await found("dentist") == ["a-dentist", "b", "c", "d"])
      #expect(try await found("Ärztin") == ["d"])
      #expect(try await found("a") == ["a-dentist", "d"])
      #expect(try await found("").count == 5)
      #expect(try await found("nothing").isEmpty)
      // One row a page, behind rows that do not match.
      let first = try await stand.page("Pending", ["search": "dentist", "limit": .uint32(1)])
      #expect(Self.ids(first.rows) == ["a-dentist"])
      #expect(
        Self.ids(try await stand.all("Pending", ["search": "dentist", "limit": .uint32(1)])) == [
          "a-dentist", "b", "c", "d",
        ])
    }
  }

  @Test func `A search in a long list answers with a cursor before it has looked at everything`() async throws {
    try await CenterStand.run { stand in
      // Ten parts of 256 KiB are looked at in one call; this is more.
      let body = Value.string(String(repeating: "x", count: 100_000))
      for number in 0..<40 {
        try await stand.notify("\(number)", ["in": .string("\(number + 1)h"), "body": body])
      }
      try await stand.notify("needle", ["in": "100h"])
      let first = try await stand.page("Pending", ["search": "needle"])
      #expect(first.rows.isEmpty && !first.next.isEmpty)
      #expect(Self.ids(try await stand.all("Pending", ["search": "needle"])) == ["needle"])
    }
  }

  @Test func `The history since a moment ends there, and has what happened then`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in ["a", "b", "c"] { try await stand.notify(id) }
      _ = try await server.posted.next(3)
      // Nothing was shown a day later, and everything since 1970.
      let now = Int64(time(nil))
      let later = try await stand.page("History", ["since": .int64(now + 100)])
      #expect(later.rows.isEmpty && later.next == "")
      #expect(Self.ids(try await stand.all("History", ["since": .int64(now - 100)])) == ["c", "b", "a"])
      // The list ends at the first row that is more than a day too old.
      let muchLater = try await stand.page("History", ["since": .int64(now + 200_000), "limit": .uint32(1)])
      #expect(muchLater.rows.isEmpty && muchLater.next == "")
      #expect(Self.ids(try await stand.all("History", ["since": .int64(0), "limit": .uint32(1)])).count == 3)
      #expect(Self.ids(try await stand.all("Delivered", ["since": .int64(now - 100)])) == ["c", "b", "a"])
    }
  }

  @Test(
    arguments: [
      (["offset": .uint32(3)], "'offset' is not one of after, limit, search and since"),
      (["limit": "many"], "'limit' must be a whole number"), (["limit": .int32(-1)], "'limit' must not be negative"),
      (["search": .uint32(1)], "'search' must be a text"), (["after": .uint32(1)], "'after' must be a text"),
      (["since": "yesterday"], "'since' must be a whole number"),
      (["since": .int64(-1)], "'since' must be in seconds since 1970"),
      (["since": .int64(.max)], "'since' must be in seconds since 1970"),
      (["search": .string(String(repeating: "x", count: 1025))], "'search' is longer than 1024 bytes"),
    ] as [([String: Value], String)])
  func `Options that are not valid are refused, in their words`(options: [String: Value], message: String) async throws
  {
    try await CenterStand.run { stand in
      #expect(await Self.refusal { try await stand.page("History", options) } == message)
    }
  }

  @Test func `A cursor is one of its own list, and a pending request has no past`() async throws {
    try await CenterStand.run { stand in
      for number in 0..<3 { try await stand.notify("\(number)", ["in": "1h"]) }
      let next = try await stand.page("Pending", ["limit": .uint32(1)]).next
      let wrong =
        "'after' is not a cursor of this list: give the 'next' of its last page, or begin without one"
      #expect(await Self.refusal { try await stand.page("History", ["after": .string(next)]) } == wrong)
      for text in ["p", "1", "p1.2.3", "px", String(repeating: "1", count: 65), "h1.", "p999999999999999999999"] {
        #expect(await Self.refusal { try await stand.page("Pending", ["after": .string(text)]) } == wrong, "\(text)")
      }
      #expect(
        await Self.refusal { try await stand.page("Pending", ["since": .int64(1)]) }
          == "'since' is for Delivered and History: pending requests have not come yet")
      // Behind everything.
      let none = try await stand.page("Pending", ["after": .string("p\(Int64.max).\(Int64.max)")])
      #expect(none.rows.isEmpty && none.next == "")
    }
  }

  // The numbers in it would tell how many requests other programs make.
  @Test func `The cursor of a sandboxed app is sealed, and works for its own list`() throws {
    let boxed = Rights.of(app: "org.example.Boxed")
    let places = [
      ListingPlace(due: Timestamp(milliseconds: 1_795_000_000_000), number: 7), ListingPlace(due: nil, number: 7),
      ListingPlace(due: .distantPast, number: 0), ListingPlace(due: nil, number: 8),
    ]
    for place in places {
      let open = PageCursor.text(place, of: .pending, for: .all)
      #expect(try PageCursor.place(open, of: .pending, for: .all) == place)
      let sealed = PageCursor.text(place, of: .pending, for: boxed)
      #expect(try PageCursor.place(sealed, of: .pending, for: boxed) == place)
      #expect(sealed.utf8.count <= 64 && !sealed.contains("1795000000000"))
      // Neither the cursor of another list nor one with other rights.
      #expect(throws: CenterError.self) { try PageCursor.place(open, of: .pending, for: boxed) }
      #expect(throws: CenterError.self) { try PageCursor.place(sealed, of: .pending, for: .all) }
    }
    // Neighbours have nothing in common.
    let texts = [7, 8].map { PageCursor.text(ListingPlace(due: nil, number: $0), of: .history, for: boxed) }
    let halves = texts.map { $0.split(separator: ".") }
    #expect(halves[0][0] != halves[1][0] && halves[0][1] != halves[1][1])
  }

  @Test func `A search takes time that grows with the texts alone`() throws {
    let text = String(repeating: "a", count: 200_000)
    let search = try #require(TextSearch(String(repeating: "a", count: 500) + "b"))
    #expect(!search.finds(text) && search.finds(text + "b") && TextSearch("") == nil)
    for (pattern, text) in [("aab", "aaab"), ("abab", "abacabab"), ("x", "X"), ("ß", "Straße"), ("é", "É")] {
      #expect(TextSearch(pattern)?.finds(text) == true, "\(pattern) in \(text)")
    }
    for (pattern, text) in [("aab", "abab"), ("abc", "ab"), ("a", "")] {
      #expect(TextSearch(pattern)?.finds(text) == false, "\(pattern) in \(text)")
    }
  }
}
