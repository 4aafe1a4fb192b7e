// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests a button that lets the user choose until when a notification is postponed.
@Suite(.timeLimit(.minutes(2)))
struct SnoozeChoiceTests {
  private static let times: [String] = ["5m", "1h", "tomorrow 08:00", "unlocked"]
  private static let request: [String: Value] = [
    "actions": actions(
      action("done"), .properties(["id": "later", "title": "Later", "snooze": .strings(times)]))
  ]

  /// A desktop whose lists are answered by the test.
  private struct Lists {
    let shown = Inbox<[String]>()
    /// The index of the entry; nothing is chosen by a negative one.
    let chosen = Inbox<Int>()

    var desktop: Desktop {
      var desktop = Desktop.unlocked
      desktop.dialogs.canAsk = { true }
      desktop.dialogs.choose = { [shown, chosen] _, labels, _ in
        shown.put(labels)
        guard let index = try? await chosen.next(within: .seconds(20), "choice") else { return .unavailable("no test") }
        return index < 0 ? .cancelled : .chosen(index)
      }
      return desktop
    }
  }

  @Test(arguments: [(1, "1h"), (2, "tomorrow 08:00")])
  func `The button opens a list, and the choice is in the history`(index: Int, time: String) async throws {
    let lists = Lists()
    try await CenterStand.run(desktop: lists.desktop) { stand in
      let server = try await stand.server()
      try await stand.notify("call", Self.request)
      let posted = try await server.posted.next()
      let words = posted.actions.filter { $0.contains("ater") }
      #expect(words == ["later", "Later"])
      try await server.press(posted.number, "later")
      #expect(try await lists.shown.next() == ["in 5m", "in 1h", "tomorrow 08:00", "when unlocked"])
      lists.chosen.put(index)
      #expect(
        try await stand.next(4)
          == ["Delivered call", "Responded call later", "Closed call withdrawn", "Outcome done"])
      let row = try #require(try await stand.history("call").last)
      #expect(row["action"] == "later" && row["reply"]?.string == time && row["outcome"] == "done")
      let pending = try #require(try await stand.listing("Pending").first)
      #expect(pending["id"] == "call" && pending["next"] != nil)
    }
  }

  @Test func `'unlocked' waits for that condition`() async throws {
    let lists = Lists()
    try await CenterStand.run(desktop: lists.desktop) { stand in
      let server = try await stand.server()
      try await stand.notify("call", Self.request)
      try await server.press(try await server.posted.next().number, "later")
      _ = try await lists.shown.next()
      lists.chosen.put(3)
      _ = try await stand.events.next { $0.hasPrefix("Outcome") }
      let rows = try await stand.listing("Pending")
      let outcome = try await stand.history("call").last?["outcome"]?.string
      // This stand has no sources of conditions, which the outcome must say.
      #expect(
        rows.isEmpty
          && outcome == "failed: 'on': this center cannot observe 'unlocked'; see 'suzu doctor' for what it observes")
    }
  }

  @Test func `A closed list leaves the notification as it is`() async throws {
    let lists = Lists()
    try await CenterStand.run(desktop: lists.desktop) { stand in
      let server = try await stand.server()
      try await stand.notify("call", Self.request)
      let number = try await server.posted.next().number
      #expect(try await stand.next(1) == ["Delivered call"])
      for _ in 0..<2 {
        try await server.press(number, "later")
        _ = try await lists.shown.next()
        lists.chosen.put(-1)
        try await stand.settle()
      }
      try await server.press(number, "done")
      #expect(try await stand.next(1) == ["Responded call done"])
    }
  }

  @Test func `A server that draws no buttons gets each time for its menu, and the list has each`() async throws {
    let lists = Lists()
    try await CenterStand.run(desktop: lists.desktop) { stand in
      let server = try await stand.server(name: "dunst", version: "1.9.0")
      try await stand.notify("call", Self.request)
      let posted = try await server.posted.next()
      let keys = posted.keys.filter { $0.hasPrefix("later") }
      #expect(keys == ["later/5m", "later/1h", "later/tomorrow 08:00", "later/unlocked"])
      #expect(posted.actions.contains("Later: in 1h"))
      try await server.press(posted.number, "default")
      let labels = try await lists.shown.next()
      #expect(
        labels == ["Open it", "done", "Later: in 5m", "Later: in 1h", "Later: tomorrow 08:00", "Later: when unlocked"])
      lists.chosen.put(3)
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(try await stand.history("call").last?["reply"] == "1h")
      try await stand.notify("other", Self.request)
      let other = try await server.posted.next()
      try await server.press(other.number, "later/5m")
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(try await stand.history("other").last?["reply"] == "5m")
    }
  }

  @Test func `Without a program for lists each time is a button, or the first one is meant`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("call", Self.request)
      let posted = try await server.posted.next()
      let keys = posted.keys.filter { $0.hasPrefix("later") }
      #expect(keys.count == 4)
      await server.die()
      _ = try await stand.events.next { $0 == "Closed call vanished" }
      // GNOME draws three buttons.
      let gnome = try await stand.server(name: "gnome-shell", version: "48.0")
      try await stand.notify("call", Self.request)
      let drawn = try await gnome.posted.next()
      let drawnKeys = drawn.keys.filter { $0.hasPrefix("later") }
      #expect(drawnKeys == ["later"])
      try await gnome.press(drawn.number, "later")
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(try await stand.history("call").first?["reply"] == "5m")
    }
  }

  @Test func `A script chooses with the reply, and another time is refused`() async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server()
      try await stand.notify("call", Self.request)
      _ = try await stand.next(1)
      func respond(_ time: String) async throws {
        try await stand.call("Respond", ["test", "call", "later", .properties(["reply": .string(time)])])
      }
      do {
        try await respond("2h")
        Issue.record("it was taken")
      } catch CallError.refused(let error) {
        #expect(error.message == "'later' has no time '2h'; it has '5m', '1h', 'tomorrow 08:00', 'unlocked'")
      }
      try await respond("60m")
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(try await stand.history("call").first?["reply"] == "60m")
    }
  }

  @Test func `A time that cannot be read is refused with the request and the category`() async throws {
    try await CenterStand.run { stand in
      let bad: Value = .properties(["id": "later", "snooze": .strings(["5m", "wednesday nonsense"])])
      let error = try await stand.refusal(of: .properties(["title": "a", "actions": actions(bad)]))
      #expect(error.message.hasPrefix("'actions[0].snooze[1]': "), "\(error.message)")
      do {
        try await stand.setCategories(["id": "c", "actions": actions(bad)])
        Issue.record("it was taken")
      } catch CallError.refused(let error) {
        #expect(error.message.contains("'actions[0].snooze[1]': "), "\(error.message)")
      }
    }
  }
}
