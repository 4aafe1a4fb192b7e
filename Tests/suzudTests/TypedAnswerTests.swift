// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests questions whose answer is typed in a dialog while the command waits for it.
///
/// The command once stopped half a second after the click had closed the notification, and the text that came later was
/// `unhandled`.
@Suite(.timeLimit(.minutes(2)))
struct TypedAnswerTests {
  /// How the server reports the click.
  enum Way: CaseIterable { case button, closeFollows, closePrecedes, list, listClosed }

  private let opened = Inbox<DialogHeading>()
  private let closed = Inbox<DialogHeading>()
  private let replies = Inbox<Desktop.Dialogs.Reply>()

  private var desktop: Desktop {
    var desktop = Desktop.unlocked
    desktop.dialogs.canAsk = { true }
    desktop.dialogs.choose = { _, labels, _ in
      labels.firstIndex(of: "Other…").map { .chosen($0) } ?? .cancelled
    }
    desktop.dialogs.prompt = { [opened, closed, replies] heading, _, _ in
      opened.put(heading)
      return await withTaskCancellationHandler {
        (try? await replies.next()) ?? .cancelled
      } onCancel: {
        closed.put(heading)
        replies.put(.cancelled)
      }
    }
    return desktop
  }

  /// Starts a script that asks the question `q`; returns once it is on the screen.
  private func ask(_ stand: CenterStand, _ flags: String...) async throws -> RunningProgram {
    let script = try RunningProgram(
      Session.programs + "/suzu",
      [
        "notify", "Lunch?", "--id", "q", "--style", "alert", "--print-id", "--wait", "--action", "yes=Yes", "--action",
        "other=Other…", "--reply", "other=Your answer",
      ] + flags, environment: stand.bus.environment)
    guard try await script.line() == "q" else { throw TestFailure("not taken: \(script.errors)") }
    _ = try await stand.events.next { $0 == "Delivered q" }
    return script
  }

  private func click(_ way: Way, _ server: ScriptedServer) async throws {
    switch way {
    case .button: try await server.press(1, "other")
    case .closeFollows:
      try await server.press(1, "other")
      try await server.tellClosed(1, reason: 2)
    case .closePrecedes:
      try await server.tellClosed(1, reason: 2)
      try await server.press(1, "other")
    case .list: try await server.press(1, "default")
    case .listClosed:
      try await server.press(1, "default")
      try await server.tellClosed(1, reason: 2)
    }
  }

  @Test(arguments: Way.allCases)
  func `A script that waits gets the text, however long the user types`(way: Way) async throws {
    try await CenterStand.run(desktop: desktop) { stand in
      let drawsNone = way == .list || way == .listClosed
      let server = try await stand.server(name: drawsNone ? "dunst" : "scripted")
      let script = try await ask(stand)
      try await click(way, server)
      #expect(try await opened.next().text == "Other…: Lunch?")
      try await stand.settle()
      // The end would stop the script.
      #expect(stand.events.waiting == [])
      // It was listed as withdrawn, as if a program had removed it.
      let typing = try await stand.history("q").first
      #expect(typing?["action"]?.string == "other" && typing?["outcome"]?.string == "waiting: text")
      #expect(typing?["reply"] == nil)
      replies.put(.text("Half past twelve?"))
      #expect(try await script.exit() == 0)
      #expect(try await script.line() == "other")
      #expect(try await script.line() == "Half past twelve?")
      #expect(script.errors == "")
      let told = try await stand.next(3)
      #expect(told.first == "Responded q other Half past twelve?" || told.first == "Responded q other")
      let end = way == .closePrecedes ? "Closed q dismissed" : "Closed q withdrawn"
      #expect(Set(told.dropFirst()) == [end, "Outcome done"])
      let row = try await stand.history("q").first
      #expect(row?["outcome"]?.string == "done" && row?["reply"]?.string == "Half past twelve?")
      try await stand.settle()
      #expect(stand.events.waiting == [])
    }
  }

  @Test(
    arguments: [
      (
        Desktop.Dialogs.Reply.cancelled, Int32(1), "'other' was chosen, but its text dialog was cancelled",
        "lapsed: cancelled"
      ),
      (
        .unavailable("install zenity"), 69,
        "'other' was chosen, but its text could not be asked for: install zenity", "failed: install zenity"
      ),
    ])
  func `Without its text, the answer is none, and the script says why`(
    reply: Desktop.Dialogs.Reply, status: Int32, why: String, outcome: String
  ) async throws {
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      let script = try await ask(stand)
      try await server.press(1, "other")
      _ = try await opened.next()
      replies.put(reply)
      #expect(try await script.exit() == status)
      #expect(try await script.line() == nil)
      #expect(script.errors == "suzu: notify: \(why)\n")
      #expect(try await stand.next(3).sorted() == ["Closed q withdrawn", "Outcome \(outcome)", "Responded q other"])
      #expect(try await stand.history("q").first?["outcome"]?.string == outcome)
    }
  }

  @Test func `The action of a category asks for its text, too`() async throws {
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      try await stand.setCategories(
        ["id": "invite", "actions": actions(action("other", ["input": .properties([:])]))], app: "dev.suzu.Suzu")
      let script = try RunningProgram(
        Session.programs + "/suzu", ["notify", "Lunch?", "--id", "q", "--wait", "--category", "invite"],
        environment: stand.bus.environment)
      _ = try await stand.events.next { $0 == "Delivered q" }
      try await server.press(1, "other")
      _ = try await opened.next()
      replies.put(.cancelled)
      #expect(try await script.exit() == 1)
      #expect(script.errors.contains("its text dialog was cancelled"), "\(script.errors)")
    }
  }

  // The dialog stayed open, and blocked the next one of its app.
  @Test func `A newer request ends the wait for the older one, and closes its dialog`() async throws {
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      let script = try await ask(stand)
      try await server.press(1, "other")
      _ = try await opened.next()
      try await stand.call("Notify", [.properties(["id": "q", "title": "newer"])])
      // The other way round, the end would be taken for that of the newer one.
      #expect(
        try await stand.next(4) == [
          "Responded q other", "Outcome lapsed: replaced", "Closed q withdrawn", "Delivered q",
        ])
      #expect(try await script.exit() == 1)
      #expect(
        script.errors
          == "suzu: notify: 'other' was chosen, but a newer request with its id replaced it before there was a text\n")
      #expect(try await closed.next().text == "Other…: Lunch?")
    }
  }

  @Test func `A dismissal closes the dialog, and ends the wait`() async throws {
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      let script = try await ask(stand)
      try await server.press(1, "other")
      _ = try await opened.next()
      let dismissed = try await offPool {
        try RunningProgram.run(Session.programs + "/suzu", ["dismiss", "q"], environment: stand.bus.environment)
      }
      #expect(dismissed.status == 0, "\(dismissed)")
      #expect(try await script.exit() == 1)
      #expect(
        script.errors
          == "suzu: notify: 'other' was chosen, but the notification was dismissed before there was a text\n")
      #expect(try await closed.next().text == "Other…: Lunch?")
      #expect(try await stand.history("q").first?["outcome"]?.string == "lapsed: dismissed")
    }
  }
}
