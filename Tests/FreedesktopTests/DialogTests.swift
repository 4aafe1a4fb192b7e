// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests dialogs with stand-ins for zenity and kdialog; ``ZenityTests`` uses the real one.
@Suite(.timeLimit(.minutes(1))) struct DialogTests {
  @Test func `The desktop's own dialog program is preferred to the other one`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      let prompt = Prompt(title: "Tea")
      try await withLoop { loop in
        #expect(await prompt.ask(activationToken: nil, on: loop) == .unavailable)
        #expect(await Chooser(title: "", choices: ["a"]).ask(activationToken: nil, on: loop) == .unavailable)
        try programs.add("kdialog")
        // Its rows would be on the command line.
        #expect(await Chooser(title: "", choices: ["a"]).ask(activationToken: nil, on: loop) == .unavailable)
        #expect(Chooser.program == nil && Prompt.isAvailable)
        for desktop in ["GNOME", "KDE"] {
          setenv("XDG_CURRENT_DESKTOP", desktop, 1)
          #expect(await prompt.ask(activationToken: nil, on: loop) == .answered(""))
          #expect(programs.calls().map(\.first) == ["kdialog"])
        }
        try programs.add("zenity")
        for (desktop, name) in [("GNOME", "zenity"), ("ubuntu:KDE", "kdialog"), ("", "zenity"), ("XKDE", "zenity")] {
          setenv("XDG_CURRENT_DESKTOP", desktop, 1)
          #expect(await prompt.ask(activationToken: nil, on: loop) == .answered(""))
          #expect(programs.calls().map(\.first) == [name])
        }
        // Not programs: a folder, and a file that is not executable.
        try programs.remove("zenity")
        try programs.remove("kdialog")
        try FileManager.default.createDirectory(
          atPath: programs.folder.path("bin/zenity"), withIntermediateDirectories: false)
        try programs.folder.write("", to: "bin/kdialog")
        #expect(await prompt.ask(activationToken: nil, on: loop) == .unavailable)
      }
    }
  }

  @Test func `zenity gets escaped texts, and private ones through its input`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      let input = programs.folder.path("input")
      try programs.add("zenity", "/bin/cat >'\(input)'; echo 1")
      try await withLoop { loop in
        let chooser = Chooser(
          title: "-<b>t</b> & \\n\nitle", heading: "What\nfor", choices: ["--help", "", "<i>\n\u{1b}[1m", "--help"])
        #expect(await chooser.ask(activationToken: nil, on: loop) == .chosen(1))
        let call = try #require(programs.calls().first)
        #expect(call.contains("--title=-<b>t</b> & \\n itle"))
        #expect(call.contains("--text=-&lt;b&gt;t&lt;/b&gt; &amp; \\\\n itle"))
        #expect(call.dropFirst().allSatisfy { $0.hasPrefix("--") && $0.count > 2 })
        #expect(
          programs.folder.read("input")
            == "-\nChoose an action for: What for\n0\n--help\n1\n \n2\n<i>  [1m\n3\n--help\n")
        let prompt = Prompt(title: "-t", text: "<b>_a\\n")
        #expect(await prompt.ask(activationToken: nil, on: loop) == .answered("1"))
        let other = try #require(programs.calls().first)
        #expect(other.contains("--text=<b>__a\\\\n"))
        #expect(other.dropFirst().allSatisfy { $0.hasPrefix("--") })
      }
    }
  }

  @Test func `Choosing the heading of a list shows the list again`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      let again = programs.folder.path("again")
      try programs.add("zenity", "if [ -e '\(again)' ]; then echo 0; else : >'\(again)'; echo -; fi")
      try await withLoop { loop in
        let chooser = Chooser(title: "App", heading: "What for", choices: ["a"])
        #expect(await chooser.ask(activationToken: nil, on: loop) == .chosen(0))
        #expect(programs.calls().count == 2)
      }
    }
  }

  @Test func `kdialog gets escaped texts`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      try programs.add("kdialog", "echo 0")
      try await withLoop { loop in
        let prompt = Prompt(title: "-t", text: "--help\n<i> & \\n")
        #expect(await prompt.ask(activationToken: nil, on: loop) == .answered("0"))
        #expect(
          programs.calls() == [["kdialog", "--title=-t", "--inputbox=<qt>--help<br/>&lt;i&gt; &amp; \\\\n</qt>"]])
      }
    }
  }

  @Test func `Long texts are cut so that the program starts`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      try programs.add("zenity", "echo 0")
      try await withLoop { loop in
        let long = String(repeating: "<", count: 1_000_000)
        let chooser = Chooser(title: long, heading: long, choices: [long, long])
        #expect(await chooser.ask(activationToken: nil, on: loop) == .chosen(0))
        let call = try #require(programs.calls().first)
        #expect(call.allSatisfy { $0.utf8.count < 10_000 })
        let prompt = Prompt(title: long, text: long)
        #expect(await prompt.ask(activationToken: nil, on: loop) == .answered("0"))
      }
    }
  }

  @Test func `The program's exit status becomes a reply`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      let chooser = Chooser(title: "", choices: ["a", "b"])
      let prompt = Prompt(title: "")
      // The variables define the exit statuses with which zenity reports a cancellation.
      let cases: [(String, String, Chooser.Ending, Prompt.Ending)] = [
        ("zenity", "exit $ZENITY_CANCEL", .cancelled, .cancelled),
        ("zenity", "exit $ZENITY_ESC", .cancelled, .cancelled),
        ("zenity", "exit $ZENITY_OK", .cancelled, .answered("")),
        ("zenity", "echo; exit $ZENITY_OK", .cancelled, .answered("")),
        ("zenity", "exit 1", .failed("zenity: exit 1"), .failed("zenity: exit 1")),
        ("zenity", "echo 1; kill -SEGV $$", .failed("zenity: signal 11"), .failed("zenity: signal 11")),
        ("zenity", "echo oh no >&2; echo 1", .chosen(1), .answered("1")),
        (
          "zenity", "printf '%s\\n' ' a\\b '", .failed("zenity: the answer is not one of the choices"),
          .answered(" a\\b ")
        ),
        ("zenity", "echo 2", .failed("zenity: the answer is not one of the choices"), .answered("2")),
        ("zenity", "echo -1", .failed("zenity: the answer is not one of the choices"), .answered("-1")),
        (
          "zenity", "i=0; while [ $i -lt 9000 ]; do echo 12345678; i=$((i + 1)); done",
          .failed("zenity: the answer is too long"), .failed("zenity: the answer is too long")
        ),
        ("kdialog", "exit 1", .unavailable, .cancelled), ("kdialog", "echo 1", .unavailable, .answered("1")),
        ("kdialog", "exit 254", .unavailable, .failed("kdialog: exit 254")),
        ("kdialog", "kill -ABRT $$", .unavailable, .failed("kdialog: signal 6")),
      ]
      try await withLoop { loop in
        for (name, script, chosen, answered) in cases {
          try programs.add(name, script)
          #expect(await chooser.ask(activationToken: nil, on: loop) == chosen, "\(script)")
          #expect(await prompt.ask(activationToken: nil, on: loop) == answered, "\(script)")
          try programs.remove(name)
        }
        try programs.add("zenity")
        let empty = Chooser(title: "", choices: [])
        #expect(await empty.ask(activationToken: nil, on: loop) == .failed("nothing to choose from"))
      }
    }
  }

  @Test func `The program gets the token and a UTF-8 locale`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      try programs.add("zenity", "echo \"$XDG_ACTIVATION_TOKEN|$DESKTOP_STARTUP_ID|$LC_ALL|$ZENITY_OK\"")
      setenv("ZENITY_OK", "7", 1)
      for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "LC_ALL", "LC_CTYPE", "LANG"] { unsetenv(name) }
      let prompt = Prompt(title: "")
      try await withLoop { loop in
        #expect(await prompt.ask(activationToken: "t 1", on: loop) == .answered("t 1|t 1|C.UTF-8|0"))
        for (locale, changed) in [("de_DE.UTF-8", ""), ("C", "C.UTF-8"), ("ja_JP.eucJP", "C.UTF-8"), ("x.utf8", "")] {
          setenv("LANG", locale, 1)
          #expect(await prompt.ask(activationToken: nil, on: loop) == .answered("||\(changed)|0"))
        }
      }
    }
  }

  @Test func `Cancelling the task closes the dialog, even one that ignores the request`() async throws {
    await #expect(processExitsWith: .success) {
      let programs = try StandInPrograms()
      let started = programs.folder.path("started")
      #expect(mkfifo(started, 0o600) == 0)
      try await withLoop { loop in
        for manners in ["", "trap '' TERM"] {
          // A sleep is meant: a dialog that does not end.
          try programs.add("zenity", "\(manners)\necho $$ >\(started)\nwhile :; do /bin/sleep 60; done")
          let asking = Task { await Prompt(title: "").ask(activationToken: nil, on: loop) }
          let process = try await offPool { try RunningProgram.run("/bin/cat", [started], environment: [:]).output }
          asking.cancel()
          #expect(await asking.value == .closed)
          let number = try #require(pid_t(process.dropLast()))
          #expect(kill(number, 0) == -1 && errno == ESRCH)
        }
      }
    }
  }
}
