// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests large calls and answers: pages with a limit of bytes, and work in slices.
@Suite(.timeLimit(.minutes(4)))
struct LargeCallTests {
  private static let long = Value.string(String(repeating: "x", count: 250_000))

  private static func rows(_ value: Value?) -> [[String: Value]] {
    guard case .array(_, let list)? = value else { return [] }
    return list.map { $0.properties ?? [:] }
  }

  /// Reads a listing like a client, until there is no cursor.
  private static func all(
    _ stand: CenterStand, _ member: MemberName, app: String = "", limit: UInt32 = 1000
  ) async throws -> (ids: [String], longestPage: Int) {
    var (ids, longest, cursor) = ([String](), 0, "")
    repeat {
      let page = try await stand.call(
        member, [.string(app), .properties(["limit": .uint32(limit), "after": .string(cursor)])])
      ids += rows(page.first).compactMap { $0["id"]?.string }
      longest = max(longest, try page.first?.encodedSize() ?? 0)
      cursor = page.last?.string ?? ""
    } while !cursor.isEmpty
    return (ids, longest)
  }

  // Once, 300 requests of 250 kB exceeded the size of a message, and no listing worked any more.
  @Test func `Requests of any size are listed, in pages that a bus carries`() async throws {
    try await CenterStand.run { stand in
      for number in 0..<300 { try await stand.notify("\(number)", ["in": "1h", "body": Self.long]) }
      let (ids, longest) = try await Self.all(stand, "Pending")
      #expect(Set(ids) == Set((0..<300).map { "\($0)" }) && ids.count == 300)
      #expect(longest < Page.mostBytes + 300_000)
    }
  }

