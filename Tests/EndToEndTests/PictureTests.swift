// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that `suzu popups` draws the pictures of notifications, in a scripted terminal, in the real kitty and in tmux.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct PictureTests {
  /// A red square of 16 by 16 points, written by Python.
  private static func picture(in folder: TemporaryFolder) throws -> String {
    let path = folder.path("red.png")
    let script = """
      import sys, zlib, struct
      def chunk(name, data):
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
      rows = b''.join(b'\\0' + b'\\xff\\0\\0' * 16 for _ in range(16))
      open(sys.argv[1], 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 16, 16, 8, 2, 0, 0, 0))
        + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
      """
    let made = try RunningProgram.run("python3", ["-c", script, path], environment: ["PATH": "/usr/bin:/bin"])
    try #require(made.status == 0, "\(made.errors)")
    return path
  }

  /// `suzu popups` in a terminal without a screen, which a test answers.
  private struct Popups {
    let session: Session
    let terminal: PseudoTerminal
    let program: RunningProgram

    init(_ flags: String...) throws {
      session = try Session()
      terminal = try PseudoTerminal()
      let line = "exec '\(Session.programs)/suzu' popups \(flags.joined(separator: " ")) >'\(terminal.path)'"
      program = try terminal.start(
        "sh", ["-c", line], environment: session.environment.merging(["TERM": "xterm", "LC_ALL": "C.UTF-8"]) { $1 })
    }

    func notify(_ words: String...) throws {
      let sent = try session.suzu(["notify"] + words)
      #expect(sent.status == 0, "\(sent.errors)")
    }
  }

  private static let question = "\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[c"

  @Test func `A terminal that answers as kitty gets the file, and one with sixel gets pixels`() throws {
    for (answer, drawn) in [
      ("\u{1B}_Gi=1398102528;OK\u{1B}\\\u{1B}[?62;c", "\u{1B}_Ga=p,"), ("\u{1B}[?62;4c", "\u{1B}P0;1;0q\"1;1;16;16"),
    ] {
      let popups = try Popups()
      #expect(popups.terminal.awaitOutput("a=q") != nil && popups.terminal.awaitOutput(Self.question) != nil)
      popups.terminal.send(answer)
      #expect(try popups.session.awaitOwner(of: "org.freedesktop.Notifications"))
      let picture = try Self.picture(in: popups.session.folder)
      try popups.notify("Tea", "--id", "tea", "--image", picture)
      #expect(popups.terminal.awaitOutput(drawn) != nil, "\(popups.terminal.output.debugDescription)")
      // One without a picture, and one whose picture is no file.
      try popups.notify("Cake", "--image", picture + ".none")
      #expect(popups.terminal.awaitOutput("Cake") != nil)
      popups.terminal.send("q")
      #expect(popups.program.waitForExit() == 0)
      #expect(popups.terminal.hasUsualMode)
    }
  }

  @Test func `With --images none nothing is asked or drawn, and a wrong word is refused`() throws {
    let popups = try Popups("--images none")
    #expect(try popups.session.awaitOwner(of: "org.freedesktop.Notifications"))
    try popups.notify("Tea", "--image", try Self.picture(in: popups.session.folder))
    #expect(popups.terminal.awaitOutput("Tea") != nil)
    popups.terminal.send("q")
    #expect(popups.program.waitForExit() == 0)
    #expect(!popups.terminal.output.contains("\u{1B}_G") && !popups.terminal.output.contains("\u{1B}P"))
    let wrong = try popups.session.suzu("popups", "--images", "sixl")
    #expect(wrong.status == 65)
    #expect(
      wrong.errors == "suzu: popups: '--images sixl' must be auto, kitty, sixel or none; did you mean 'sixel'?\n",
      "\(wrong.errors)")
  }

  @Test(arguments: [
    (
      "\u{1B}_Gi=1398102528;OK\u{1B}\\\u{1B}[?62;c",
      "ok       pictures of suzu popups: drawn in this terminal with kitty's graphics protocol"
    ),
    ("\u{1B}[?62;4c", "ok       pictures of suzu popups: drawn in this terminal with sixel"),
    (
      "\u{1B}[?62;c",
      "partly   pictures of suzu popups: not drawn in this terminal: the terminal has neither kitty's protocol nor sixel"
    ),
  ])
  func `Doctor says what is used in the terminal of an SSH login`(answer: String, line: String) throws {
    let session = try Session()
    let terminal = try PseudoTerminal()
    let doctor = try terminal.start(
      "sh", ["-c", "exec '\(Session.programs)/suzu' doctor >'\(terminal.path)'"],
      environment: session.environment.merging([
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "SSH_TTY": terminal.path,
        "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22",
      ]) { $1 })
    // First, whether it shows notifications.
    #expect(terminal.awaitOutput(SSHTerminal.question) != nil)
    terminal.send(SSHTerminal.attributes)
    #expect(terminal.awaitOutput(Self.question) != nil)
    terminal.send(answer)
    #expect(doctor.waitForExit() != nil)
    #expect(terminal.awaitOutput("pictures of suzu popups") != nil && terminal.awaitOutput("\n") != nil)
    let shown = terminal.output.replacing(/\x1B\[[0-9;]*m/, with: "")
    #expect(shown.contains(line), "\(shown)")
    #expect(terminal.hasUsualMode && terminal.typedAhead == 0)
  }

  @Test(.enabled(if: Kitty.isThere, "kitty or Xvfb is not installed"))
  func `kitty answers the question, and understands what is drawn`() throws {
    let session = try Session()
    let screen = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"], environment: session.environment)
    let display = try #require(screen.readLine(within: 20), "\(screen.errors)")
    // It writes there what it has read, at once.
    let read = try PseudoTerminal()
    let kitty = try RunningProgram(
      "kitty",
      [
        "--config", "NONE", "-o", "update_check_interval=0", "--dump-bytes", read.path, Session.programs + "/suzu",
        "popups",
      ],
      environment: session.environment.merging([
        "DISPLAY": ":" + display, "LIBGL_ALWAYS_SOFTWARE": "1", "LC_ALL": "C.UTF-8",
        "KITTY_CONFIG_DIRECTORY": session.folder.path("kitty"),
      ]) { $1 })
    #expect(read.awaitOutput("a=q", within: 30) != nil, "\(kitty.errors)")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let sent = try session.suzu("notify", "Tea", "--image", try Self.picture(in: session.folder))
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(read.awaitOutput("f=100", within: 20) != nil, "\(kitty.errors)")
    #expect(read.awaitOutput("a=p,") != nil)
    // It complains of what it does not understand: before 0.33 where it prints commands, later as of any error.
    kitty.signal(SIGTERM)
    #expect(kitty.waitForExit() != nil)
    #expect(!kitty.errors.contains("Malformed") && kitty.readLines(until: "Malformed") == nil, "\(kitty.errors)")
  }
}
