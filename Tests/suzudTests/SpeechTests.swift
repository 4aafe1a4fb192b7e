// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests what is spoken, and when.
@Suite(.timeLimit(.minutes(1))) struct SpeechTests {
  private static func run(
    isLocked: Bool = false, burst: Int = 0,
    _ body: @escaping @Sendable (CenterStand, ScriptedServer, Inbox<String>) async throws -> Void
  ) async throws {
    let spoken = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.session.isLocked = { isLocked }
    desktop.signs.speak = { text, urgency in
      spoken.put("\(urgency): \(text)")
      return .taken
    }
    try await CenterStand.run(burst: burst, desktop: desktop) { stand in
      let server = try await stand.server()
      try await body(stand, server, spoken)
    }
  }

  @Test func `A request that asks for it is spoken once it is on the screen, in sentences and without markup`()
    async throws
  {
    try await Self.run { stand, server, spoken in
      try await stand.notify("silent")
      _ = try await server.posted.next()
      try await stand.notify(
        "a",
        [
          "title": "Tea is ready", "subtitle": "Green!", "body": "It is <b>hot</b> &amp; sweet", "markup": true,
          "speak": true,
        ])
      #expect(try await spoken.next() == "message: Tea is ready.\nGreen!\nIt is hot & sweet.")
      try await stand.notify("b", ["body": "a <b> c", "speak": true, "level": "critical"])
      #expect(try await spoken.next() == "important: b.\na <b> c.")
      try await stand.notify("c", ["speak": true, "level": "passive"])
      #expect(try await spoken.next() == "notification: c.")
    }
  }

  @Test func `In a locked session nothing is spoken`() async throws {
    try await Self.run(isLocked: true) { stand, server, spoken in
      try await stand.notify("a", ["speak": true])
      _ = try await server.posted.next()
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.settle()
      #expect(spoken.waiting.isEmpty)
    }
  }

  @Test func `An app whose sounds the user denied is not spoken`() async throws {
    try await Self.run { stand, server, spoken in
      try await stand.call("Allow", ["test", .strings(["alert"])])
      try await stand.notify("a", ["speak": true])
      _ = try await server.posted.next()
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.settle()
      #expect(spoken.waiting.isEmpty)
    }
  }

  @Test func `What is folded into a digest is not spoken`() async throws {
    try await Self.run(burst: 3) { stand, server, spoken in
      let requests = (0..<10).map { number in
        Value.properties([
          "app": "test", "id": .string("\(number)"), "title": .string("\(number)"), "speak": true, "in": "100ms",
        ])
      }
      try await stand.call("NotifyMany", [.array(of: .properties, requests)])
      _ = try await server.posted.next(4)
      try await stand.settle()
      #expect(spoken.waiting.count == 3)
    }
  }
}
