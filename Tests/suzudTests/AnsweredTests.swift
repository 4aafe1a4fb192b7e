// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests what the center does when a push was answered, here or on another desktop: `Answered`, and the answers that it
/// hands over.
@Suite(.timeLimit(.minutes(2)))
struct AnsweredTests {
  private static func options(_ id: String) -> [String: Value] {
    ["id": .string(id), "collapse": .string("home/" + id), "link": "home", "answers": "tea-answers"]
  }

  /// Pushes a message with a button.
  private static func push(_ id: String, _ stand: CenterStand, title: String = "Bell") async throws {
    try await stand.push(
      ["alert": .properties(["title": .string(title)]), "category": "bell"], options: options(id))
  }

  private static func answered(_ id: String, by name: String, _ stand: CenterStand) async throws {
    try await stand.call("Answered", ["test", .string(id), .string(name)])
  }

  private static func run(_ body: @Sendable (CenterStand, ScriptedServer) async throws -> Void) async throws {
    try await CenterStand.run { stand in
      try await stand.setCategories(["id": "bell", "actions": actions(action("go"))])
      try await body(stand, try await stand.server())
    }
  }

  private static func answers(_ stand: CenterStand) async throws -> [[String: Value]] {
    let rows = try await stand.call("Outgoing", []).first?.elements?.compactMap(\.properties) ?? []
    return rows.filter { $0["kind"] == "answer" }
  }

  @Test func `What was answered on another desktop is taken down, and its end says where`() async throws {
    try await Self.run { stand, server in
      try await Self.push("m1", stand)
      let posted = try await server.posted.next()
      try await Self.answered("m1", by: "desk", stand)
      #expect(try await server.closed.next() == posted.number)
      try await stand.wait(for: "reason") {
        try await stand.history("home/m1").first?["reason"] == "answered on desk"
      }
      #expect(try await Self.answers(stand).isEmpty)
      // Sent again, the message is known.
      try await Self.push("m1", stand)
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  // It stayed on the screen: it came there while the center recorded that it was cancelled.
  @Test func `What is being shown when its answer comes is taken down`() async throws {
    try await CenterStand.run { stand in
      try await withLoop { own in
        try await stand.setCategories(["id": "bell", "actions": actions(action("go"))])
        let server = try await stand.server(on: own) { _ in .hold }
        let link = try await stand.bus.connect(on: own)
        try await Self.push("m1", stand)
        let posted = try await server.posted.next()
        try await stand.whileBusy {
          try await link.post(
            MethodCall(to: CenterBus.name, CenterBus.path, CenterBus.interface, "Answered", ["test", "m1", "desk"]))
          // The bus has passed on the call once it answers a later one of the same peer.
          try await link.call(.toBus("GetId"))
          await server.release()
          try await server.reach(.bus)
        }
        #expect(try await server.closed.next() == posted.number)
        try await stand.wait(for: "reason") {
          try await stand.history("home/m1").first?["reason"] == "answered on desk"
        }
        await link.close()
      }
    }
  }

  @Test func `What was answered before it could be shown is not shown`() async throws {
    try await CenterStand.run { stand in
      try await Self.push("m1", stand)
      try await Self.push("m2", stand, title: "Last")
      try await Self.answered("m1", by: "desk", stand)
      let server = try await stand.server()
      #expect(try await server.posted.next().summary == "Last")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `An answer to what is not known here changes nothing`() async throws {
    try await Self.run { stand, server in
      try await Self.push("m1", stand)
      _ = try await server.posted.next()
      try await Self.answered("m2", by: "desk", stand)
      try await stand.call("Answered", ["other", "m1", "desk"])
      try await stand.settle()
      #expect(server.closed.waiting.isEmpty && server.posted.waiting.isEmpty)
    }
  }

  @Test func `A click is handed over once, and the own answer that comes back changes nothing`() async throws {
    try await Self.run { stand, server in
      try await Self.push("m1", stand)
      let posted = try await server.posted.next()
      try await server.press(posted.number, "go")
      try await stand.wait(for: "answer") { try await !Self.answers(stand).isEmpty }
      let row = try #require(try await Self.answers(stand).first)
      #expect(row["link"] == "home")
      let words = try await stand.call("TakeOutgoing", [row["number"] ?? .uint64(0)]).first?.properties ?? [:]
      #expect(words["push"] == "m1" && words["action"] == "go" && words["to"] == "tea-answers" && words["reply"] == nil)
      #expect((words["at"]?.integer ?? 0) > 1_700_000_000)
      try await stand.call("FinishOutgoing", [row["number"] ?? .uint64(0), "sent", ""])
      #expect(try await Self.answers(stand).isEmpty)
      // The server has ours first; the others come too late.
      try await Self.answered("m1", by: "", stand)
      try await Self.answered("m1", by: "desk", stand)
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.history("home/m1").first?["reason"] != "answered on desk")
    }
  }

  @Test func `A user whose answer came second is told, with the title and the desktop`() async throws {
    try await Self.run { stand, server in
      try await Self.push("m1", stand)
      let posted = try await server.posted.next()
      try await server.press(posted.number, "go")
      try await stand.wait(for: "answer") { try await !Self.answers(stand).isEmpty }
      try await Self.answered("m1", by: "de\u{202e}sk", stand)
      let told = try await server.posted.next()
      #expect(told.summary == "Bell" && told.body.contains("already answered on desk"), "\(told)")
      // Its own answer, which the server has second.
      try await Self.answered("m1", by: "", stand)
      try await Self.answered("m1", by: "third", stand)
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A dismissal is no answer`() async throws {
    try await Self.run { stand, server in
      try await Self.push("m1", stand)
      let posted = try await server.posted.next()
      try await server.tellClosed(posted.number, reason: 2)
      try await stand.wait(for: "end") { try await stand.history("home/m1").first?["reason"] != nil }
      #expect(try await Self.answers(stand).isEmpty)
    }
  }

  @Test(arguments: ["link", "id", "answers"])
  func `A place for answers needs a link and an id`(key: String) async throws {
    try await CenterStand.run { stand in
      var options = Self.options("m1")
      options[key] = key == "answers" ? .string(String(repeating: "x", count: 1025)) : nil
      let refusal = try await stand.refusedPush(
        ["test", .properties(["aps": .properties(["alert": "a"])]), .properties(options)])
      #expect(refusal.hasPrefix("InvalidRequest: 'answers' "), "\(refusal)")
    }
  }

  @Test func `Names that are too long, and sandboxed callers, are refused`() async throws {
    var desktop = Desktop.unlocked
    let free = Inbox<BusName>()
    desktop.identify = { caller in free.waiting.contains(caller.name) ? .all : .of(app: "test") }
    try await CenterStand.run(desktop: desktop, whenConnected: { free.put($0) }) { stand in
      let boxed = try await stand.bus.connect(on: stand.loop)
      #expect(
        await refusalName { _ = try await stand.call("Answered", ["test", "m1", "desk"], as: boxed) } == "AccessDenied")
      for words in [["test", "", "desk"], ["test", "m1", .string(String(repeating: "n", count: 256))]] as [[Value]] {
        #expect(await refusalName { _ = try await stand.call("Answered", words) } == "InvalidRequest")
      }
    }
  }
}
