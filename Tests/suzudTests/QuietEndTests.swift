// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests what quiet hours do with later showings of a notification, with the desktop's own silence, and at a restart.
@Suite(.timeLimit(.minutes(2))) struct QuietEndTests {
  // MARK: Showing again

  @Test func `A nag waits for the end, and goes on then`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", ["nag": "5m", "actions": actions(action("ok"))])
      let first = try await server.posted.next()
      try await QuietCalls.set(stand, ["on": true])
      try await stand.endPauses()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await QuietCalls.row(stand, "pill")["held"] == "quiet off")
      #expect(try await stand.why("pill") == "has come, and is held until you turn quiet hours off")
      // Its banner expires meanwhile, and it is still one notification that waits.
      try await server.tellClosed(first.number, reason: 1)
      try await stand.endPauses()
      #expect(server.posted.waiting.isEmpty)
      try await QuietCalls.set(stand, ["on": false])
      let second = try await server.posted.next()
      #expect(second.summary == "pill")
      try await server.press(second.number, "ok")
      _ = try await stand.events.next { $0 == "Closed pill withdrawn" }
      let row = try await QuietCalls.row(stand, "pill")
      #expect(row["shownCount"] == .int64(2) && row["heldBy"] == "quiet" && row["action"] == "ok")
    }
  }

  @Test func `A nag that is answered where it was shown before does not come again`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("pill", ["nag": "5m", "actions": actions(action("ok"))])
      let first = try await server.posted.next()
      try await QuietCalls.set(stand, ["on": true])
      try await stand.endPauses()
      try await server.press(first.number, "ok")
      _ = try await stand.events.next { $0 == "Closed pill withdrawn" }
      #expect(try await stand.property("PendingCount") == .uint32(0))
      try await QuietCalls.set(stand, ["on": false])
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
      try await QuietCalls.set(stand, ["on": true])
      try await stand.endPauses()
      #expect(server.posted.waiting.isEmpty)
      let held = try await QuietCalls.row(stand, "pill")["held"]?.string ?? ""
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
      try await QuietCalls.set(stand, ["desktop": true])
      try await stand.notify("urgent", ["level": "timeSensitive"])
      #expect(try await server.posted.next().summary == "urgent")
      #expect(asked.waiting.isEmpty)
      for id in ["a", "b"] { try await stand.notify(id) }
      _ = try await asked.next()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty && asked.waiting.isEmpty)
      #expect(
        try await stand.why("a") == "has come, and is held until 'Do not disturb' of the desktop is off")
      #expect(try await QuietCalls.quiet(stand)["ends"] == "desktop")
      isOver.put(true)
      #expect(try await server.posted.next().summary == "During quiet hours")
      // It is asked again for the next one.
      try await stand.notify("c")
      _ = try await asked.next()
      try await QuietCalls.set(stand, ["desktop": false])
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
      try await QuietCalls.set(stand, ["desktop": true])
      for id in ["a", "b"] {
        try await stand.notify(id)
        #expect(try await server.posted.next().summary == id)
      }
      #expect(try await QuietCalls.row(stand, "a")["state"] == "delivered")
    }
  }

  // MARK: Restarts

  @Test func `Decisions and what is held survive a restart`() async throws {
    let folder = try TemporaryFolder()
    try await CenterStand.run(home: folder) { stand in
      try await QuietCalls.set(stand, ["on": true, "add": .strings(["Mon..Fri 22:00..07:00"]), "after": "each"])
      try await QuietCalls.set(stand, ["pass": "all"], app: "é")
      for id in ["a", "b"] { try await stand.notify(id) }
    }
    try await CenterStand.run(home: folder) { stand in
      let server = try await stand.server()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let quiet = try await QuietCalls.quiet(stand)
      #expect(quiet["on"] == true && quiet["after"] == "each" && quiet["held"] == .uint32(2))
      #expect(quiet["hours"] == .strings(["Mon..Fri 22:00..07:00"]))
      #expect(try await QuietCalls.quiet(stand, app: "é")["ownPass"] == "all")
      try await QuietCalls.set(stand, ["on": false, "remove": .strings(["Mon..Fri 22:00..07:00"])])
      #expect(try await server.posted.next(2).map(\.summary) == ["a", "b"])
      #expect(try await QuietCalls.row(stand, "a")["heldBy"] == "quiet")
    }
  }
}
