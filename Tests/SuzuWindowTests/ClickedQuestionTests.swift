// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the dialogs that a click on the button of a real popup opens: the real center starts `suzu-window` for them.
@Suite(
  .onOwnThread, .timeLimit(.minutes(5)),
  .enabled(if: WindowStage.isPossible && FileManager.default.isExecutableFile(atPath: WindowStage.popupServer)))
struct ClickedQuestionTests {
  private static func open(_ words: String...) throws -> (WindowStage, RunningProgram) {
    let stage = try WindowStage(opens: false, services: ["org.freedesktop.Notifications": WindowStage.popupServer])
    let command = try RunningProgram(
      Session.programs + "/suzu", ["notify", "Lunch?", "At <noon>", "--style", "alert", "--id", "q", "--wait"] + words,
      environment: stage.session.environment)
    return (stage, command)
  }

  @Test func `A press on a button with a text opens the dialog, and what is typed there is the answer`() throws {
    let (stage, command) = try Self.open(
      "--action", "yes=Yes", "--action", "other=Other…", "--reply", "other=Your time")
    try stage.click("Other…", of: "mate-notification-daemon")
    try stage.awaitWindow("Question from \u{2068}Suzu\u{2069}")
    try stage.see("Lunch?\nAt <noon>")
    // No text of it is on a command line, which every user of the machine can read.
    let lines = try stage.commandLines(of: "suzu-window")
    #expect(lines.count == 1 && lines[0].hasSuffix(" --dialog"), "\(lines)")
    try stage.write("half past 12", into: "Your time")
    try stage.keys("Return")
    #expect(command.waitForExit(within: 20) == 0)
    #expect(command.readLine() == "other")
    #expect(command.readLine() == "half past 12")
  }

  @Test func `A press on a button with several times opens a list of them`() throws {
    let (stage, command) = try Self.open(
      "--action", "yes=Yes", "--action", "later=Later…", "--snooze", "later=5m,1h,2h")
    try stage.click("Later…", of: "mate-notification-daemon")
    try stage.awaitWindow("Question from \u{2068}Suzu\u{2069}")
    try stage.see("Lunch?\nAt <noon>")
    // The text has the keyboard, then come the times.
    try stage.keys("Tab", "Tab", "space")
    #expect(command.waitForExit(within: 20) == 0)
    #expect(command.readLine() == "later" && command.readLine() == "1h")
  }

  @Test func `Escape chooses nothing`() throws {
    let (stage, command) = try Self.open(
      "--action", "yes=Yes", "--action", "later=Later…", "--snooze", "later=5m,1h,2h")
    try stage.click("Later…", of: "mate-notification-daemon")
    try stage.awaitWindow("Question from \u{2068}Suzu\u{2069}")
    try stage.keys("Escape")
    try stage.awaitAbsence(of: "asks through Suzu")
    #expect(try stage.listed().isEmpty)
    #expect(try !stage.session.suzu("history", "q").output.contains("later"))
    command.kill()
  }

  @Test func `A killed dialog is no answer, and the command says why`() throws {
    let (stage, command) = try Self.open(
      "--action", "yes=Yes", "--action", "other=Other…", "--reply", "other=Your time")
    try stage.click("Other…", of: "mate-notification-daemon")
    try stage.awaitWindow("Question from \u{2068}Suzu\u{2069}")
    kill(try #require(try stage.processes(of: "suzu-window").first), SIGKILL)
    #expect(command.waitForExit(within: 20) == 69)
    #expect(command.errors.contains("its text could not be asked for: suzu-window: signal 9"), "\(command.errors)")
  }

  @Test func `The dialog closes when its request is cancelled`() throws {
    let (stage, command) = try Self.open(
      "--action", "yes=Yes", "--action", "other=Other…", "--reply", "other=Your time")
    try stage.click("Other…", of: "mate-notification-daemon")
    try stage.awaitWindow("Question from \u{2068}Suzu\u{2069}")
    #expect(try stage.session.suzu("dismiss", "q").status == 0)
    try stage.awaitAbsence(of: "asks through Suzu")
    // The dialog leaves the screen a little before its process ends.
    try stage.wait(for: "end of the dialog's process") { _ in
      try stage.processes(of: "suzu-window").isEmpty ? () : nil
    }
    command.kill()
  }
}
