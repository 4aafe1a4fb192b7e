// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests what the notifications say that stand for several others.
@Suite(.timeLimit(.minutes(2))) struct DigestTests {
  private static let chat: [String: Value] = [
    "id": "chat", "summary": "{count} more messages from {names}, {{count}}",
  ]

  /// The body of the digest of these requests, which the setting of their app kept.
  private static func digest(
    of requests: [[String: Value]], more: @Sendable (CenterStand) async throws -> Void = { _ in }
  ) async throws -> String {
    let presence = ScriptedPresence()
    let body = Inbox<String>()
    try await CenterStand.run(presence: presence) { stand in
      let server = try await stand.server()
      try await stand.setCategories(chat)
      try await stand.setCategories(["id": "chat"], app: "other")
      for app in ["test", "other"] { try await stand.call("Configure", [.string(app), .properties(["away": "hold"])]) }
      try await more(stand)
      await stand.center.tell(presence, isLocked: true, isIdle: false)
      for (number, request) in requests.enumerated() { try await stand.notify("\(number)", request) }
      try await stand.settle()
      await stand.center.tell(presence, isLocked: false, isIdle: false)
      body.put(try await server.posted.next().body)
    }
    return try await body.next()
  }

  @Test func `The most relevant come first, and the others in their order`() async throws {
    let body = try await Self.digest(of: [
      ["title": "one"], ["title": "two", "relevance": .double(0.5)], ["title": "three"],
      ["title": "four", "relevance": .double(1)],
    ])
    #expect(body == "test: four\ntest: two\ntest: one\ntest: three")
  }

  @Test func `The most relevant are named where not all have room`() async throws {
    let requests = (0..<15).map { number -> [String: Value] in
      ["title": .string("\(number)"), "relevance": .double(number < 10 ? 1 : 0)]
    }
    let lines = try await Self.digest(of: requests).split(separator: "\n").map(String.init)
    #expect(lines == (0..<10).map { "test: \($0)" } + ["5 others"])
  }

  @Test func `A category sums up those of a thread, and counts what each stands for`() async throws {
    func message(_ title: Value, _ name: Value, _ more: [String: Value] = [:]) -> [String: Value] {
      ["title": title, "category": "chat", "thread": "team", "summaryName": name].merging(more) { $1 }
    }
    let body = try await Self.digest(of: [
      message("Lunch?", "Anna"), ["title": "Build failed"], message("At 12", "Ben", ["summaryCount": .int32(3)]),
      message("Urgent", "Carl", ["relevance": .double(0.9)]), message("Yes", "Anna"),
      message("Elsewhere", "Dora", ["thread": "other"]), message("Of another app", "Eve", ["app": "other"]),
    ])
    #expect(
      body
        == "test: Urgent\ntest: 5 more messages from Anna and Ben, {count}\n"
        + "test: Build failed\ntest: Elsewhere\nother: Of another app")
  }

  @Test func `Without names the app is named, and many names are cut`() throws {
    let format = try SummaryFormat("{count} from {names}")
    var summary = GroupSummary()
    func add(_ name: String?) {
      var content = NotificationRequest.Content(title: "t")
      content.summaryName = name
      summary.add(content)
    }
    add(nil)
    #expect(summary.text(format, app: "App") == "1 from App")
    add("A")
    add("A")
    #expect(summary.text(format, app: "App") == "3 from A")
    for name in ["B", "C"] { add(name) }
    #expect(summary.text(format, app: "App") == "5 from A, B and C")
    for number in 0..<1000 { add("\(number)") }
    #expect(summary.text(format, app: "App") == "1005 from A, B, C and others")
    add(String(repeating: "x", count: 5000) + "\n")
    #expect(summary.text(format, app: "App").utf8.count < 100)
  }

  @Test func `An app whose texts are hidden is named without them`() async throws {
    let body = try await Self.digest(of: [["title": "secret"], ["title": "seen", "app": "other"]]) { stand in
      try await stand.call("Configure", ["test", .properties(["previews": "never"])])
    }
    #expect(body == "test\nother: seen")
  }

  @Test func `Too many at once are summed up by their category, unless they are of several groups`() async throws {
    try await CenterStand.run(burst: 1) { stand in
      let server = try await stand.server()
      try await stand.setCategories(Self.chat)
      let message: [String: Value] = ["category": "chat", "thread": "team"]
      try await stand.notify("a", message)
      try await stand.notify("b", message.merging(["summaryName": "Anna"]) { $1 })
      try await stand.notify("c", message.merging(["summaryName": "Ben", "summaryCount": .int32(2)]) { $1 })
      var digest = try await server.posted.next(3)[2]
      #expect(digest.summary == "… and 2 more")
      #expect(
        digest.body == "3 more messages from Anna and Ben, {count}\nSee them with: suzu history --app test")
      try await stand.notify("d")
      digest = try await server.posted.next()
      #expect(digest.summary == "… and 3 more" && digest.body.hasPrefix("Too many came at once"))
      try await stand.notify("e", message)
      #expect(try await server.posted.next().body.hasPrefix("Too many came at once"))
    }
  }
}
