// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu
import TestSupport
import Testing

/// Runs `Examples/invitation`.
@Suite(.onOwnThread, .timeLimit(.minutes(2))) struct InvitationTests {
  private static let answers = [
    ("Accept", "You accept."), ("Maybe", "You may come."), ("Decline", "You decline."), ("Trash", "You do not answer."),
  ]

  /// Answers one invitation after the other.
  ///
  /// - Parameters:
  ///   - endsItself: whether the program ends after the first answer.
  ///   - buttons: what Plasma draws.
  private func answer(_ program: String, endsItself: Bool, _ buttons: [String]) async throws {
    try await ExampleStage.run("invitation", starting: program) { stage in
      for (index, (label, line)) in Self.answers.enumerated() {
        let running = try stage.start(program, "Dinner \(index)?")
        let popup = try await stage.server.popup(titled: "Dinner \(index)?")
        #expect(popup.buttons == buttons)
        try await stage.choose(label, on: popup)
        #expect(running.readLine() == line, "\(running.errors)")
        #expect(try await stage.outcome() == .done)
        if !endsItself { running.signal(SIGTERM) }
        #expect(running.waitForExit() != nil)
        #expect(running.errors == "")
      }
      let running = try stage.start(program)
      try await stage.server.reply("See you at 1", to: stage.server.popup(titled: "Lunch at noon?"))
      #expect(running.readLine() == "You answer: See you at 1", "\(running.errors)")
      #expect(try await stage.outcome() == .done)
    }
  }

  @Test func `Each answer is printed, and the program ends`() async throws {
    // The last one opens a list of all five.
    try await answer("invitation", endsItself: true, ["Accept", "Maybe", "Decline", "Reply…", "More…"])
  }

  @Test(arguments: [
    ("apple-invitation", ["Accept", "Maybe", "Decline", "⚠ Trash", "Reply…"]),
    // Those of the minimal context are first.
    ("uikit-invitation", ["Accept", "Decline", "Maybe", "Reply…", "⚠ Trash"]),
  ])
  func `Each answer is printed, with Apple's names`(_ program: String, _ buttons: [String]) async throws {
    try await answer(program, endsItself: false, buttons)
  }

  @Test func `The category stays after the program has ended, with two buttons for a banner`() async throws {
    try await ExampleStage.run("invitation", starting: "invitation") { stage in
      let running = try stage.start("invitation")
      try await stage.server.click(stage.server.popup(titled: "Lunch at noon?"))
      #expect(running.readLine() == "You look at it." && running.waitForExit() == 0, "\(running.errors)")
      try await stage.center.app("org.example.Invitation").notify("Dinner?") { $0.category = "invitation" }
      let buttons = try await stage.server.popup(titled: "Dinner?").buttons
      #expect(buttons == ["Accept", "Decline"])
    }
  }
}
