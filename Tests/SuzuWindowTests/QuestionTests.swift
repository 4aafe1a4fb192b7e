// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the dialog of a question as a screen reader and a keyboard use it; ``ClickedQuestionTests`` has the center
/// open it.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct QuestionTests {
  private static let list = #"{"app": "Tea", "text": "Lunch?\nAt noon", "choices": ["_Yes", "<b>No</b>", "Later"]}"#
  private static let line = #"{"app": "Tea", "text": "Lunch?", "line": "Your time", "button": "Tell"}"#
  private static let title = "Question from \u{2068}Tea\u{2069}"

  private static func ask(_ json: String, on stage: WindowStage) throws -> RunningProgram {
    let dialog = try stage.start("--dialog")
    dialog.write(json)
    dialog.closeInput()
    try stage.awaitWindow(title, of: dialog)
    // It has the keyboard, and has taken notice of that once it answers.
    try stage.see("asks through Suzu")
    return dialog
  }

  @Test func `Keys choose an answer, and the first ones press none`() throws {
    let stage = try WindowStage(opens: false)
    let dialog = try Self.ask(Self.list, on: stage)
    try stage.see("asks through Suzu")
    try stage.see("Lunch?\nAt noon")
    // What was typed for another window.
    try stage.keys("space", "Return", "a")
    try stage.keys("Tab", "Tab", "space")
    #expect(dialog.waitForExit(within: 20) == 0)
    #expect(dialog.readLine() == "1" && dialog.readLine() == nil)
  }

  @Test func `A screen reader presses an answer, whose text has no markup and no mnemonic`() throws {
    let stage = try WindowStage(opens: false)
    for (index, label) in ["_Yes", "<b>No</b>", "Later"].enumerated() {
      let dialog = try Self.ask(Self.list, on: stage)
      try stage.press(label)
      #expect(dialog.waitForExit(within: 20) == 0)
      #expect(dialog.readLine() == String(index))
    }
  }

  @Test func `A text is typed and sent with Enter, or with the button`() throws {
    let stage = try WindowStage(opens: false)
    let typed = try Self.ask(Self.line, on: stage)
    try stage.type("half past 12")
    try stage.keys("Return")
    #expect(typed.waitForExit(within: 20) == 0)
    #expect(typed.readLine() == "half past 12")
    let pressed = try Self.ask(Self.line, on: stage)
    try stage.write("früh <&_", into: "Your time")
    try stage.press("Tell")
    #expect(pressed.waitForExit(within: 20) == 0)
    #expect(pressed.readLine() == "früh <&_")
    let empty = try Self.ask(Self.line, on: stage)
    try stage.keys("Return")
    #expect(empty.waitForExit(within: 20) == 0)
    #expect(empty.readLine() == "")
  }

  @Test func `Escape, Alt+F4 and Cancel give no answer`() throws {
    let stage = try WindowStage(opens: false)
    for question in [Self.list, Self.line] {
      for keys in ["Escape", "alt+F4", nil] {
        let dialog = try Self.ask(question, on: stage)
        if let keys { try stage.keys(keys) } else { try stage.press("Cancel") }
        #expect(dialog.waitForExit(within: 20) == 3, "\(keys ?? "Cancel")")
        #expect(dialog.readLine() == nil)
      }
    }
  }

  @Test func `The header holds the name of the app alone, whatever the app writes`() throws {
    let stage = try WindowStage(opens: false)
    let forged = #"{"app": "Tea", "text": "Question from Bank\nasks through Suzu\n\u202E<b>ok", "choices": ["OK"]}"#
    let dialog = try Self.ask(forged, on: stage)
    // All lines of the app are one label.
    try stage.see("Question from Bank\nasks through Suzu\n<b>ok")
    let names = try stage.reader.nodes().map(\.name)
    #expect(names.filter { $0 == "asks through Suzu" }.count == 1)
    #expect(names.contains("\u{2068}Tea\u{2069}"))
    try stage.keys("Escape")
    #expect(dialog.waitForExit(within: 20) == 3)
  }

  @Test func `It ends with the program that waits for the answer, and with a signal`() throws {
    let stage = try WindowStage(opens: false)
    // The pipe of the answer has no reader once `head` has ended.
    let shell = try RunningProgram(
      "/bin/bash",
      [
        "-c",
        "exec 3< <(echo '\(Self.list)' | { '\(Session.programs)/suzu-window' --dialog; echo $? >'\(stage.session.folder.path("status"))'; echo ended >&2; }); read -r; exec 3<&-; read -r",
      ], environment: stage.session.environment)
    try stage.awaitWindow(Self.title)
    shell.write("\n")
    #expect(shell.readErrors(until: "ended", within: 20) != nil)
    #expect(stage.session.folder.read("status") == "3\n")
    let dialog = try Self.ask(Self.list, on: stage)
    dialog.signal(SIGTERM)
    #expect(dialog.waitForExit(within: 20) == 128 + SIGTERM)
    #expect(dialog.readLine() == nil)
  }

  @Test func `Without a screen, and with an input that is no question, it says so in one line`() throws {
    let session = try Session()
    func run(_ input: String) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run(
        Session.programs + "/suzu-window", ["--dialog"], environment: session.environment, input: input)
    }
    let blind = try run(Self.list)
    #expect(blind.status == 69 && blind.output.isEmpty)
    #expect(blind.errors == "suzu-window: no screen: set WAYLAND_DISPLAY or DISPLAY to one that can be opened\n")
    for (input, why) in [("", "the input is not JSON"), (#"{"app": "Tea"}"#, "there is neither 'choices' nor 'line'")] {
      let refused = try run(input)
      #expect(refused.status == 65 && refused.errors.hasPrefix("suzu-window: --dialog: \(why)"), "\(refused.errors)")
    }
  }
}
