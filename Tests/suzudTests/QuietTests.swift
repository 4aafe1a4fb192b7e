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
  private static let always: Value = .strings(["00:00..24:00"])

  private static func set(_ stand: CenterStand, _ changes: [String: Value], app: String = "") async throws {
    try await stand.call("SetQuiet", [.string(app), .properties(changes)])
  }

  private static func quiet(_ stand: CenterStand, app: String = "") async throws -> [String: Value] {
    try #require(try await stand.call("Quiet", [.string(app)]).first?.properties)
  }

  private static func row(_ stand: CenterStand, _ id: String, app: String = "test") async throws -> [String: Value] {
    try #require(try await stand.all("History", app: app).first { $0["id"]?.string == id })
  }

  private static func why(_ stand: CenterStand, _ id: String) async throws -> String {
    let rows = try await stand.call("Why", ["test", .string(id), .uint32(1)]).first?.elements
    return rows?.first?.properties?["why"]?.string ?? ""
  }

  private static func refusal(_ stand: CenterStand, _ changes: [String: Value], app: String = "") async throws -> String
  {
    do {
      try await set(stand, changes, app: app)
      throw TestFailure("it was taken")
    } catch CallError.refused(let error) {
      return "\(error.name): \(error.message)"
    }
  }

  // MARK: Holding

  @Test func `By level: passive and active ones wait, and come as one when it is turned off`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["on": true])
      for id in ["a", "b"] { try await stand.notify(id) }
      try await stand.notify("p", ["level": "passive"])
      for level in ["timeSensitive", "critical"] { try await stand.notify(level, ["level": .string(level)]) }
      #expect(try await server.posted.next(2).map(\.summary) == ["timeSensitive", "critical"])
      let quiet = try await Self.quiet(stand)
      #expect(quiet["quiet"] == true && quiet["ends"] == "quiet off" && quiet["held"] == .uint32(3))
      #expect(try await Self.row(stand, "a")["held"] == "quiet off")
      #expect(try await Self.row(stand, "a")["heldBy"] == "quiet")
      #expect(try await Self.why(stand, "a") == "has come, and is held until you turn quiet hours off")
      #expect(try await stand.property("PendingCount") == .uint32(3))
      try await Self.set(stand, ["on": false])
      let digest = try await server.posted.next()
      #expect(digest.summary == "During quiet hours" && digest.body == "test: a\ntest: b\ntest: p")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await Self.row(stand, "a")["state"] == "folded")
      #expect(try await Self.why(stand, "a") == "came as a part of a digest: quiet hours held it")
      #expect(try await Self.quiet(stand)["held"] == .uint32(0))
    }
  }

  @Test func `One by one, with their buttons, if the user wishes it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["on": true, "after": "each"])
      try await stand.notify("a", ["actions": actions(action("ok"))])
      try await stand.notify("b")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      try await Self.set(stand, ["on": false])
      let posted = try await server.posted.next(2)
      #expect(posted.map(\.summary) == ["a", "b"] && posted[0].actions.contains("ok"))
      #expect(try await Self.row(stand, "a")["heldBy"] == "quiet")
    }
  }

  @Test func `Alerts come by themselves after the digest of the others`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["on": true])
      for id in ["a", "b"] { try await stand.notify(id) }
      try await stand.notify("alert", ["style": "alert", "actions": actions(action("ok"))])
      try await Self.set(stand, ["on": false])
      let posted = try await server.posted.next(2)
      #expect(Set(posted.map(\.summary)) == ["During quiet hours", "alert"])
    }
  }

  @Test func `Until a time they wait, and then come by themselves`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      // A second that is not over when the call arrives.
      let end = Int64(time(nil)) + 2
      try await Self.set(stand, ["until": .int64(end)])
      try await stand.notify("a")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await Self.quiet(stand)["end"] == .int64(end))
      #expect(try await Self.why(stand, "a").hasPrefix("has come, and is held until 20"))
      let posted = try await server.posted.next(within: .seconds(15))
      // Alone, it is itself.
      #expect(posted.summary == "a")
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      #expect(now.tv_sec >= end)
      #expect(try await Self.quiet(stand)["quiet"] == false)
    }
  }

  @Test func `Hours hold without being turned on, and turning off skips them`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["add": Self.always])
      try await stand.notify("a")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      try await Self.set(stand, ["on": false])
      #expect(try await server.posted.next().summary == "a")
      let quiet = try await Self.quiet(stand)
      #expect(quiet["quiet"] == false && quiet["skipped"] != nil && quiet["hours"] == Self.always)
      try await stand.notify("b")
      #expect(try await server.posted.next().summary == "b")
      // Turned on again, they count again.
      try await Self.set(stand, ["until": .int64(Int64(time(nil)) + 3600)])
      #expect(try await Self.quiet(stand)["skipped"] == nil)
      try await Self.set(stand, ["remove": Self.always, "on": false])
      #expect(try await Self.quiet(stand)["hours"] == .strings([]))
    }
  }

  @Test func `An app may have its own hours, and its own level that passes`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["on": true], app: "chatter")
      try await stand.notify("a")
      #expect(try await server.posted.next().summary == "a")
      try await stand.notify("b", ["app": "chatter"])
      try await Self.set(stand, ["on": true, "pass": "nothing"])
      try await Self.set(stand, ["pass": "all"], app: "medication")
      try await Self.set(stand, ["pass": "critical"], app: "test")
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
      try await Self.set(stand, ["on": false])
      #expect(try await server.posted.next().summary == "c")
      try await Self.set(stand, ["on": false], app: "chatter")
      #expect(try await server.posted.next().body == "chatter: b\nchatter: e")
      try await Self.set(stand, ["pass": ""], app: "medication")
      #expect(try await Self.quiet(stand, app: "medication")["pass"] == "nothing")
    }
  }

  @Test func `An alarm of the user rings, and one that may be late does not`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["on": true])
      let alarm: [String: Value] = ["app": "dev.suzu.Suzu", "in": "1h", "sound": "bell"]
      try await stand.notify("alarm", alarm)
      try await stand.notify("quiet alarm", alarm.merging(["level": "passive"]) { $1 })
      try await stand.notify("reminder", ["app": "dev.suzu.Suzu", "in": "1h"])
      try await stand.notify("tea", ["in": "1h", "sound": "bell"])
      try await stand.center.passTime(hours: 1)
      #expect(try await server.posted.next(within: .seconds(15)).summary == "alarm")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await Self.quiet(stand)["held"] == .uint32(3))
    }
  }

  @Test func `A question of the user's own program comes at once, and one of a box waits`() async throws {
    try await BoxStand.run { box in
      let server = try await box.stand.server()
      try await Self.set(box.stand, ["on": true])
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
      try await Self.set(stand, ["on": true])
      try await stand.notify("a", ["title": "newer"])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.listing("Delivered").compactMap { $0["title"]?.string } == ["a"])
      try await Self.set(stand, ["on": false])
      let second = try await server.posted.next()
      #expect(second.summary == "newer" && second.replaces == first.number)
      try await stand.notify("b", ["progress": .int64(10)])
      _ = try await server.posted.next()
      try await Self.set(stand, ["on": true])
      try await stand.notify("b", ["progress": .int64(20)])
      #expect(try await server.posted.next().hints["value"] != nil)
    }
  }

  @Test func `Cancelled and replaced ones have one end, and do not come`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["on": true])
      for id in ["a", "b"] { try await stand.notify(id) }
      #expect(try await stand.count("Cancel", ["a"]) == 1)
      try await stand.notify("b", ["title": "newer"])
      try await Self.set(stand, ["on": false])
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
      try await Self.set(stand, ["on": true])
      try await stand.notify("a")
      try await Self.set(stand, ["on": false])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await Self.row(stand, "a")["held"] == "back")
      // And quiet hours hold what comes when the user is back.
      try await Self.set(stand, ["on": true])
      await stand.center.tell(presence, isLocked: false, isIdle: false)
      try await stand.wait(for: "quiet") { try await Self.row(stand, "a")["held"] == "quiet off" }
      #expect(server.posted.waiting.isEmpty)
      try await Self.set(stand, ["on": false])
      #expect(try await server.posted.next().summary == "a")
    }
  }

  // MARK: Showing again

  @Test func `A nag waits for the end, and goes on then`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", ["nag": "5m", "actions": actions(action("ok"))])
      let first = try await server.posted.next()
      try await Self.set(stand, ["on": true])
      try await stand.settle()
      await stand.center.endPauses()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await Self.row(stand, "pill")["held"] == "quiet off")
      #expect(try await Self.why(stand, "pill") == "has come, and is held until you turn quiet hours off")
      // Its banner expires meanwhile, and it is still one notification that waits.
      try await server.tellClosed(first.number, reason: 1)
      try await stand.settle()
      await stand.center.endPauses()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      try await Self.set(stand, ["on": false])
      let second = try await server.posted.next()
      #expect(second.summary == "pill")
      try await server.press(second.number, "ok")
      _ = try await stand.events.next { $0 == "Closed pill withdrawn" }
      let row = try await Self.row(stand, "pill")
      #expect(row["shownCount"] == .int64(2) && row["heldBy"] == "quiet" && row["action"] == "ok")
    }
  }

  @Test func `A nag that is answered where it was shown before does not come again`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", ["nag": "5m", "actions": actions(action("ok"))])
      let first = try await server.posted.next()
      try await Self.set(stand, ["on": true])
      try await stand.settle()
      await stand.center.endPauses()
      try await stand.settle()
      try await server.press(first.number, "ok")
      _ = try await stand.events.next { $0 == "Closed pill withdrawn" }
      #expect(try await stand.property("PendingCount") == .uint32(0))
      try await Self.set(stand, ["on": false])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A showing waits no longer than until its escalation passes`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let steps = Value.array(of: .properties, [.properties(["after": "30m", "level": "critical"])])
      try await stand.notify("pill", ["nag": "5m", "escalate": steps])
      _ = try await server.posted.next()
      try await Self.set(stand, ["on": true])
      try await stand.settle()
      await stand.center.endPauses()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let held = try await Self.row(stand, "pill")["held"]?.string ?? ""
      // Half an hour after the first showing.
      #expect(held.hasPrefix("20"), "\(held)")
    }
  }

  // MARK: The desktop

  @Test func `While Do not disturb is on, it holds if the user wishes it, and nothing is asked otherwise`() async throws
  {
    let (asked, isOver) = (Inbox<Bool>(), Inbox<Bool>())
    var desktop = Desktop.unlocked
    desktop.quiet.isOn = {
      asked.put(true)
      return true
    }
    desktop.quiet.ended = { _ in (try? await isOver.next(within: .seconds(60))) ?? true }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      try await stand.notify("before")
      #expect(try await server.posted.next().summary == "before")
      #expect(asked.waiting.isEmpty)
      try await Self.set(stand, ["desktop": true])
      try await stand.notify("urgent", ["level": "timeSensitive"])
      #expect(try await server.posted.next().summary == "urgent")
      #expect(asked.waiting.isEmpty)
      for id in ["a", "b"] { try await stand.notify(id) }
      _ = try await asked.next()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty && asked.waiting.isEmpty)
      #expect(try await Self.why(stand, "a") == "has come, and is held until 'Do not disturb' of the desktop is off")
      #expect(try await Self.quiet(stand)["ends"] == "desktop")
      isOver.put(true)
      #expect(try await server.posted.next().summary == "During quiet hours")
      // It is asked again for the next one.
      try await stand.notify("c")
      _ = try await asked.next()
      try await Self.set(stand, ["desktop": false])
      #expect(try await server.posted.next().summary == "c")
    }
  }

  @Test(arguments: [false, nil]) func `A desktop that is not quiet, or does not tell, holds nothing`(
    isOn: Bool?
  ) async throws {
    var desktop = Desktop.unlocked
    desktop.quiet.isOn = { isOn }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      try await Self.set(stand, ["desktop": true])
      for id in ["a", "b"] {
        try await stand.notify(id)
        #expect(try await server.posted.next().summary == id)
      }
      #expect(try await Self.row(stand, "a")["state"] == "delivered")
    }
  }

  // MARK: Restarts

  @Test func `Decisions and what is held survive a restart`() async throws {
    let folder = try TemporaryFolder()
    try await CenterStand.run(home: folder) { stand in
      try await Self.set(stand, ["on": true, "add": .strings(["Mon..Fri 22:00..07:00"]), "after": "each"])
      try await Self.set(stand, ["pass": "all"], app: "é")
      for id in ["a", "b"] { try await stand.notify(id) }
    }
    try await CenterStand.run(home: folder) { stand in
      let server = try await stand.server()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let quiet = try await Self.quiet(stand)
      #expect(quiet["on"] == true && quiet["after"] == "each" && quiet["held"] == .uint32(2))
      #expect(quiet["hours"] == .strings(["Mon..Fri 22:00..07:00"]))
      #expect(try await Self.quiet(stand, app: "é")["ownPass"] == "all")
      try await Self.set(stand, ["on": false, "remove": .strings(["Mon..Fri 22:00..07:00"])])
      #expect(try await server.posted.next(2).map(\.summary) == ["a", "b"])
      #expect(try await Self.row(stand, "a")["heldBy"] == "quiet")
    }
  }

  // MARK: Rights and bad input

  @Test func `A box learns whether it is quiet for its own app, and changes nothing`() async throws {
    try await BoxStand.run { box in
      try await Self.set(box.stand, ["on": true, "add": .strings(["22:00..07:00"])])
      let own = try #require(try await box.call("Quiet", [.string(BoxStand.app)]).first?.properties)
      #expect(own == ["quiet": true, "pass": "timeSensitive"])
      // Nor does the list of its requests tell when the user sleeps.
      try await Self.set(box.stand, ["until": .int64(4_000_000_000)])
      try await box.notify("a")
      #expect(try await box.list("History").first?["held"] == "quiet off")
      #expect(try await Self.row(box.stand, "a", app: BoxStand.app)["held"]?.string?.hasPrefix("2096") == true)
      for (method, arguments) in [
        ("Quiet", [""]), ("Quiet", ["org.example.Other"]), ("QuietApps", []),
        ("SetQuiet", [.string(BoxStand.app), .properties(["pass": "all"])]),
        ("SetQuiet", ["", .properties(["on": false])]),
      ] as [(MemberName, [Value])] {
        #expect(await box.refusal(method, arguments).contains("AccessDenied"), "\(method)")
      }
    }
  }

  @Test(
    arguments: [
      (["on": "yes"], "'on' must be true or false"), (["until": "07:00"], "'until' must be in seconds since 1970"),
      (["until": .int64(-1)], "'until' must be in seconds since 1970"), (["until": .int64(5)], "'until' has passed"),
      (["on": false, "until": .int64(4_000_000_000)], "'on' and 'until' cannot be combined"),
      (["add": "22:00..07:00"], "'add' must be a list of texts"),
      (["add": .strings(["22:00-07:00"])], "'add': '22:00-07:00' is not a span of time (column 1)"),
      (["remove": .strings(["x"])], "there are no quiet hours 'x'"),
      (["pass": "loud"], "'pass' must be one of 'all', 'active', 'timeSensitive', 'critical', 'nothing', or empty"),
      (["desktop": "on"], "'desktop' must be true or false"),
      (["after": "never"], "'after' must be 'digest' or 'each'"),
      (["quiet": true], "'quiet' is not one of add, after, desktop, on, pass, remove and until"),
    ] as [([String: Value], String)])
  func `Changes that are not valid are refused, and nothing of them is done`(
    changes: [String: Value], problem: String
  ) async throws {
    try await CenterStand.run { stand in
      let refusal = try await Self.refusal(stand, changes.merging(["pass": "all"]) { old, _ in old })
      #expect(refusal.contains(problem), "\(refusal)")
      #expect(try await Self.quiet(stand)["pass"] == "timeSensitive")
    }
  }

  @Test func `Settings of all apps are not those of one, and there are limits`() async throws {
    try await CenterStand.run { stand in
      #expect(try await Self.refusal(stand, ["desktop": true], app: "a").contains("'desktop' is for all apps together"))
      let hours = (0..<QuietHours.mostHours).map { "\($0 / 6 + 10):\($0 % 6)0..23:59" }
      try await Self.set(stand, ["add": .strings(hours)])
      #expect(try await Self.refusal(stand, ["add": .strings(["01:00..02:00"])]).contains("LimitExceeded"))
      // The same text is no other one.
      try await Self.set(stand, ["add": .strings([hours[0]])])
      for number in 0..<QuietHours.mostApps { try await Self.set(stand, ["on": true], app: "app\(number)") }
      #expect(try await Self.refusal(stand, ["on": true], app: "more").contains("LimitExceeded"))
      try await Self.set(stand, ["on": false], app: "app0")
      try await Self.set(stand, ["on": true], app: "more")
    }
  }
}
