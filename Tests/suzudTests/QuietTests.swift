// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests what quiet hours hold, until when, and how it comes afterwards.
@Suite(.timeLimit(.minutes(2))) struct QuietTests {
  @Test func `By level: passive and active ones wait, and come as one when it is turned off`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await QuietCalls.set(stand, ["on": true])
      for id in ["a", "b"] { try await stand.notify(id) }
      try await stand.notify("p", ["level": "passive"])
      for level in ["timeSensitive", "critical"] { try await stand.notify(level, ["level": .string(level)]) }
      #expect(try await server.posted.next(2).map(\.summary) == ["timeSensitive", "critical"])
      let quiet = try await QuietCalls.quiet(stand)
      #expect(quiet["quiet"] == true && quiet["ends"] == "quiet off" && quiet["held"] == .uint32(3))
      #expect(try await QuietCalls.row(stand, "a")["held"] == "quiet off")
      #expect(try await QuietCalls.row(stand, "a")["heldBy"] == "quiet")
      #expect(try await stand.why("a") == "has come, and is held until you turn quiet hours off")
      #expect(try await stand.property("PendingCount") == .uint32(3))
      try await QuietCalls.set(stand, ["on": false])
      let digest = try await server.posted.next()
      #expect(digest.summary == "During quiet hours" && digest.body == "test: a\ntest: b\ntest: p")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await QuietCalls.row(stand, "a")["state"] == "folded")
      #expect(try await stand.why("a") == "came as a part of a digest: quiet hours held it")
      #expect(try await QuietCalls.quiet(stand)["held"] == .uint32(0))
    }
  }

  @Test func `One by one, with their buttons, if the user wishes it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await QuietCalls.set(stand, ["on": true, "after": "each"])
      try await stand.notify("a", ["actions": actions(action("ok"))])
      try await stand.notify("b")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      try await QuietCalls.set(stand, ["on": false])
      let posted = try await server.posted.next(2)
      #expect(posted.map(\.summary) == ["a", "b"] && posted[0].actions.contains("ok"))
      #expect(try await QuietCalls.row(stand, "a")["heldBy"] == "quiet")
    }
  }

  @Test func `Alerts come by themselves after the digest of the others`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await QuietCalls.set(stand, ["on": true])
      for id in ["a", "b"] { try await stand.notify(id) }
      try await stand.notify("alert", ["style": "alert", "actions": actions(action("ok"))])
      try await QuietCalls.set(stand, ["on": false])
      let posted = try await server.posted.next(2)
      #expect(Set(posted.map(\.summary)) == ["During quiet hours", "alert"])
    }
  }

  @Test func `Until a time they wait, and then come by themselves`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      // A second that is not over when the call arrives.
      let end = Int64(time(nil)) + 2
      try await QuietCalls.set(stand, ["until": .int64(end)])
      try await stand.notify("a")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await QuietCalls.quiet(stand)["end"] == .int64(end))
      #expect(try await stand.why("a").hasPrefix("has come, and is held until 20"))
      let posted = try await server.posted.next(within: .seconds(15))
      // Alone, it is itself.
      #expect(posted.summary == "a")
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      #expect(now.tv_sec >= end)
      #expect(try await QuietCalls.quiet(stand)["quiet"] == false)
    }
  }

  @Test func `Hours hold without being turned on, and turning off skips them`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await QuietCalls.set(stand, ["add": QuietCalls.always])
      try await stand.notify("a")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      try await QuietCalls.set(stand, ["on": false])
      #expect(try await server.posted.next().summary == "a")
      let quiet = try await QuietCalls.quiet(stand)
      #expect(quiet["quiet"] == false && quiet["skipped"] != nil && quiet["hours"] == QuietCalls.always)
      try await stand.notify("b")
      #expect(try await server.posted.next().summary == "b")
      // Turned on again, they count again.
      try await QuietCalls.set(stand, ["until": .int64(Int64(time(nil)) + 3600)])
      #expect(try await QuietCalls.quiet(stand)["skipped"] == nil)
      try await QuietCalls.set(stand, ["remove": QuietCalls.always, "on": false])
      #expect(try await QuietCalls.quiet(stand)["hours"] == .strings([]))
    }
  }

  @Test func `An app may have its own hours, and its own level that passes`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await QuietCalls.set(stand, ["on": true], app: "chatter")
      try await stand.notify("a")
      #expect(try await server.posted.next().summary == "a")
      try await stand.notify("b", ["app": "chatter"])
      try await QuietCalls.set(stand, ["on": true, "pass": "nothing"])
      try await QuietCalls.set(stand, ["pass": "all"], app: "medication")
      try await QuietCalls.set(stand, ["pass": "critical"], app: "test")
      try await stand.notify("pill", ["app": "medication", "level": "passive"])
      try await stand.notify("c", ["level": "timeSensitive"])
      try await stand.notify("d", ["level": "critical"])
      try await stand.notify("e", ["app": "chatter", "level": "critical"])
      #expect(try await server.posted.next(2).map(\.summary) == ["pill", "d"])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let apps = try #require(try await stand.call("QuietApps", []).first?.elements?.compactMap(\.properties))
      #expect(apps.map { $0["app"]?.string } == ["chatter", "medication", "test"])
      #expect(apps.map { $0["pass"]?.string } == ["nothing", "all", "critical"])
      // Its own goes on when that of all apps has ended.
      try await QuietCalls.set(stand, ["on": false])
      #expect(try await server.posted.next().summary == "c")
      try await QuietCalls.set(stand, ["on": false], app: "chatter")
      #expect(try await server.posted.next().body == "chatter: b\nchatter: e")
      try await QuietCalls.set(stand, ["pass": ""], app: "medication")
      #expect(try await QuietCalls.quiet(stand, app: "medication")["pass"] == "nothing")
    }
  }

  @Test func `An alarm of the user rings, and one that may be late does not`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await QuietCalls.set(stand, ["on": true])
      let alarm: [String: Value] = ["app": "dev.suzu.Suzu", "in": "1h", "sound": "bell"]
      try await stand.notify("alarm", alarm)
      try await stand.notify("quiet alarm", alarm.merging(["level": "passive"]) { $1 })
      try await stand.notify("reminder", ["app": "dev.suzu.Suzu", "in": "1h"])
      try await stand.notify("tea", ["in": "1h", "sound": "bell"])
      try await stand.center.passTime(hours: 1)
      #expect(try await server.posted.next(within: .seconds(15)).summary == "alarm")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await QuietCalls.quiet(stand)["held"] == .uint32(3))
    }
  }

  @Test func `A question of the user's own program comes at once, and one of a box waits`() async throws {
    try await BoxStand.run { box in
      let server = try await box.stand.server()
      try await QuietCalls.set(box.stand, ["on": true])
      try await box.stand.call("Ask", [.properties(["app": "test", "id": "mine", "title": "mine"])])
      #expect(try await server.posted.next().summary == "mine")
      try await box.call("Attach", [.string(BoxStand.app)])
      try await box.call("Ask", [.properties(["id": "boxed", "title": "boxed"])])
      try await box.stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `What replaces a notification on the screen waits, but for its progress`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a")
      let first = try await server.posted.next()
      try await QuietCalls.set(stand, ["on": true])
      try await stand.notify("a", ["title": "newer"])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.listing("Delivered").compactMap { $0["title"]?.string } == ["a"])
      try await QuietCalls.set(stand, ["on": false])
      let second = try await server.posted.next()
      #expect(second.summary == "newer" && second.replaces == first.number)
      try await stand.notify("b", ["progress": .int64(10)])
      _ = try await server.posted.next()
      try await QuietCalls.set(stand, ["on": true])
      try await stand.notify("b", ["progress": .int64(20)])
      #expect(try await server.posted.next().hints["value"] != nil)
    }
  }

  @Test func `Cancelled and replaced ones have one end, and do not come`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await QuietCalls.set(stand, ["on": true])
      for id in ["a", "b"] { try await stand.notify(id) }
      #expect(try await stand.count("Cancel", ["a"]) == 1)
      try await stand.notify("b", ["title": "newer"])
      try await QuietCalls.set(stand, ["on": false])
      #expect(try await server.posted.next().summary == "newer")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let ends = try await stand.all("History").map { $0["reason"]?.string ?? "none" }.sorted()
      #expect(ends == ["cancelled", "none", "replaced"])
    }
  }

  @Test func `After quiet hours the other settings of an app still hold`() async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(presence: presence) { stand in
      let server = try await stand.server()
      try await stand.call("Configure", ["test", .properties(["away": "hold"])])
      await stand.center.tell(presence, isLocked: true, isIdle: false)
      try await QuietCalls.set(stand, ["on": true])
      try await stand.notify("a")
      try await QuietCalls.set(stand, ["on": false])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await QuietCalls.row(stand, "a")["held"] == "back")
      // And quiet hours hold what comes when the user is back.
      try await QuietCalls.set(stand, ["on": true])
      await stand.center.tell(presence, isLocked: false, isIdle: false)
      try await stand.wait(for: "quiet") { try await QuietCalls.row(stand, "a")["held"] == "quiet off" }
      #expect(server.posted.waiting.isEmpty)
      try await QuietCalls.set(stand, ["on": false])
      #expect(try await server.posted.next().summary == "a")
    }
  }
}
