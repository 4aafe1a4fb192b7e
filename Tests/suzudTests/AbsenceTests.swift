// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests that banners do not expire while the user is away, if a setting of their app says so.
@Suite(.timeLimit(.minutes(2)))
struct AbsenceTests {
  private static var brief: Timeouts {
    var timeouts = Timeouts()
    timeouts.pauses.expiry = .milliseconds(5)
    timeouts.pauses.expiryOnServer = .milliseconds(5)
    return timeouts
  }

  /// A center whose user is there, and whose app `test` has this rule.
  private static func run(
    _ rule: AwayRule, isAway: Bool? = false,
    _ body: @escaping @Sendable (CenterStand, ScriptedPresence) async throws -> Void
  ) async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(timeouts: brief, presence: presence) { stand in
      try await stand.call("Configure", ["test", .properties(["away": .string(rule.rawValue)])])
      if let isAway { await stand.center.tell(presence, isLocked: isAway, isIdle: false) }
      try await body(stand, presence)
    }
  }

  @Test(arguments: [AwayRule.keep, .hold])
  func `What is on the screen stays there until the user is back, and no program learns of that`(
    rule: AwayRule
  ) async throws {
    try await Self.run(rule) { stand, presence in
      let server = try await stand.server(capabilities: ["actions", "body", "sound"])
      try await stand.notify("usual", ["sound": "bell"])
      try await stand.notify("timed", ["expires": "40s", "actions": actions(action("ok"))])
      try await stand.notify("alert", ["style": "alert"])
      try await stand.notify("lasting", ["expires": "never"])
      let first = try await server.posted.next(4)
      #expect(first.map(\.timeout) == [-1, 40_000, 0, 0])
      _ = try await stand.next(4)
      await stand.center.tell(presence, isIdle: true)
      let kept = try await server.posted.next(2)
      #expect(kept.map(\.summary) == ["usual", "timed"] && kept.map(\.timeout) == [0, 0])
      #expect(kept.map(\.replaces) == first.prefix(2).map(\.number))
      #expect(kept.allSatisfy { $0.hints["suppress-sound"] == .boolean(true) } && kept[1].actions.contains("ok"))
      // The lock changes nothing more.
      await stand.center.tell(presence, isLocked: true)
      await stand.center.tell(presence, isIdle: false)
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      await stand.center.tell(presence, isLocked: false)
      let back = try await server.posted.next(2)
      #expect(back.map(\.summary) == ["usual", "timed"] && back.map(\.timeout) == [-1, 40_000])
      try await stand.settle()
      #expect(stand.events.waiting.isEmpty && server.posted.waiting.isEmpty && server.closed.waiting.isEmpty)
      try await server.press(back[1].number, "ok")
      #expect(try await stand.next(3) == ["Responded timed ok", "Closed timed withdrawn", "Outcome done"])
    }
  }

  @Test func `What comes meanwhile stays as well, and ends in time after the return`() async throws {
    try await Self.run(.keep, isAway: true) { stand, presence in
      let server = try await stand.server()
      try await stand.notify("a", ["expires": "50ms"])
      try await stand.notify("b", ["expires": "20ms", "level": "critical"])
      #expect(try await server.posted.next(2).map(\.timeout) == [0, 0])
      // The time of one with another rule passes before that of the others could.
      try await stand.notify("c", ["app": "other", "expires": "100ms"])
      #expect(try await server.posted.next().timeout == 100)
      #expect(try await server.closed.next() == 3)
      #expect(server.closed.waiting.isEmpty)
      let shown = try await stand.all("Delivered").compactMap { $0["id"]?.string }
      #expect(shown.sorted() == ["a", "b"])
      await stand.center.tell(presence, isLocked: false)
      #expect(try await server.posted.next(2).map(\.timeout) == [50, 20])
      #expect(try await server.closed.next(2).sorted() == [1, 2])
      try await stand.settle()
      #expect(try await stand.history("a").map { $0["reason"]?.string } == ["expired"])
    }
  }

  // The list of such a server may hold what came this morning: it must not be shown anew.
  @Test func `A server that moves what expires to a list gets nothing again, and no end while the user is away`()
    async throws
  {
    try await Self.run(.keep) { stand, presence in
      let server = try await stand.server(name: "SwayNotificationCenter", version: "0.11.0")
      try await stand.notify("a", ["expires": "1s"])
      _ = try await server.posted.next()
      await stand.center.tell(presence, isLocked: true)
      // Another app's, with a longer time, ends before.
      try await stand.notify("b", ["app": "other", "expires": "1100ms"])
      #expect(try await server.closed.next() == 2)
      #expect(server.closed.waiting.isEmpty)
      await stand.center.tell(presence, isLocked: false)
      #expect(try await server.closed.next() == 1)
      #expect(server.posted.waiting.map(\.summary) == ["b"])
    }
  }

  @Test func `One that ends while its server is asked to keep it does not come back`() async throws {
    try await Self.run(.keep) { stand, presence in
      let server = try await stand.server { $0.replaces == 0 ? .number : .hold }
      try await stand.notify("a")
      #expect(try await server.posted.next().number == 1)
      _ = try await stand.next(1)
      await stand.center.tell(presence, isLocked: true)
      _ = try await server.posted.next()
      // Its time was over before the server read that.
      try await server.tellClosed(1, reason: 1)
      #expect(try await stand.next(1) == ["Closed a expired"])
      await server.release(.exactly(7))
      #expect(try await server.closed.next() == 7)
      try await stand.settle()
      #expect(stand.events.waiting.isEmpty)
      #expect(try await stand.history("a").map { $0["reason"]?.string } == ["expired"])
      #expect(try await stand.all("Delivered").isEmpty)
    }
  }

  @Test func `The report of a server that it replaced a notification by itself is no end`() async throws {
    try await Self.run(.keep) { stand, presence in
      let server = try await stand.server { $0.replaces == 0 ? .number : .hold }
      try await stand.notify("a")
      _ = try await server.posted.next()
      _ = try await stand.next(1)
      await stand.center.tell(presence, isLocked: true)
      _ = try await server.posted.next()
      try await server.tellClosed(1, reason: 3)
      await server.release(.exactly(1))
      try await stand.settle()
      #expect(stand.events.waiting.isEmpty)
      #expect(try await stand.history("a").map { $0["reason"] } == [nil])
    }
  }

  @Test func `Without the setting they expire as always, also when it ends while the user is away`() async throws {
    try await Self.run(.keep, isAway: true) { stand, presence in
      let server = try await stand.server()
      try await stand.notify("a", ["expires": "30s"])
      #expect(try await server.posted.next().timeout == 0)
      try await stand.call("Configure", ["test", .properties(["away": "show"])])
      #expect(try await server.posted.next().timeout == 30_000)
      try await stand.notify("b", ["expires": "30s"])
      #expect(try await server.posted.next().timeout == 30_000)
      #expect(try await presence.watched.next(4) == ["+unlocked", "+idle 5m", "-unlocked", "-idle 5m"])
    }
  }

  @Test func `Without a setting nothing is watched`() async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(presence: presence) { stand in
      let server = try await stand.server()
      try await stand.notify("a")
      _ = try await server.posted.next()
      #expect(presence.watched.waiting.isEmpty)
    }
  }

  @Test func `A source that never tells of input does not keep banners`() async throws {
    try await Self.run(.hold, isAway: nil) { stand, presence in
      let server = try await stand.server()
      try await stand.notify("a")
      await stand.center.tell(presence, isLocked: false)
      #expect(try await server.posted.next(within: .seconds(10)).summary == "a")
    }
  }
}
