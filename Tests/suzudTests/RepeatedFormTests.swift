// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests the form of a request that is shown for its condition again and again.
@Suite(.timeLimit(.minutes(2))) struct RepeatedFormTests {
  private static let tea: [String: Value] = [
    "title": "Tea", "body": "1 < 2", "on": "change unlocked", "repeat": true, "cooldown": "0s",
    "style": "alert",
  ]

  /// Meets the condition once, and returns what is posted.
  private static func meet(
    _ conditions: ScriptedPresence, _ isLocked: inout Bool, on stand: CenterStand, _ server: ScriptedServer
  ) async throws -> ScriptedServer.Posted {
    isLocked.toggle()
    await stand.center.tell(conditions, isLocked: isLocked)
    let posted = try await server.posted.next()
    _ = try await stand.next(1)
    return posted
  }

  @Test func `It follows the settings of the app, and the server`() async throws {
    let conditions = ScriptedPresence()
    try await CenterStand.run(conditions: conditions) { stand in
      let server = try await stand.server()
      try await stand.notify("tea", Self.tea)
      var isLocked = false
      await stand.center.tell(conditions, isLocked: isLocked)
      let first = try await Self.meet(conditions, &isLocked, on: stand, server)
      #expect(first.summary == "Tea" && first.body == "1 &lt; 2" && first.hints["suppress-sound"] == nil)
      let second = try await Self.meet(conditions, &isLocked, on: stand, server)
      #expect(second.summary == first.summary && second.body == first.body && second.hints == first.hints)

      try await stand.call("Configure", ["test", .properties(["previews": "never"])])
      let hidden = try await Self.meet(conditions, &isLocked, on: stand, server)
      #expect(hidden.summary == "test" && !"\(hidden)".contains("Tea"))
      try await stand.call("Configure", ["test", .properties(["previews": "always"])])
      let shown = try await Self.meet(conditions, &isLocked, on: stand, server)
      #expect(shown.summary == "Tea" && shown.body == "1 &lt; 2")

      await server.die()
      let plain = try await stand.server(capabilities: ["actions", "body"])
      let again = try await plain.posted.next()
      #expect(again.body == "1 < 2" && again.hints["suppress-sound"] == true)
      let last = try await Self.meet(conditions, &isLocked, on: stand, plain)
      #expect(last.body == "1 < 2" && last.hints["suppress-sound"] == nil)
    }
  }

  @Test func `A new request with the same id has its own form, and what happened is filled in each time`()
    async throws
  {
    let conditions = ScriptedPresence()
    try await CenterStand.run(conditions: conditions) { stand in
      let server = try await stand.server()
      var isLocked = false
      for title in ["Tea", "Coffee"] {
        try await stand.notify("tea", Self.tea.merging(["title": .string(title)]) { $1 })
        await stand.center.tell(conditions, isLocked: isLocked)
        for _ in 0..<2 {
          #expect(try await Self.meet(conditions, &isLocked, on: stand, server).summary == title)
        }
      }
      try await stand.notify("tea", Self.tea.merging(["body": "{event.edge}"]) { $1 })
      await stand.center.tell(conditions, isLocked: isLocked)
      var bodies: [String] = []
      for _ in 0..<3 { bodies.append(try await Self.meet(conditions, &isLocked, on: stand, server).body) }
      #expect(bodies == ["leave", "enter", "leave"])
    }
  }
}
