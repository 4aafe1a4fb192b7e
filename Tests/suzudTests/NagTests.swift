// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests that the center shows a notification again until it is answered, and what counts as an answer.
@Suite(.timeLimit(.minutes(2)))
struct NagTests {
  private static let nag: [String: Value] = ["nag": "5m", "actions": actions(action("ok"))]

  @Test(arguments: [UInt32(1), 3, 4])
  func `A notification that leaves the screen without an answer rests, and comes again in its place`(
    reason: UInt32
  ) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag)
      let first = try await server.posted.next()
      #expect(try await stand.next(1) == ["Delivered pill"])
      #expect(try await stand.states() == ["pill delivered"])
      try await server.tellClosed(first.number, reason: reason)
      try await stand.settle()
      #expect(stand.events.waiting == [])
      #expect(try await stand.states() == ["pill unanswered"])
      let second = try await stand.again(server)
      // The last showing may still be in the list of the server.
      #expect(second.replaces == first.number && second.summary == "pill")
      #expect(try await stand.next(1) == ["Delivered pill"])
      try await server.press(second.number, "ok")
      #expect(try await stand.next(3) == ["Responded pill ok", "Closed pill withdrawn", "Outcome done"])
      let row = try #require(try await stand.history("pill").first)
      #expect(row["shownCount"] == .int64(2) && row["again"] == nil && row["action"] == "ok")
      #expect(row["showings"]?.elements?.count == 2)
      try await stand.endPauses()
      #expect(server.posted.waiting.isEmpty)
      #expect(await stand.center.openNags == 0)
    }
  }

  @Test func `One that is on the screen is replaced by its next showing, with its sound`() async throws {
    let sounds = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.signs.play = { sounds.put($0) }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      try await stand.notify("alarm", Self.nag.merging(["style": "alert", "sound": "bell"]) { $1 })
      let first = try await server.posted.next()
      let second = try await stand.again(server)
      #expect(second.replaces == first.number && second.number == first.number)
      #expect(second.hints["suppress-sound"] == nil)
      #expect(try await sounds.next(2) == ["bell", "bell"])
      try await stand.settle()
      #expect(stand.events.waiting == ["Delivered alarm", "Delivered alarm"])
      try await server.press(second.number, "ok")
      #expect(
        try await stand.next(5).suffix(3) == ["Responded alarm ok", "Closed alarm withdrawn", "Outcome done"])
    }
  }

  /// What ends it.
  enum Answer: String, CaseIterable, Sendable {
    case press, dismissal, acknowledgement, programmed, response
  }

  @Test(arguments: Answer.allCases)
  func `The first answer is the last showing`(answer: Answer) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag)
      let first = try await server.posted.next()
      _ = try await stand.next(1)
      switch answer {
      case .press: try await server.press(first.number, "ok")
      case .dismissal: try await server.tellClosed(first.number, reason: 2)
      case .acknowledgement: #expect(try await stand.count("Acknowledge", ["pill"]) == 1)
      case .programmed: #expect(try await stand.count("Dismiss", ["pill"]) == 1)
      case .response: try await stand.respond("pill", "ok")
      }
      let end =
        switch answer {
        case .press, .programmed, .response: "withdrawn"
        case .dismissal: "dismissed"
        case .acknowledgement: "acknowledged"
        }
      _ = try await stand.events.next { $0 == "Closed pill \(end)" }
      try await stand.endPauses()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.history("pill").first?["again"] == nil)
      #expect(try await stand.states() == [])
    }
  }

  @Test(arguments: ["Acknowledge", "Dismiss", "Cancel"] as [MemberName])
  func `While it is off the screen it can be ended as well`(method: MemberName) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions", "body", "persistence"])
      for id in ["a", "b"] {
        try await stand.notify(id, Self.nag)
        try await server.tellClosed(try await server.posted.next().number, reason: 1)
      }
      _ = try await stand.next(2)
      try await stand.settle()
      #expect(try await stand.states() == ["b unanswered", "a unanswered"])
      #expect(try await stand.count(method, ["a", "unknown"]) == 1)
      let end = ["Acknowledge": "acknowledged", "Dismiss": "withdrawn"][method.text] ?? "cancelled"
      #expect(try await stand.next(1) == ["Closed a \(end)"])
      #expect(try await stand.history("a").first?["reason"]?.string == end)
      // All of the app.
      #expect(try await stand.count(method, []) == 1)
      #expect(try await stand.next(1) == ["Closed b \(end)"])
      if method != "Cancel" { #expect(try await server.closed.next(2) == [1, 2]) }
      #expect(try await stand.count(method, []) == 0)
      #expect(await stand.center.openNags == 0)
    }
  }

  @Test func `Cancelled on the screen it stays there, and does not come again`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag)
      let first = try await server.posted.next()
      _ = try await stand.next(1)
      #expect(try await stand.count("Cancel", ["pill"]) == 1)
      #expect(try await stand.count("Cancel", ["pill"]) == 0)
      #expect(try await stand.states() == ["pill delivered"])
      try await server.tellClosed(first.number, reason: 1)
      #expect(try await stand.next(1) == ["Closed pill expired"])
      await stand.center.endPauses()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A click on a showing that has left the screen is an answer`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag)
      let first = try await server.posted.next()
      try await server.tellClosed(first.number, reason: 1)
      try await stand.settle()
      try await server.press(first.number, "ok")
      #expect(try await stand.next(3).sorted() == ["Closed pill withdrawn", "Delivered pill", "Responded pill ok"])
      try await stand.endPauses()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.history("pill").map { $0["state"]?.string } == ["closed"])
    }
  }

  @Test func `A new request with its id stops it, also one that is to come later`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in ["later", "now"] {
        try await stand.notify(id, Self.nag)
        try await server.tellClosed(try await server.posted.next().number, reason: 1)
      }
      _ = try await stand.next(2)
      try await stand.settle()
      try await stand.notify("later", ["in": "1h"])
      try await stand.notify("now")
      // The caller that replaces them gets no event of their ends.
      #expect(try await stand.next(1) == ["Delivered now"])
      #expect(await stand.center.openNags == 0)
      #expect(try await stand.history("later").map { $0["reason"]?.string } == ["replaced"])
      try await stand.settle()
      #expect(try await stand.history("now").map { $0["state"]?.string } == ["delivered", "closed"])
      #expect(try await stand.states() == ["now delivered"])
    }
  }

  @Test func `The last showing ends as any notification does`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag.merging(["max": .int64(2)]) { $1 })
      try await server.tellClosed(try await server.posted.next().number, reason: 1)
      _ = try await stand.next(1)
      let second = try await stand.again(server)
      #expect(try await stand.next(1) == ["Delivered pill"])
      try await server.tellClosed(second.number, reason: 1)
      #expect(try await stand.next(1) == ["Closed pill expired"])
      #expect(try await stand.history("pill").first?["shownCount"] == .int64(2))
    }
  }

  @Test func `Without a server the next showing waits, and is counted when it is shown`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag)
      _ = try await stand.next(1)
      await server.die()
      try await stand.wait(for: "rest") { try await stand.states() == ["pill unanswered"] }
      for _ in 0..<3 {
        await stand.center.endPauses()
        try await stand.settle()
      }
      #expect(try await stand.history("pill").first?["state"] == "due")
      let next = try await stand.server()
      _ = try await next.posted.next(within: .seconds(10), "second showing")
      #expect(try await stand.next(1) == ["Delivered pill"])
      try await stand.settle()
      #expect(next.posted.waiting.isEmpty)
      #expect(try await stand.history("pill").first?["shownCount"] == .int64(2))
    }
  }

  @Test func `An alert comes back with its server, which is no showing of its own`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("alarm", Self.nag.merging(["style": "alert"]) { $1 })
      _ = try await stand.next(1)
      await server.die()
      let next = try await stand.server(firstNumber: 7)
      #expect(try await next.posted.next(within: .seconds(10), "return").hints["suppress-sound"] == .boolean(true))
      _ = try await stand.next(1)
      try await stand.settle()
      #expect(try await stand.history("alarm").first?["shownCount"] == nil)
      #expect(try await stand.history("alarm").first?["again"] != nil)
      let second = try await stand.again(next)
      #expect(second.replaces == 7 && second.hints["suppress-sound"] == nil)
    }
  }

  @Test(arguments: [true, false])
  func `What comes next survives the center, on the screen and off it`(isOnScreen: Bool) async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag)
      let first = try await server.posted.next()
      _ = try await stand.next(1)
      if !isOnScreen { try await server.tellClosed(first.number, reason: 1) }
      try await stand.settle()
    }
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      // The earlier server, and its numbers, are gone.
      try await stand.wait(for: "rest") { try await stand.states() == ["pill unanswered"] }
      let second = try await stand.again(server)
      #expect(second.replaces == 0)
      #expect(try await stand.next(1) == ["Delivered pill"])
      try await server.press(second.number, "ok")
      _ = try await stand.events.next { $0 == "Closed pill withdrawn" }
      #expect(try await stand.history("pill").map { $0["shownCount"] } == [.int64(2)])
    }
    try await CenterStand.run(home: home) { stand in #expect(await stand.center.openNags == 0) }
  }

  @Test func `Steps change level, style and sound of the next showings, and a snooze begins anew`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions", "body", "sound"])
      let steps: Value = .array(
        of: .properties,
        [
          .properties(["after": "10m", "level": "critical", "sound": "alarm"]),
          .properties(["after": "20m", "style": "alert"]),
        ])
      let later = action("later", ["icon": "x", "snooze": "1h"])
      try await stand.notify("page", ["escalate": steps, "actions": actions(later)])
      let first = try await server.posted.next()
      #expect(first.hints["urgency"] == .byte(1) && first.hints["sound-name"] == nil && first.timeout == -1)
      let second = try await stand.again(server)
      #expect(second.hints["urgency"] == .byte(2) && second.hints["sound-name"] == .string("alarm"))
      #expect(second.timeout == -1)
      let third = try await stand.again(server)
      #expect(third.hints["urgency"] == .byte(2) && third.timeout == 0)
      try await stand.settle()
      let row = try #require(try await stand.history("page").first)
      #expect(row["shownCount"] == .int64(3) && row["again"] == nil)
      #expect(
        row["showings"]?.elements?.map { $0.properties?["step"]?.integer ?? 0 } == [0, 1, 2])
      try await server.press(third.number, "later")
      try await stand.wait(for: "snooze") { try await stand.listing("Pending").count == 1 }
      let pending = try #require(try await stand.listing("Pending").first)
      #expect(pending["level"] == nil && pending["style"] == nil && pending["escalate"] != nil)
    }
  }

  @Test func `A step may have another category, whose buttons the next showing has`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions", "body"])
      try await stand.setCategories(
        ["id": "mild", "actions": actions(action("later"))], ["id": "urgent", "actions": actions(action("going"))])
      let steps: Value = .array(of: .properties, [.properties(["after": "10m", "category": "urgent"])])
      try await stand.notify("page", ["category": "mild", "escalate": steps])
      let first = try await server.posted.next()
      #expect(first.keys.contains("later") && !first.keys.contains("going"), "\(first.actions)")
      let second = try await stand.again(server)
      #expect(second.keys.contains("going") && !second.keys.contains("later"), "\(second.actions)")
      #expect(second.replaces == first.number)
      _ = try await stand.next(2)
      try await server.press(second.number, "going")
      #expect(try await stand.next(3) == ["Responded page going", "Closed page withdrawn", "Outcome done"])
    }
  }

  @Test func `'why' says how often it was shown, and that it comes again`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", Self.nag)
      try await server.tellClosed(try await server.posted.next().number, reason: 1)
      _ = try await stand.again(server)
      try await stand.settle()
      #expect(try await stand.why("pill") == "came, on time; shown 2 times; it is on the screen, and is shown again")
      try await server.tellClosed(1, reason: 1)
      try await stand.settle()
      #expect(try await stand.why("pill") == "came, on time; shown 2 times; it was not answered, and is shown again")
      #expect(try await stand.count("Acknowledge", ["pill"]) == 1)
      #expect(try await stand.why("pill") == "came, on time; shown 2 times; then: acknowledged")
    }
  }
}
