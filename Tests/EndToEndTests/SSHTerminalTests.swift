// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests notifications of an SSH session without a desktop, in a scripted terminal.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct SSHTerminalTests {
  @Test func `A terminal that knows OSC 99 gets the text, the urgency, the icon and the id`() throws {
    let ssh = try SSHTerminal()
    let sent = try ssh.suzu(
      "notify", "Häuser; done", "Line 1\nLine 2", "--level", "critical", "--icon", "dialog-warning", "--id", "build",
      "--expires", "90s", "--progress", "40")
    #expect(ssh.answer(SSHTerminal.full))
    let shown = try ssh.notification()
    #expect(shown.texts == ["title": "Häuser; done", "body": "Line 1\nLine 2\n40 %"])
    #expect(shown.metadata["i"] == "suzu.build" && shown.metadata["u"] == "2" && shown.metadata["w"] == "90000")
    #expect(shown.metadata["f"].map(SSHTerminal.decoded) == "dev.suzu.Suzu")
    #expect(shown.metadata["a"] == nil && shown.metadata["c"] == nil)
    #expect(sent.waitForExit() == 0)
    #expect(sent.readLine() == "build")
    #expect(sent.errors == "")
    #expect(ssh.terminal.hasUsualMode)
  }

  @Test func `No control character of a text reaches the terminal`() throws {
    let ssh = try SSHTerminal(type: "xterm-kitty")
    let sent = try ssh.suzu(
      "notify", "a\u{1B}]0;owned\u{07}b\u{9B}31mc", "d\u{1B}\\e\u{1B}[2Jf\u{202E}g", "--id", "i d")
    #expect(ssh.answer(SSHTerminal.full))
    let shown = try ssh.notification()
    #expect(shown.texts == ["title": "abc", "body": "defg"])
    #expect(sent.waitForExit() == 0)
    let plain = ssh.terminal.output.replacing(SSHTerminal.question, with: "")
    let controls = plain.unicodeScalars.filter { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value }
    // Each sequence has an ESC at its beginning and at its end.
    #expect(controls.allSatisfy { $0 == "\u{1B}" } && controls.count == 4, "\(plain.debugDescription)")
  }

  @Test func `A long text comes in parts`() throws {
    let ssh = try SSHTerminal()
    let body = String(repeating: "äöü ", count: 900)
    let sent = try ssh.suzu("notify", "Long", body)
    #expect(ssh.answer(SSHTerminal.full))
    let shown = try ssh.notification()
    #expect(shown.texts["body"] == String(body.dropLast()))
    #expect(sent.waitForExit() == 0)
    let longest = ssh.terminal.output.split(separator: "\u{1B}]").map(\.utf8.count).max() ?? 0
    #expect(longest < 3000)
  }

  @Test(
    arguments: [
      ("foot", nil, nil, "\u{1B}]777;notify;Tea, hot;is ready; drink\u{1B}\\", "OSC 777"),
      (
        "xterm-256color", "WezTerm 20240203-110809-5046fc22", nil, "\u{1B}]777;notify;Tea, hot;is ready; drink\u{1B}\\",
        "OSC 777"
      ),
      ("xterm-256color", "iTerm2 3.5.0", nil, "\u{1B}]9;Tea; hot: is ready; drink\u{1B}\\", "OSC 9"),
      ("xterm-256color", nil, "iTerm2", "\u{1B}]9;Tea; hot: is ready; drink\u{1B}\\", "OSC 9"),
    ] as [(String, String?, String?, String, String)])
  func `Another terminal gets the sequence that it documents, and what is missing is said once`(
    type: String, version: String?, program: String?, sequence: String, name: String
  ) throws {
    let ssh = try SSHTerminal(type: type, variables: program.map { ["LC_TERMINAL": $0] } ?? [:])
    let sent = try ssh.suzu(
      "notify", "Tea; hot", "is ready; drink", "--icon", "mug", "--badge", "3", "--url", "https://example.org/")
    #expect(ssh.answer(nil, version: version))
    #expect(ssh.terminal.awaitOutput(sequence) != nil, "\(ssh.terminal.output.debugDescription)")
    #expect(sent.waitForExit() == 0)
    let terminal = (version.map { $0 + ", " } ?? "") + name
    #expect(
      sent.errors == "suzu: notify: warning: shown by this terminal (\(terminal)) without 'icon', 'badge', 'url'\n")
  }

  @Test func `Old kitty does not answer, and gets a title and a body`() throws {
    let ssh = try SSHTerminal(type: "xterm-kitty")
    let sent = try ssh.suzu("notify", "Tea", "is ready")
    #expect(ssh.answer(nil))
    let shown = try ssh.notification()
    #expect(shown.texts == ["title": "Tea", "body": "is ready"])
    #expect(sent.waitForExit() == 0)
  }

  @Test func `A terminal that never answers costs a second, and its user's word counts`() throws {
    let ssh = try SSHTerminal()
    let start = ContinuousClock.now
    let refused = try ssh.suzu("notify", "Tea")
    let status = refused.waitForExit()
    #expect(status == 69)
    #expect(ContinuousClock.now - start < .seconds(6))
    #expect(
      refused.errors
        == "suzu: notify: there is no bus of a desktop session, and this terminal cannot show it: a terminal of the type "
        + "'xterm-256color' is not known to show notifications; set SUZU_TERMINAL to osc99, osc777 or osc9 if it does\n"
    )
    #expect(ssh.terminal.hasUsualMode)
    let chosen = try SSHTerminal(variables: ["SUZU_TERMINAL": "osc777"])
    let sent = try chosen.suzu("notify", "Tea")
    #expect(chosen.terminal.awaitOutput("\u{1B}]777;notify;Tea;\u{1B}\\") != nil)
    #expect(sent.waitForExit() == 0)
    #expect(!chosen.terminal.output.contains("99"), "a user who names the sequence is not asked for it")
  }

  @Test(arguments: ["dumb", "linux", ""])
  func `A terminal that prints what it does not know gets nothing`(type: String) throws {
    let ssh = try SSHTerminal(type: type)
    let sent = try ssh.suzu("notify", "Tea")
    #expect(sent.waitForExit() == 69)
    #expect(ssh.terminal.output == "")
  }

  @Test func `A wrong word for the sequence is an error`() throws {
    let ssh = try SSHTerminal(variables: ["SUZU_TERMINAL": "OSC 99"])
    let sent = try ssh.suzu("notify", "Tea")
    #expect(sent.waitForExit() == 65)
    #expect(
      sent.errors == "suzu: notify: 'SUZU_TERMINAL=OSC 99' must be osc99, osc777, osc9 or none\n", "\(sent.errors)")
  }

  @Test(arguments: [
    "\u{1B}]99;i=suzu-question:p=?;p=title,body,buttons:a=report",  // no end
    "\u{1B}]99;i=other:p=?;p=title,body\u{1B}\\", "\u{1B}]99;;;;;\u{1B}\\", "\u{1B}P>|\u{1B}\\", "\u{9B}\u{FF}\u{0}",
    String(repeating: "x", count: 3000), "\u{1B}]99;" + String(repeating: "y", count: 100_000) + "\u{07}",
  ])
  func `Garbage is no answer, and the terminal is as before`(garbage: String) throws {
    let ssh = try SSHTerminal(type: "foot")
    let sent = try ssh.suzu("notify", "Tea")
    #expect(ssh.terminal.awaitOutput(SSHTerminal.question) != nil)
    ssh.terminal.send(garbage)
    ssh.terminal.send(SSHTerminal.attributes)
    #expect(ssh.terminal.awaitOutput("\u{1B}]777;notify;Tea;\u{1B}\\") != nil)
    #expect(sent.waitForExit() == 0)
    #expect(ssh.terminal.hasUsualMode)
  }

  // MARK: Keys

  @Test func `What was typed before is left for the shell, and no question is asked`() throws {
    let ssh = try SSHTerminal(type: "foot")
    ssh.terminal.send("ls -l\n")
    let sent = try ssh.suzu("notify", "Tea")
    #expect(ssh.terminal.awaitOutput("\u{1B}]777;notify;Tea;\u{1B}\\") != nil)
    #expect(sent.waitForExit() == 0)
    #expect(!ssh.terminal.output.contains("\u{1B}[c"))
    #expect(sent.errors == "")
    #expect(ssh.terminal.typedAhead == 6)
  }

  @Test func `Keys that are typed during the question are counted`() throws {
    let ssh = try SSHTerminal()
    let sent = try ssh.suzu("notify", "Tea")
    #expect(ssh.terminal.awaitOutput(SSHTerminal.question) != nil)
    ssh.terminal.send("lsä\u{1B}[A")
    ssh.terminal.send("\u{1B}]99;i=suzu-question:p=?;\(SSHTerminal.full)\u{1B}\\" + SSHTerminal.attributes)
    #expect(try ssh.notification().texts["title"] == "Tea")
    #expect(sent.waitForExit() == 0)
    #expect(
      sent.errors == "suzu: notify: warning: 4 characters typed while the terminal was asked are lost\n",
      "\(sent.errors)")
  }

  // MARK: The answer

  @Test(arguments: [("2", "later"), ("", "default")])
  func `The pressed button is printed`(report: String, action: String) throws {
    let ssh = try SSHTerminal()
    let sent = try ssh.suzu(
      "notify", "Tea", "--action", "ok=Thanks", "--action", "later=In a minute", "--id", "tea", "--wait")
    #expect(ssh.answer(SSHTerminal.full))
    let shown = try ssh.notification()
    #expect(shown.texts["buttons"] == "Thanks\u{2028}In a minute")
    #expect(shown.metadata["a"] == "report" && shown.metadata["c"] == "1")
    #expect(!ssh.terminal.hasUsualMode)
    ssh.terminal.send("\u{1B}]99;i=suzu.tea;\(report)\u{1B}\\")
    #expect(ssh.terminal.awaitOutput("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\") != nil)
    ssh.terminal.send("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\")
    #expect(sent.waitForExit() == 0)
    #expect(sent.readLine() == action)
    #expect(sent.errors == "")
    #expect(ssh.terminal.hasUsualMode)
  }

  @Test func `A dismissed notification has status 1, and lies about it are no answer`() throws {
    let ssh = try SSHTerminal()
    let sent = try ssh.suzu("notify", "Tea", "--action", "ok=Thanks", "--id", "tea", "--wait")
    #expect(ssh.answer(SSHTerminal.full))
    _ = try ssh.notification()
    for lie in [
      "i=suzu.tea;2", "i=suzu.tea;0", "i=suzu.tea;-1", "i=suzu.tea;99999999999999999999", "i=suzu.tea;x",
      "i=other;1", ";1", "i=suzu.tea:p=title;1", "i=suzu.tea:p=close;untracked",
    ] {
      ssh.terminal.send("\u{1B}]99;\(lie)\u{1B}\\")
    }
    ssh.terminal.send("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\")
    #expect(sent.waitForExit() == 1)
    #expect(sent.readLine() == nil)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `A signal removes the notification and restores the terminal`(signal: Int32) throws {
    let ssh = try SSHTerminal()
    let sent = try ssh.suzu("notify", "Tea", "--action", "ok=Thanks", "--id", "tea", "--wait")
    #expect(ssh.answer(SSHTerminal.full))
    _ = try ssh.notification()
    let process = try #require(try Self.child(of: sent))
    kill(process, signal)
    #expect(ssh.terminal.awaitOutput("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\") != nil)
    // setsid reports a signal as its number.
    #expect(sent.waitForExit() == signal)
    #expect(ssh.terminal.hasUsualMode)
  }

  @Test func `Ctrl-C ends the wait`() throws {
    let ssh = try SSHTerminal()
    let sent = try ssh.suzu("notify", "Tea", "--action", "ok=Thanks", "--id", "tea", "--wait")
    #expect(ssh.answer(SSHTerminal.full))
    _ = try ssh.notification()
    ssh.terminal.send("\u{03}")
    #expect(ssh.terminal.awaitOutput("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\") != nil)
    #expect(sent.waitForExit() == SIGINT)
    #expect(ssh.terminal.hasUsualMode)
  }

  @Test func `A terminal that hands back no answer refuses the wait before anything is shown`() throws {
    let ssh = try SSHTerminal(type: "foot")
    let sent = try ssh.suzu("notify", "Tea", "--action", "ok=Thanks", "--wait")
    #expect(ssh.answer(nil, version: "foot(1.13.1)"))
    #expect(sent.waitForExit() == 69)
    #expect(
      sent.errors
        == "suzu: notify: this terminal (foot(1.13.1), OSC 777) hands back no answer; without --wait it is shown\n",
      "\(sent.errors)")
    #expect(!ssh.terminal.output.contains("Tea"))
  }

  /// The process of `setsid`, which forks.
  static func child(of program: RunningProgram) throws -> Int32? {
    let path = "/proc/\(program.processID)/task/\(program.processID)/children"
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").first.flatMap { Int32($0) }
  }

  // MARK: Questions

  @Test(arguments: [("1", Int32(0), "yes"), ("2", 1, "no")])
  func `A question is answered in the terminal`(report: String, status: Int32, id: String) throws {
    let ssh = try SSHTerminal()
    let asking = try ssh.suzu("ask", "Deploy?", "Version 2.4", "--id", "q")
    #expect(ssh.answer(SSHTerminal.full))
    let shown = try ssh.notification()
    #expect(shown.texts == ["title": "Deploy?", "body": "Version 2.4", "buttons": "Yes\u{2028}No"])
    #expect(shown.metadata["w"] == "0" && shown.metadata["i"] == "suzu.q")
    ssh.terminal.send("\u{1B}]99;i=suzu.q;\(report)\u{1B}\\\u{1B}]99;i=suzu.q:p=close;\u{1B}\\")
    #expect(asking.waitForExit() == status)
    #expect(asking.readLine() == id)
    #expect(asking.errors == "")
  }

  @Test func `At the end of its time limit the question goes, and the default is printed`() throws {
    let ssh = try SSHTerminal()
    let asking = try ssh.suzu("ask", "Deploy?", "--timeout", "1s", "--default", "no", "--id", "q")
    #expect(ssh.answer(SSHTerminal.full))
    _ = try ssh.notification()
    #expect(ssh.terminal.awaitOutput("\u{1B}]99;i=suzu.q:p=close;\u{1B}\\") != nil)
    ssh.terminal.send("\u{1B}]99;i=suzu.q:p=close;\u{1B}\\")
    #expect(asking.waitForExit() == 1)
    #expect(asking.readLine() == "no")
    #expect(asking.errors == "suzu: ask: no answer within 1s; using the default 'no'\n")
  }

  @Test func `When the link ends, the script gets its default and a reason`() throws {
    let ssh = try SSHTerminal()
    let asking = try ssh.suzu("ask", "Deploy?", "--default", "no")
    #expect(ssh.answer(SSHTerminal.full))
    _ = try ssh.notification()
    ssh.terminal.hangUp()
    #expect(asking.waitForExit() == 1)
    #expect(asking.readLine() == "no")
    #expect(asking.errors == "suzu: ask: the terminal has ended; using the default 'no'\n", "\(asking.errors)")
  }

  @Test(arguments: [
    (["--input"], "a terminal's notification takes no text"),
    (
      ["--destructive", "yes"],
      "a terminal cannot tell whether the session is locked, which '--destructive' needs"
    ),
  ])
  func `What a terminal cannot ask safely is not asked`(flags: [String], reason: String) throws {
    let ssh = try SSHTerminal()
    let asking = try ssh.terminal.start(
      Session.programs + "/suzu", ["ask", "Deploy?"] + flags, environment: ssh.environment)
    #expect(ssh.answer(SSHTerminal.full))
    #expect(asking.waitForExit() == 69)
    #expect(asking.errors == "suzu: ask: \(reason)\n")
    #expect(ssh.terminal.hasUsualMode)
  }

  // MARK: Times

  @Test func `A time is refused where nothing can keep the request`() throws {
    let ssh = try SSHTerminal()
    let sent = try ssh.suzu("notify", "Tea", "--in", "4m")
    #expect(sent.waitForExit() == 69)
    #expect(
      sent.errors
        == "suzu: notify: nothing on this machine can keep it until then, because there is no bus of a desktop session; schedule it "
        + "on your desktop ('suzu doctor --ssh' says how), or leave out the time to show it in this terminal now\n",
      "\(sent.errors)")
    #expect(ssh.terminal.output == "")
  }

  @Test func `A center without a server keeps what is for later, and the terminal shows what is for now`() throws {
    let session = try Session()
    let ssh = try SSHTerminal(
      type: "foot", variables: session.environment.filter { ["DBUS_SESSION_BUS_ADDRESS", "HOME"].contains($0.key) })
    let kept = try ssh.suzu("notify", "Tea", "--in", "1h", "--id", "tea")
    #expect(kept.waitForExit() == 0)
    #expect(kept.readLine() == "tea")
    #expect(try session.suzu("list").output.contains("tea"))
    let sent = try ssh.suzu("notify", "Now")
    #expect(ssh.answer(nil))
    #expect(ssh.terminal.awaitOutput("\u{1B}]777;notify;Now;\u{1B}\\") != nil)
    #expect(sent.waitForExit() == 0)
    #expect(try !session.suzu("list").output.contains("Now"))
  }

  @Test func `A desktop of this machine comes first`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let ssh = try SSHTerminal(
      variables: session.environment.filter { ["DBUS_SESSION_BUS_ADDRESS", "HOME"].contains($0.key) })
    let sent = try ssh.suzu("notify", "On the desktop")
    #expect(sent.waitForExit() == 0)
    #expect(popups.readLine() == "#1 On the desktop")
    #expect(ssh.terminal.output == "")
  }

  @Test func `Without SSH nothing changes`() throws {
    let ssh = try SSHTerminal(type: "xterm-kitty")
    let sent = try ssh.terminal.start(
      Session.programs + "/suzu", ["notify", "Tea"], environment: ssh.environment.filter { !$0.key.hasPrefix("SSH_") })
    #expect(sent.waitForExit() == 69)
    #expect(ssh.terminal.output == "")
  }

  @Test func `Doctor says what the terminal can do`() throws {
    let ssh = try SSHTerminal()
    let doctor = try ssh.suzu("doctor")
    #expect(ssh.answer(SSHTerminal.full, version: "kitty(0.41.1)"))
    #expect(doctor.waitForExit() == 0)
    let lines = doctor.readLines(until: "this terminal") ?? []
    #expect(lines.first?.hasPrefix("partly   session bus: ") == true, "\(lines)")
    #expect(
      lines.last
        == "ok       this terminal: kitty(0.41.1), OSC 99, shows the notifications of this SSH session: title, "
        + "body, urgency, sound, time limit, buttons and answers")
    let unknown = try SSHTerminal()
    let poor = try unknown.suzu("doctor")
    #expect(unknown.answer(nil, version: "VTE(7200)"))
    #expect(poor.waitForExit() == 69)
    #expect(poor.readLines(until: "the terminal 'VTE(7200)' is not known to show notifications") != nil)
  }
}
