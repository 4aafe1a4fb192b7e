// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import Foundation
import Freedesktop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests what a sandboxed app can read from the center, and what it is asked.
@Suite(.timeLimit(.minutes(2)))
struct BoxViewTests {
  private static func property(_ name: String, as connection: Connection) async throws -> Value? {
    let reply = try await connection.call(
      MethodCall(
        to: CenterBus.name, CenterBus.path, "org.freedesktop.DBus.Properties", "Get",
        [.string(CenterBus.interface.text), .string(name)]))
    if case .variant(let value) = reply.first { return value }
    return nil
  }

  @Test func `No property tells a box about the host, and a box counts only its own requests`() async throws {
    let (files, home) = (try TemporaryFolder(), try TemporaryFolder())
    try files.write("{ not json", to: "categories.d/bad.json")
    try await BoxStand.run(files: files, home: home) { box in
      try await box.stand.notify("u", ["in": "1h"])
      try await box.notify("b", ["in": "1h"])
      let all = try await box.boxed.call(
        MethodCall(
          to: CenterBus.name, CenterBus.path, "org.freedesktop.DBus.Properties", "GetAll",
          [.string(CenterBus.interface.text)]))
      #expect(!"\(all)".contains(home.path("")) && !"\(all)".contains("bad.json"))
      #expect(try await Self.property("Health", as: box.boxed) == .properties([:]))
      #expect(try await Self.property("PendingCount", as: box.boxed) == .uint32(1))
      #expect(try await box.stand.property("PendingCount") == .uint32(2))
      #expect("\(try #require(try await box.stand.property("Health")))".contains("bad.json"))
    }
  }

  @Test func `A box does not know a category that only the user has, whatever its name`() async throws {
    let files = try TemporaryFolder()
    for id in ["secret", "im.received"] {
      try files.write(#"{"id": "\#(id)", "actions": [{"id": "x", "run": ["true"]}]}"#, to: "categories.d/\(id).json")
    }
    try await BoxStand.run(files: files) { box in
      let server = try await box.stand.server()
      #expect(await box.refusal(of: ["category": "secret"]) == "UnknownCategory")
      #expect(await box.refusal(of: ["category": "other"]) == "UnknownCategory")
      // The freedesktop types are for every app, and bring no buttons of the user's.
      try await box.notify("a", ["category": "im.received"])
      let posted = try await server.posted.next()
      #expect(posted.keys == ["default"] && posted.hints["category"] == "im.received")
      try await box.stand.notify("u", ["category": "im.received"])
      #expect(try await server.posted.next().keys == ["default", "x"])
    }
  }

  @Test func `A box in front is not asked about requests that the user made in its name`() async throws {
    try await BoxStand.run { box in
      let asked = Inbox<String>()
      try await box.boxed.export(
        Interface(
          "dev.suzu.Handler1",
          methods: [
            Method("WillPresent", in: ["app": "s", "id": "s", "request": "a{sv}"], out: ["types": "as"]) { call in
              asked.put(call.arguments[1].string ?? "")
              return [.strings([])]
            }
          ]), at: "/dev/suzu/Handler")
      try await box.call("Attach", [.string(BoxStand.app)])
      try await box.call("InFront", [.string(BoxStand.app), true])
      let server = try await box.stand.server()
      try await box.stand.notify("u", ["app": .string(BoxStand.app), "actions": actions(action("x", run: ["true"]))])
      #expect(try await server.posted.next().summary == "u")
      try await box.notify("b")
      #expect(try await asked.next() == "b")
      #expect(asked.waiting.isEmpty)
    }
  }

  // The stored actions of a delivery outlast its category, and may be from an older center or edited by hand.
  @Test func `An action is checked again right before it runs`() async throws {
    let opened = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.urls.open = { url, _, policy in
      opened.put("\(url) \(policy.allowsFiles)")
      return .opened
    }
    let files = try TemporaryFolder()
    let granted = """
      {"app": "\(BoxStand.app)", "categories": [{"id": "c", "actions": [{"id": "go", "run": ["touch", "\(files.path("ran"))"]}]}]}
      """
    try files.write(granted, to: "categories.d/c.json")
    try await BoxStand.run(files: files, desktop: desktop) { box in
      let server = try await box.stand.server()
      try await box.notify("a", ["category": "c"])
      let posted = try await server.posted.next()
      _ = try await box.stand.next(1)
      // The user removed the category while the notification was on the screen.
      try FileManager.default.removeItem(atPath: files.path("categories.d/c.json"))
      try await box.stand.wait(for: "end of the category") { try await box.list("Categories").isEmpty }
      try await server.press(posted.number, "go")
      #expect(try await box.stand.next(3).contains { $0.hasPrefix("Outcome refused: 'run' is not for sandboxed") })
      #expect(files.read("ran") == nil)
      try await box.notify("b", ["url": "https://example.org"])
      let other = try await server.posted.next()
      _ = try await box.stand.next(1)
      try await server.press(other.number, "default")
      #expect(try await opened.next() == "https://example.org false")
    }
  }
}
