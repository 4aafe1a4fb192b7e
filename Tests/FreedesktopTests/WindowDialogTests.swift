// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests when `suzu-window` asks, and what it gets, with stand-ins for the programs; `SuzuWindowTests` uses the real
/// one.
@Suite(.timeLimit(.minutes(1))) struct WindowDialogTests {
  private static let prompt = Prompt(
    title: "Tea", text: "Your answer to Tea:",
    question: Prompt.Question(text: "Lunch?\n\"When\" \\ \u{1}é", hint: "Time"))

  @Test func `Where suzu-window is installed it asks, on every desktop`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      for name in ["suzu-window", "zenity", "kdialog"] { try programs.add(name, "echo 0") }
      try await withLoop { loop in
        #expect(Chooser.program == "suzu-window")
        for desktop in ["GNOME", "KDE", ""] {
          setenv("XDG_CURRENT_DESKTOP", desktop, 1)
          #expect(await Self.prompt.ask(activationToken: nil, on: loop) == .answered("0"))
          #expect(await Chooser(title: "", choices: ["a"]).ask(activationToken: nil, on: loop) == .chosen(0))
          #expect(programs.calls() == [["suzu-window", "--dialog"], ["suzu-window", "--dialog"]])
        }
      }
    }
  }

  @Test func `It gets all texts through its input, and the token from its environment`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      try programs.add(
        "suzu-window", "/bin/cat >'\(programs.folder.path("input"))'; echo \"$XDG_ACTIVATION_TOKEN\"")
      try await withLoop { loop in
        #expect(await Self.prompt.ask(activationToken: "t 1", on: loop) == .answered("t 1"))
        #expect(programs.calls() == [["suzu-window", "--dialog"]])
        #expect(
          programs.folder.read("input")
            == #"{"app":"Tea","text":"Lunch?\n\"When\" \\  é","line":"Time"}"# + "\n")
        let chooser = Chooser(title: "Tea", heading: "Move: Lunch?", text: "Lunch?\nNow", choices: ["--a", "", "\"b"])
        #expect(await chooser.ask(activationToken: "2", on: loop) == .chosen(2))
        #expect(programs.calls() == [["suzu-window", "--dialog"]])
        #expect(
          programs.folder.read("input") == #"{"app":"Tea","text":"Lunch?\nNow","choices":["--a","","\"b"]}"# + "\n")
      }
    }
  }

  @Test func `If it draws nothing, the next program asks, and its end by the user is final`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      let chooser = Chooser(title: "", choices: ["a", "b"])
      // An older version does not know the option; its libraries may be missing; there may be no screen.
      let cases: [(String, Chooser.Ending, Prompt.Ending, isFinal: Bool)] = [
        ("exit 64", .failed("suzu-window: exit 64"), .failed("suzu-window: exit 64"), false),
        ("exit 127", .failed("suzu-window: exit 127"), .failed("suzu-window: exit 127"), false),
        ("exit 69", .failed("suzu-window: exit 69"), .failed("suzu-window: exit 69"), false),
        ("exit 3", .cancelled, .cancelled, true), ("echo 0", .chosen(0), .answered("0"), true),
        ("kill -KILL $$", .failed("suzu-window: signal 9"), .failed("suzu-window: signal 9"), true),
        ("echo 2", .failed("suzu-window: the answer is not one of the choices"), .answered("2"), true),
      ]
      try await withLoop { loop in
        for (script, chosen, answered, isFinal) in cases {
          try programs.add("suzu-window", script)
          #expect(await chooser.ask(activationToken: nil, on: loop) == chosen, "\(script)")
          #expect(await Self.prompt.ask(activationToken: nil, on: loop) == answered, "\(script)")
          try programs.add("zenity", "echo 1")
          #expect(await chooser.ask(activationToken: nil, on: loop) == (isFinal ? chosen : .chosen(1)), "\(script)")
          #expect(
            await Self.prompt.ask(activationToken: nil, on: loop) == (isFinal ? answered : .answered("1")), "\(script)")
          // The private texts are not on the command line of the other program.
          #expect(!programs.calls().joined().contains { $0.contains("Lunch") })
          try programs.remove("zenity")
        }
      }
    }
  }
}
