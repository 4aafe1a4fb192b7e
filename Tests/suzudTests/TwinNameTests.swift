// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests names that are equal for Unicode but have different bytes: they are two names. Once, the store kept them
/// apart, and everything in memory confused them.
@Suite(.timeLimit(.minutes(2)))
struct TwinNameTests {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  @Test func `Alerts with equal-looking ids do not replace each other, and each is cancelled by itself`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in [Self.composed, Self.decomposed] { try await stand.notify(id, ["style": "alert"]) }
      let posted = try await server.posted.next(2)
      #expect(posted.map(\.replaces) == [0, 0])
      _ = try await stand.next(2)
      #expect(try await stand.count("Dismiss", [Self.decomposed]) == 1)
      #expect(try await server.closed.next() == 2)
      for id in [Self.composed, Self.decomposed] { try await stand.notify("later " + id, ["in": "1h"]) }
      #expect(try await stand.property("PendingCount") == .uint32(2))
      #expect(try await stand.count("Cancel", ["later " + Self.decomposed]) == 1)
      let left = try await stand.call("Pending", ["test", .properties([:])]).first?.elements ?? []
      let ids = left.compactMap { $0.properties?["id"]?.string }
      #expect(ids.count == 1 && ids[0].isIdentical(to: "later " + Self.composed))
      #expect(try await stand.count("Cancel", ["later " + Self.decomposed, "later " + Self.composed]) == 1)
    }
  }

  @Test func `A request that waits for a server is cancelled by its exact id only`() async throws {
    try await CenterStand.run { stand in
      for id in [Self.composed, Self.decomposed] { try await stand.notify(id) }
      #expect(try await stand.count("Cancel", [Self.composed]) == 1)
      let server = try await stand.server()
      #expect(try await server.posted.next().summary.isIdentical(to: Self.decomposed))
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A handler gets only the responses of its own app`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let other = try await stand.bus.connect(on: stand.loop)
      try await stand.call("Attach", [.string(Self.decomposed)], as: other)
      try await stand.notify("a", ["app": .string(Self.composed), "actions": actions(appAction("yes"))])
      let number = try await server.posted.next().number
      try await server.press(number, "yes")
      _ = try await stand.events.next { $0 == "Outcome waiting: app" }
      // The quota, the settings and the categories of each are its own.
      try await stand.call("Allow", [.string(Self.composed), .strings([])])
      let settings = try await stand.call("Settings", [.string(Self.decomposed)]).first?.properties
      #expect(settings?["decided"] == false)
      try await stand.setCategories(["id": "c", "actions": actions(action("yes"))], app: Self.composed)
      let categories = try await stand.call("Categories", [.string(Self.decomposed)]).first?.elements
      #expect(categories?.isEmpty == true)
      await other.close()
    }
  }

  @Test func `Actions and categories may have equal-looking ids, and each button runs its own action`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.setCategories(
        ["id": .string(Self.composed), "actions": actions(action("one"))],
        ["id": .string(Self.decomposed), "actions": actions(action("two"))])
      try await stand.notify("a", ["category": .string(Self.decomposed)])
      #expect(try await server.posted.next().actions.contains("two"))
      try await stand.notify("b", ["actions": actions(action(Self.composed), action(Self.decomposed))])
      let posted = try await server.posted.next()
      #expect(posted.keys.count == 3)
      try await server.press(posted.number, posted.keys[2])
      let told = try await stand.events.next { $0.hasPrefix("Responded b") }
      #expect(told.isIdentical(to: "Responded b " + Self.decomposed))
    }
  }

  @Test func `A dictionary with two equal-looking keys is refused`() async throws {
    try await CenterStand.run { stand in
      let few: Value = .dictionary(
        DictionaryValue(
          keyType: .string, valueType: .variant,
          entries: [Self.composed, Self.decomposed].map { .init(key: .string($0), value: .variant("v")) }))
      let many: Value = .dictionary(
        DictionaryValue(
          keyType: .string, valueType: .variant,
          entries: ([Self.composed, Self.decomposed] + (0..<40).map { "\($0)" }).map {
            .init(key: .string($0), value: .variant("v"))
          }))
      for userInfo in [few, many] {
        let error = try await stand.refusal(of: .properties(["title": "t", "userInfo": userInfo]))
        #expect(error.name == RefusalCode.invalidRequest.errorName)
        #expect(error.message.hasPrefix("'userInfo' has the key 'caf"), "\(error.message)")
      }
    }
    #expect(throws: DocumentError.self) {
      try JSONReader.read(#"{"\#(Self.composed)":1,"\#(Self.decomposed)":2}"#)
    }
  }

  @Test func `Names are compared by their bytes`() {
    #expect(Identifier(Self.composed) != Identifier(Self.decomposed))
    #expect(Set([Self.composed, Self.decomposed, Self.composed].map { Identifier($0) }).count == 2)
    let keys = [Self.composed, Self.decomposed].map { RequestKey(app: "a", id: $0) }
    #expect(keys[0] != keys[1])
    // Of equal length, with the same marks in another order.
    #expect(Identifier("q\u{307}\u{323}") != Identifier("q\u{323}\u{307}"))
  }

  // MARK: Ids of snoozed requests

  @Test func `A snoozed request has an id of its own that fits the limit`() {
    #expect(SnoozedID.of("a") == "a.snoozed")
    let short = String(repeating: "a", count: 247)
    #expect(SnoozedID.of(short) == short + ".snoozed")
    for length in 248...255 {
      let id = String(repeating: "a", count: length - 1)
      let ids = ["b", "c"].map { SnoozedID.of(id + $0) }
      #expect(ids.allSatisfy { $0.utf8.count == 255 && $0.hasSuffix(".snoozed") } && ids[0] != ids[1])
      #expect(ids[0] == SnoozedID.of(id + "b"))
    }
    // The cut is never inside a character.
    let emoji = SnoozedID.of(String(repeating: "\u{1f514}", count: 63))
    #expect(emoji.utf8.count <= 255 && !emoji.contains("\u{fffd}"))
  }

  @Test func `A snoozed alarm with a long id comes again`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let id = String(repeating: "a", count: 255)
      try await stand.notify(
        id, ["every": "1s", "style": "alert", "actions": actions(action("later", ["snooze": "1h"]))])
      let posted = try await server.posted.next(within: .seconds(20))
      try await server.press(posted.number, "later")
      _ = try await stand.events.next { $0 == "Outcome done" }
      let pending = try await stand.call("Pending", ["test", .properties([:])]).first?.elements ?? []
      let ids = pending.compactMap { $0.properties?["id"]?.string }
      #expect(ids.count == 2 && ids.contains(SnoozedID.of(id)))
      try await stand.center.passTime(hours: 2)
      _ = try await stand.events.next { $0 == "Delivered \(SnoozedID.of(id))" }
      // The repetition goes on beside it.
      #expect(try await stand.count("Cancel", [id]) == 1)
    }
  }
}
