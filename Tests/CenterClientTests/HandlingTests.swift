// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import NotificationModel
import TestSupport
import Testing

/// Tests categories, handlers and settings in the client library.
@Suite(.timeLimit(.minutes(2))) struct HandlingTests {
  @Test func `Categories are sent and come back with their owners`() async throws {
    try await withCenter { _, fake, center in
      let category = Category(id: "c", actions: [Action(id: "a", title: "A", effect: .snooze(.seconds(60)))])
      try await center.setCategories([category], app: "a.b")
      #expect(fake.asked.last?.prefix(2) == ["SetCategories", "a.b"])
      let sent = fake.asked.last?.last?.elements?.first?.properties
      #expect(sent?["id"] == "c" && sent?["actions"]?.elements?.first?.properties?["snooze"] == "1m")
      fake.list([
        .properties(["id": "own"]), .properties(["id": "filed", "file": "/x.json"]),
        .properties(["id": "theirs", "app": "c.d", "file": "/y.json"]), .properties(["actions": "nonsense"]),
      ])
      let known = try await center.categories(app: "a.b")
      #expect(known.map(\.category.id) == ["own", "filed", "theirs"])
      #expect(known.map(\.app) == ["a.b", nil, "c.d"] && known.map(\.file) == [nil, "/x.json", "/y.json"])
      _ = try await center.categories()
      #expect(fake.asked.last == ["Categories", ""])
    }
  }

  @Test func `A handler attaches, completes and detaches`() async throws {
    try await withCenter { _, fake, center in
      try await center.attach(app: "a.b")
      try await center.complete(7)
      try await center.complete(8, problem: "no room")
      try await center.detach(app: "a.b")
      #expect(
        fake.asked == [
          ["Attach", "a.b"], ["Complete", .uint64(7), .properties([:])],
          ["Complete", .uint64(8), .properties(["error": "no room"])], ["Detach", "a.b"],
        ])
    }
  }

  @Test func `Settings are read and changed`() async throws {
    try await withCenter { _, fake, center in
      #expect(try await center.register(app: "a.b", for: [.sound, .alert]) == [.sound])
      #expect(fake.asked.last == ["Register", "a.b", .strings(["alert", "sound"])])
      let settings = try await center.settings(app: "a.b")
      #expect(settings.app == "a.b" && settings.allowed == [.badge] && settings.asked == [] && settings.isDecided)
      try await center.allow(app: "a.b", [])
      #expect(fake.asked.last == ["Allow", "a.b", .strings([])])
      #expect(try await center.clearHistory(app: "a.b", before: 7) == 3)
      #expect(fake.asked.last == ["ClearHistory", "a.b", .int64(7)])
      try await center.reset(app: "a.b")
      #expect(fake.asked.last == ["Reset", "a.b"])
      fake.list([.properties(["app": "x", "asked": .strings(["badge"])])])
      #expect(try await center.apps().map(\.app) == ["x"])
    }
  }
}
