// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import suzud

/// Tests the center with the desktop: lists, texts and snoozing.
@Suite(.timeLimit(.minutes(2)))
struct DesktopTests {
  // MARK: Choosing

  /// A desktop that reports the choices of each list, and takes the answers in order.
  private static func asking(_ asked: Inbox<[String]>, _ answers: Inbox<Int?>) -> Desktop {
    var desktop = Desktop.unlocked
    desktop.dialogs.canAsk = { true }
    desktop.dialogs.choose = { _, labels, _ in
      asked.put(labels)
      return (try? await answers.next()).map { .chosen($0) } ?? .cancelled
    }
    return desktop
  }

  @Test func `A click lists all actions if a server draws no buttons, and the chosen one runs`() async throws {
    let asked = Inbox<[String]>()
    let answers = Inbox<Int?>()
    let desktop = Self.asking(asked, answers)
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server(name: "dunst")
      try await stand.setCategories([
        "id": "five", "actions": actions(action("a"), action("b"), action("c"), action("d"), action("e")),
      ])
      try await stand.notify("x", ["category": "five"])
      _ = try await stand.next(1)
      // A list that was closed without an answer can be opened again.
      try await server.press(1, "default")
      #expect(try await asked.next() == ["Open it", "a", "b", "c", "d", "e"])
      answers.put(nil)
      try await stand.settle()
      try await server.press(1, "default")
      _ = try await asked.next()
      // A second click while the list is open opens no second list.
      try await server.press(1, "default")
      try await stand.settle()
      #expect(asked.waiting.isEmpty)
      answers.put(5)
      #expect(try await stand.next(3).sorted() == ["Closed x withdrawn", "Outcome done", "Responded x e"])
      try await server.press(1, "a")
      try await stand.settle()
      #expect(stand.events.waiting.isEmpty)
    }
  }

  @Test func `A notification that closes while its list is open has not ended before the list`() async throws {
    let answers = Inbox<Int?>()
    let asked = Inbox<[String]>()
    let desktop = Self.asking(asked, answers)
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server(name: "dunst")
      for answer in [2, nil] {
        try await stand.notify("x", ["actions": actions(action("a"), action("b"), action("c"))])
        _ = try await stand.next(1)
        let number: UInt32 = answer == nil ? 2 : 1
        try await server.press(number, "default")
        #expect(try await asked.next() == ["Open it", "a", "b", "c"])
        // As dunst and mako do after every press.
        try await server.tellClosed(number, reason: 2)
        try await stand.settle()
        #expect(stand.events.waiting.isEmpty)
        answers.put(answer)
        if answer == nil {
          #expect(try await stand.next(1) == ["Closed x dismissed"])
        } else {
          #expect(try await stand.next(3).sorted() == ["Closed x withdrawn", "Outcome done", "Responded x b"])
        }
      }
    }
  }

  @Test func `An alert opens its list by itself if nothing is clickable, and closing the list dismisses it`()
    async throws
  {
    let answers = Inbox<Int?>()
    let asked = Inbox<[String]>()
    let desktop = Self.asking(asked, answers)
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server(capabilities: ["body"])
      try await stand.notify("banner", ["actions": actions(action("a"))])
      #expect(try await stand.next(1) == ["Delivered banner"])
      try await stand.notify("alert", ["style": "alert", "actions": actions(action("a"))])
      #expect(try await stand.next(1) == ["Delivered alert"])
      _ = try await asked.next()
      // The bubble disappears; the question stays.
      try await server.tellClosed(2, reason: 1)
      answers.put(0)
      #expect(try await stand.next(3).sorted() == ["Closed alert withdrawn", "Outcome done", "Responded alert a"])
      try await stand.notify("alert", ["style": "alert", "actions": actions(action("a"))])
      _ = try await stand.next(1)
      _ = try await asked.next()
      answers.put(nil)
      #expect(try await stand.next(1) == ["Closed alert dismissed"])
    }
  }

  // Budgie follows each button with `default`: the alert behind an open list was shown once more, and could be answered
  // by a click that was none.
  @Test(arguments: [true, false]) func `A list stays open if its click is reported as a second one`(
    opensURL: Bool
  ) async throws {
    let answers = Inbox<Int?>()
    let asked = Inbox<[String]>()
    let desktop = Self.asking(asked, answers)
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server(name: "Budgie Notification Server", version: "10.9.2")
      var more: [String: Value] = [
        "style": "alert", "actions": actions(action("a"), action("b"), action("c"), action("d"), action("e")),
      ]
      if opensURL { more["url"] = "https://example.org/" }
      try await stand.notify("alert", more)
      _ = try await stand.next(1)
      try await server.press(1, "suzu-more")
      try await server.press(1, "default")
      try await server.tellClosed(1, reason: 2)
      let labels = try await asked.next()
      answers.put(labels.firstIndex(of: "e"))
      #expect(try await stand.next(3).sorted() == ["Closed alert withdrawn", "Outcome done", "Responded alert e"])
    }
  }

  // Cinnamon passes its close button where it should pass a reason, which arrives as 0.
  @Test func `A close without a reason means that the user dismissed it, on a server known for that`() async throws {
    for (name, end) in [("cinnamon", "dismissed"), ("scripted", "unknown")] {
      try await CenterStand.run { stand in
        let server = try await stand.server(name: name, version: "6.4.10")
        try await stand.notify("a")
        _ = try await stand.next(1)
        try await server.tellClosed(1, reason: 0)
        #expect(try await stand.next(1) == ["Closed a \(end)"])
      }
    }
  }

  // Once, the list stayed open: an alert was asked about twice, and a choice in a list of a server that had ended was
  // dropped silently.
  @Test func `A server's end closes lists of requests shown again, and other choices count`() async throws {
    let answers = Inbox<Int?>()
    let asked = Inbox<String>()
    let closed = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.dialogs.canAsk = { true }
    desktop.dialogs.choose = { heading, _, _ in
      let title = heading.text
      asked.put(title)
      return await withTaskCancellationHandler {
        (try? await answers.next() ?? nil).map { .chosen($0) } ?? .cancelled
      } onCancel: {
        closed.put(title)
        answers.put(nil)
      }
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let first = try await stand.server(name: "dunst")
      try await stand.notify("alert", ["style": "alert", "actions": actions(action("a"), action("b"))])
      _ = try await stand.next(1)
      try await first.press(1, "default")
      _ = try await asked.next()
      await first.die()
      #expect(try await closed.next() == "alert")
      let second = try await stand.server(name: "dunst")
      #expect(try await stand.next(1) == ["Delivered alert"])
      try await second.press(1, "default")
      #expect(try await asked.next() == "alert")
      answers.put(0)
      #expect(try await stand.next(3).sorted() == ["Closed alert withdrawn", "Outcome done", "Responded alert a"])
      try await stand.notify("banner", ["actions": actions(action("a"), action("b"))])
      _ = try await stand.next(1)
      try await second.press(2, "default")
      _ = try await asked.next()
      await second.die()
      try await stand.settle()
      // A program that waits for the answer would stop at the end.
      #expect(stand.events.waiting == [])
      answers.put(2)
      #expect(try await stand.next(1) == ["Responded banner b"])
      #expect(try await stand.next(2).sorted() == ["Closed banner vanished", "Outcome done"])
      #expect(closed.waiting.isEmpty)
    }
  }

  // GNOME Shell draws a replaced banner before it has its new buttons.
  @Test func `The old notification is closed first on a server where a replacement loses its buttons`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "gnome-shell")
      try await stand.notify("x", ["actions": actions(action("a"))])
      let first = try await server.posted.next()
      _ = try await stand.next(1)
      try await stand.notify("x", ["actions": actions(action("b"))])
      #expect(try await server.closed.next() == first.number)
      try await server.tellClosed(first.number, reason: 3)
      let second = try await server.posted.next()
      #expect(second.replaces == 0 && second.keys == ["default", "b"])
      #expect(try await stand.next(2) == ["Closed x replaced", "Delivered x"])
      try await server.press(second.number, "b")
      #expect(try await stand.next(3).sorted() == ["Closed x withdrawn", "Outcome done", "Responded x b"])
      // Without buttons, nothing can be lost.
      try await stand.notify("y")
      let plain = try await server.posted.next()
      try await stand.notify("y")
      #expect(try await server.posted.next().replaces == plain.number)
    }
  }

  // MARK: Text

  @Test func `An action that asks for a text runs with it, even if it is empty, and not without one`() async throws {
    let replies = Inbox<Desktop.Dialogs.Reply>()
    let prompts = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.dialogs.prompt = { heading, input, _ in
      prompts.put("\(heading.text) \(input.placeholder ?? "") \(input.button ?? "")")
      // The dialog did not say what it asks about.
      prompts.put(heading.question(input, isReadByOthers: false))
      prompts.put(heading.question(input, isReadByOthers: true))
      return (try? await replies.next()) ?? .cancelled
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      let folder = try TemporaryFolder()
      let script = "printf '<%s>' \"$SUZU_REPLY\" >>'\(folder.path("replies"))'"
      let reply = action(
        "reply", run: ["sh", "-c", script], ["input": .properties(["placeholder": "P", "button": "Send"])])
      for (number, (text, outcome)) in [
        (Desktop.Dialogs.Reply.text("a; $(b)\n"), "Outcome done"), (.text(""), "Outcome done"),
        (.cancelled, "Outcome lapsed: cancelled"), (.unavailable("install zenity"), "Outcome failed: install zenity"),
      ].enumerated() {
        try await stand.notify(
          "\(number)", ["actions": actions(reply), "body": "<b>Body</b>", "markup": .boolean(number == 1)])
        _ = try await stand.next(1)
        replies.put(text)
        try await server.press(UInt32(number + 1), "reply")
        #expect(try await prompts.next() == "reply: \(number) P Send")
        #expect(try await prompts.next() == "\(number)\n\(number == 1 ? "Body" : "<b>Body</b>")\n\nP")
        #expect(try await prompts.next() == "Your answer to test:")
        #expect(
          try await stand.next(3).sorted() == ["Closed \(number) withdrawn", outcome, "Responded \(number) reply"])
      }
      #expect(folder.read("replies") == "<a; $(b)\n><>")
    }
  }

  @Test func `A text written in the server's own reply line is the answer, once`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions", "inline-reply"])
      let folder = try TemporaryFolder()
      let reply = action(
        "r", run: ["sh", "-c", "printf '<%s>' \"$SUZU_REPLY\" >>'\(folder.path("replies"))'"],
        ["input": .properties([:])])
      try await stand.notify("a", ["actions": actions(reply)])
      _ = try await stand.next(1)
      #expect(try await server.posted.next().keys == ["default", "inline-reply"])
      for text in ["hello", "again"] { try await server.emit(ScriptedServer.replied(1, text)) }
      #expect(try await stand.next(3).sorted() == ["Closed a withdrawn", "Outcome done", "Responded a r"])
      // To a notification without such an action, and to a missing notification.
      try await stand.notify("b")
      _ = try await stand.next(1)
      for number in [2, 77] as [UInt32] { try await server.emit(ScriptedServer.replied(number, "x")) }
      try await stand.settle()
      #expect(folder.read("replies") == "<hello>" && stand.events.waiting.isEmpty)
    }
  }

  // MARK: Later

  // Once, both came: the newer request, and the snoozed one that had replaced it.
  @Test func `A snoozed request replaces a newer one with its id that waits for the server`() async throws {
    try await CenterStand.run { stand in
      let isBusy = Atomic<Bool>(false)
      let server = try await stand.server(name: "Plasma", version: "5.27.5") { _ in
        isBusy.load(ordering: .relaxed)
          ? .refuse("org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "too many") : .number
      }
      try await stand.notify("a", ["actions": actions(action("later", ["snooze": "1h"]))])
      #expect(try await stand.next(1) == ["Delivered a"])
      isBusy.store(true, ordering: .relaxed)
      try await stand.notify("a", ["title": "newer"])
      _ = try await server.posted.next { $0.summary == "newer" }
      try await server.press(1, "later")
      #expect(
        try await stand.next(4).sorted()
          == ["Closed a replaced", "Closed a withdrawn", "Outcome done", "Responded a later"])
      isBusy.store(false, ordering: .relaxed)
      try await stand.notify("b")
      #expect(try await stand.next(1) == ["Delivered b"])
      #expect(try await stand.listing("Pending").map { $0["id"] } == ["a"])
    }
  }

  @Test func `A snoozed request comes again, and a repeating one goes on beside it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let later = action("later", ["snooze": "300ms"])
      try await stand.notify("a", ["actions": actions(later), "in": "10ms"])
      #expect(try await stand.next(1) == ["Delivered a"])
      try await server.press(1, "later")
      #expect(try await stand.next(3).sorted() == ["Closed a withdrawn", "Outcome done", "Responded a later"])
      #expect(try await stand.next(1) == ["Delivered a"])
      let far = action("later", ["snooze": "1h"])
      try await stand.notify("r", ["actions": actions(far), "every": "1s", "count": .int64(2)])
      #expect(try await stand.next(1) == ["Delivered r"])
      try await server.press(3, "later")
      #expect(try await stand.next(3).sorted() == ["Closed r withdrawn", "Outcome done", "Responded r later"])
      #expect(try await stand.next(1) == ["Delivered r"])
      guard case .array(_, let pending)? = try await stand.call("Pending", ["test", .properties([:])]).first
      else {
        throw TestFailure("no list")
      }
      #expect(pending.map { $0.properties?["id"] } == ["r.snoozed"])
      // Once, the copy outlived its request.
      #expect(try await stand.count("Cancel", ["r"]) == 1)
      #expect(try await stand.call("Pending", ["test", .properties([:])]).first?.elements?.isEmpty == true)
    }
  }
}
