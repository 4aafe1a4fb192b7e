// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests lists of actions that cannot be shown, and those whose notification ends while they are open.
@Suite(.timeLimit(.minutes(2)))
struct ListTests {
  private static let why = "zenity: exit 1; the center has no display: see 'suzu doctor'"

  /// A desktop whose dialog program cannot open its display.
  private static var blind: Desktop {
    var desktop = Desktop.unlocked
    desktop.dialogs.canAsk = { true }
    desktop.dialogs.choose = { _, _, _ in .unavailable(why) }
    return desktop
  }

  /// Starts a script that asks the question `q`; returns once it is on the screen.
  private func ask(_ stand: CenterStand, _ flags: String...) async throws -> RunningProgram {
    let script = try RunningProgram(
      Session.programs + "/suzu",
      ["notify", "Q2", "--id", "q", "--print-id", "--wait", "--action", "b=B", "--action", "c=C"] + flags,
      environment: stand.bus.environment)
    guard try await script.line() == "q" else { throw TestFailure("not taken: \(script.errors)") }
    _ = try await stand.events.next { $0 == "Delivered q" }
    return script
  }

  // The click once counted as a dismissal: the question was gone, and nothing said why.
  @Test(arguments: [true, false])
  func `An alert whose list cannot be shown comes back, and the script says why`(closesFirst: Bool) async throws {
    try await CenterStand.run(desktop: Self.blind) { stand in
      let server = try await stand.server(name: "dunst")
      let script = try await ask(stand, "--style", "alert")
      #expect(try await server.posted.next().number == 1)
      try await server.press(1, "default")
      if !closesFirst { #expect(try await stand.next(2) == ["Responded q list", "Outcome failed: \(Self.why)"]) }
      // As dunst does after every click.
      try await server.tellClosed(1, reason: 2)
      #expect(try await server.posted.next().summary == "Q2")
      #expect(try await script.exit() == 69)
      #expect(try await script.line() == nil)
      #expect(script.errors == "suzu: notify: its buttons could not be shown in a list: \(Self.why)\n")
      try await stand.settle()
      #expect(try await stand.listing("Delivered", app: "dev.suzu.Suzu").map { $0["id"]?.string } == ["q"])
      #expect(try await stand.property("Health")?.properties?["dialogFailure"]?.string == Self.why)
    }
  }

  @Test func `A question with buttons that can be pressed waits on if its list cannot be shown`() async throws {
    try await CenterStand.run(desktop: Self.blind) { stand in
      let server = try await stand.server(name: "gnome-shell")
      let script = try await ask(
        stand, "--style", "alert", "--action", "d=D", "--action", "e=E", "--action", "f=F")
      let posted = try await server.posted.next()
      let more = try #require(posted.keys.last)
      try await server.press(1, more)
      try await server.tellClosed(1, reason: 2)
      let again = try await server.posted.next()
      #expect(script.isRunning)
      try await server.press(again.number, "b")
      #expect(try await script.exit() == 0)
      #expect(try await script.line() == "b")
    }
  }

  @Test func `A click that has an effect keeps it if the list cannot be shown`() async throws {
    try await CenterStand.run(desktop: Self.blind) { stand in
      let server = try await stand.server(name: "dunst")
      let script = try await ask(stand, "--style", "alert", "--url", "https://example.org/")
      try await server.press(1, "default")
      #expect(try await script.exit() == 0)
      #expect(try await script.line() == "default")
    }
  }

  /// How a notification ends while its list is open.
  enum End: CaseIterable { case dismissed, replaced }

  // The list stayed open, blocked the next dialog of its app, and the script waited until it was closed.
  @Test(arguments: End.allCases)
  func `A list is closed when its notification ends`(end: End) async throws {
    let opened = Inbox<[String]>()
    let closed = Inbox<Bool>()
    let answers = Inbox<Int?>()
    var desktop = Self.blind
    desktop.dialogs.choose = { _, labels, _ in
      opened.put(labels)
      return await withTaskCancellationHandler {
        (try? await answers.next() ?? nil).map { .chosen($0) } ?? .cancelled
      } onCancel: {
        closed.put(true)
        answers.put(nil)
      }
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server(name: "dunst")
      let script = try await ask(stand, "--style", "alert")
      try await server.press(1, "default")
      _ = try await opened.next()
      switch end {
      case .dismissed:
        let dismissed = try await offPool {
          try RunningProgram.run(Session.programs + "/suzu", ["dismiss", "q"], environment: stand.bus.environment)
        }
        #expect(dismissed.status == 0, "\(dismissed)")
        #expect(try await stand.next(1) == ["Closed q withdrawn"])
      case .replaced:
        try await stand.call("Notify", [.properties(["id": "q", "title": "newer"])])
        #expect(try await stand.next(2) == ["Closed q replaced", "Delivered q"])
      }
      #expect(try await closed.next())
      #expect(try await script.exit() == 1)
      // The next dialog of the app opens.
      try await stand.call(
        "Notify",
        [.properties(["id": "next", "title": "T", "style": "alert", "actions": actions(action("x"), action("y"))])])
      _ = try await stand.events.next { $0 == "Delivered next" }
      _ = try await stand.settle()
      try await server.press(2, "default")
      #expect(try await opened.next() == ["x", "y"])
      answers.put(0)
      _ = try await stand.events.next { $0 == "Responded next x" }
    }
  }
}