  @Test func `An app that shows the same id with long texts leaves the history readable for others`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("honest")
      _ = try await server.posted.next()
      for _ in 0..<40 {
        try await stand.notify("same", ["app": "org.example.Boxed", "body": Self.long])
        _ = try await server.posted.next()
      }
      let (ids, longest) = try await Self.all(stand, "History", limit: 0)
      #expect(ids.count == 41 && ids.last == "honest")
      #expect(longest < Page.mostBytes + 300_000)
    }
  }

  @Test func `A listing goes on behind the rows it has read, whatever is added before them`() async throws {
    try await CenterStand.run { stand in
      for number in 0..<6 { try await stand.notify("\(number)", ["in": .string("\(10 + number)h")]) }
      let first = try await stand.page("Pending", app: "", ["limit": .uint32(3)])
      #expect(first.rows.compactMap { $0["id"]?.string } == ["0", "1", "2"])
      try await stand.notify("new", ["in": "1h"])
      // The row that the cursor names may be gone, too.
      #expect(try await stand.count("Cancel", ["2", "3"]) == 2)
      let second = try await stand.page("Pending", app: "", ["limit": .uint32(3), "after": .string(first.next)])
      #expect(second.rows.compactMap { $0["id"]?.string } == ["4", "5"] && second.next == "")
    }
  }

  @Test(arguments: [true, false])
  func `Other callers are answered while a long cancellation runs`(byID: Bool) async throws {
    try await CenterStand.run { stand in
      let count = 6000
      let requests = (0..<count).map { number in
        Value.properties(["app": "test", "title": "t", "in": "1h", "id": .string("\(number)")])
      }
      try await stand.call("NotifyMany", [.array(of: .properties, requests)])
      try await stand.notify("other", ["in": "1h", "app": "org.example.Other"])
      let honest = try await stand.bus.connect(on: stand.loop)
      // Its rights are known before the measurement.
      try await stand.call("Next", [.properties(["every": "1h"]), .uint32(1)], as: honest)
      let order = Inbox<String>()
      let ids = byID ? (0..<count).map { "\($0)" } + (0..<90_000).map { "unknown \($0)" } : []
      let cancelling = Task {
        let cancelled = try await stand.count("Cancel", ids)
        order.put("cancelled")
        return cancelled
      }
      var isAnswered = false
      while order.waiting.isEmpty {
        try await stand.call("Next", [.properties(["every": "1h"]), .uint32(1)], as: honest)
        if let left = try await stand.property("PendingCount")?.uint32, left > 1, left < UInt32(count) {
          isAnswered = true
        }
      }
      #expect(try await cancelling.value == UInt32(count))
      #expect(isAnswered, "no call was answered in the middle")
      #expect(try await stand.property("PendingCount") == .uint32(1))
    }
  }

  @Test func `An app's call after a large call is handled after it`() async throws {
    try await CenterStand.run { stand in
      func request(_ id: String, _ title: String) -> Value {
        .properties(["app": "test", "id": .string(id), "title": .string(title), "in": "1h"])
      }
      let many = (0..<3000).map { request("\($0)", "first") }
      // The calls are in flight together; none waits for an answer.
      let batch = Task.immediate { try await stand.call("NotifyMany", [.array(of: .properties, many)]) }
      let second = Task.immediate { try await stand.call("Notify", [request("2999", "second")]) }
      _ = try await (batch.value, second.value)
      let last = try await stand.all("Pending").last
      #expect(last?["title"] == "second" && last?["id"] == "2999")
      let ids = (0..<3000).map { "\($0)" }
      let cancelling = Task.immediate { try await stand.count("Cancel", ids) }
      let third = Task.immediate { try await stand.call("Notify", [request("2998", "third")]) }
      #expect(try await cancelling.value == 3000)
      _ = try await third.value
      #expect(try await stand.property("PendingCount") == .uint32(1))
    }
  }

  @Test func `A request after a long list of categories may name the last of them`() async throws {
    try await CenterStand.run { stand in
      let many = (0..<4000).map { number in
        Value.properties([
          "id": .string("c\(number)"), "actions": actions(action("a", ["title": "A button with a name"])),
        ])
      }
      let arguments: [Value] = ["test", .array(of: .properties, many)]
      #expect(try arguments[1].encodedSize() > 300_000)
      // The calls are in flight together; none waits for an answer.
      let setting = Task.immediate { try await stand.call("SetCategories", arguments) }
      let notifying = Task.immediate { try await stand.notify("a", ["category": "c3999", "in": "1h"]) }
      _ = try await (setting.value, notifying.value)
      #expect(try await stand.property("PendingCount") == .uint32(1))
    }
  }

  @Test func `Cancelling by many ids also withdraws due requests that wait for a server`() async throws {
    try await CenterStand.run { stand in
      for number in 0..<20 { try await stand.notify("\(number)") }
      let ids = (0..<2000).map { "\($0)" }
      #expect(try await stand.count("Cancel", ids) == 20)
      for number in 0..<20 { try await stand.notify("\(number)") }
      #expect(try await stand.count("Cancel", []) == 20)
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  @Test func `Dismissing reaches requests on the screen and those the server remembers`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions", "body", "persistence"])
      for number in 0..<700 { try await stand.notify("\(number)", clickable) }
      _ = try await server.posted.next(700)
      _ = try await stand.next(700)
      for number in 1...300 { try await server.tellClosed(UInt32(number), reason: 1) }
      _ = try await stand.next(300)
      #expect(try await stand.count("Dismiss", (0..<100).map { "\($0)" } + ["699", "none"]) == 101)
      #expect(try await stand.count("Dismiss", []) == 599)
      #expect(try await stand.count("Dismiss", []) == 0)
    }
  }

  // MARK: Replies

  @Test func `A reply that is too long is cut at a whole character`() {
    #expect(ReplyText.bounded("short é") == "short é")
    let exact = String(repeating: "x", count: Reply.longest)
    #expect(ReplyText.bounded(exact) == exact)
    #expect(ReplyText.bounded(exact + "y") == exact)
    let wide = "x" + String(repeating: "é", count: Reply.longest)
    #expect(ReplyText.bounded(wide).utf8.count == Reply.longest - 1)
    #expect(ReplyText.bounded("e" + String(repeating: "\u{301}", count: 100_000)).utf8.count == Reply.longest - 1)
  }

  @Test func `A reply from the server is stored, sent and used up to its limit`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions", "inline-reply"])
      let reply = action("r", run: ["true"], ["input": .properties([:])])
      try await stand.notify("a", ["actions": actions(reply)])
      _ = try await stand.next(1)
      try await server.emit(ScriptedServer.replied(1, String(repeating: "é", count: 1 << 20)))
      _ = try await stand.next(3)
      let history = Self.rows(try await stand.call("History", ["", .properties([:])]).first)
      #expect(history.first?["reply"]?.string?.utf8.count == Reply.longest)
    }
  }
}
