// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests `suzu run` with real commands, the real center and a scripted notification server.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct RunTests {
  private static func server(
    on session: Session, _ body: @escaping @Sendable (ScriptedServer) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      try await body(try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"]))
    }
  }

  private static func labels(_ posted: ScriptedServer.Posted) -> [String] {
    stride(from: 1, to: posted.actions.count, by: 2).map { posted.actions[$0] }
  }

  // MARK: The command

  @Test func `The command has the input, the output and the status of its caller`() throws {
    let session = try Session()
    let ended = try session.suzu(["run", "--", "sh", "-c", "cat; echo done; echo oops >&2; exit 3"], input: "tea\n")
    #expect(ended.status == 3 && ended.output == "tea\ndone\n" && ended.errors == "oops\n", "\(ended)")
  }

  @Test(arguments: KeptWhat.allCases)
  func `Output and errors into one pipe keep their order`(kept: KeptWhat) throws {
    let session = try Session()
    let program = "'\(Session.programs)/suzu' run --keep \(kept.rawValue) -- "
    let ended = try session.run(
      "/bin/sh", "-c", program + "sh -c 'for i in $(seq 500); do echo out $i; echo error $i >&2; done' 2>&1")
    #expect(ended.output == (1...500).map { "out \($0)\nerror \($0)\n" }.joined())
  }

  enum KeptWhat: String, CaseIterable, Sendable { case auto, all, none }

  @Test(arguments: [
    (["nosuchprogram"], 127, "nosuchprogram: command not found"),
    (["/nosuch/program"], 127, "/nosuch/program: No such file or directory"),
    (["/etc/passwd"], 126, "/etc/passwd: Permission denied"), (["/"], 126, "/: Permission denied"),
  ])
  func `A command that cannot run has the status that a shell gives it`(
    words: [String], status: Int32, message: String
  ) throws {
    let session = try Session(hasCenter: false)
    let ended = try session.suzu(["run", "--"] + words)
    #expect(ended.status == status && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: run: \(message)\n"), "\(ended.errors)")
  }

  @Test func `A script without a first line runs in the shell`() throws {
    let session = try Session()
    let script = try session.folder.write("echo \"$0 $1\"\n", to: "script", executable: true)
    #expect(try session.suzu("run", "--", script, "a b").output == "\(script) a b\n")
  }

  @Test func `Without a center or a bus the command runs all the same, with one warning`() throws {
    let session = try Session(hasCenter: false)
    let ended = try session.suzu("run", "--over", "0", "--progress", "--", "sh", "-c", "echo 50%; echo 60%; exit 4")
    #expect(ended.status == 4 && ended.output == "50%\n60%\n")
    #expect(ended.errors.hasPrefix("suzu: run: warning: no notification: the center is not running"), "\(ended.errors)")
    #expect(ended.errors.split(separator: "\n").count == 1)
    session.bus.kill()
    let alone = try session.suzu("run", "--", "sh", "-c", "exit 5")
    #expect(alone.status == 5 && alone.errors.split(separator: "\n").count == 1, "\(alone.errors)")
    #expect(try session.suzu("run", "--", "true").errors == "")
  }

  @Test func `A signal that ends the command ends suzu run in the same way`() throws {
    let session = try Session()
    for signal in [SIGTERM, SIGKILL, SIGSEGV, SIGUSR1] {
      let ended = try session.suzu("run", "--", "sh", "-c", "kill -\(signal) $$")
      #expect(ended.status == 128 + signal, "\(signal)")
    }
    // As a shell says it.
    let said = try session.run(
      "/bin/bash", "-c", "'\(Session.programs)/suzu' run -- sh -c 'kill -9 $$'; echo $?")
    #expect(said.output == "137\n" && said.errors.contains("Killed"))
  }

  @Test(arguments: [SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2])
  func `A signal to suzu run is passed on`(signal: Int32) async throws {
    let session = try Session()
    let running = try session.start(
      "run", "--", "sh", "-c", "trap 'echo got it; exit 9' \(signal); echo ready; while :; do read -r line; done")
    #expect(try await running.line() == "ready")
    running.signal(signal)
    #expect(try await running.line() == "got it")
    #expect(try await running.exit() == 9)
  }

  @Test func `A command in a pipeline ends with its reader, which is no failure`() async throws {
    let session = try Session()
    try await Self.server(on: session) { server in
      let ended = try await offPool {
        try session.run("/bin/bash", "-c", "'\(Session.programs)/suzu' run -- yes | head -n 1; echo ${PIPESTATUS[0]}")
      }
      #expect(ended.output == "y\n141\n" && ended.errors == "")
      // The next one is the first that is shown.
      _ = try await offPool { try session.suzu("run", "--", "sh", "-c", "exit 1") }
      #expect(try await server.posted.next(within: .seconds(15)).summary == "sh -c 'exit 1' failed")
    }
  }

  // Without the copying process they would get SIGPIPE.
  @Test func `What the command leaves behind can go on writing, and is not waited for`() async throws {
    let session = try Session()
    mkfifo(session.folder.path("go"), 0o600)
    let running = try session.start(
      "run", "--", "sh", "-c", "{ cat '\(session.folder.path("go"))'; echo later; } & echo now")
    #expect(try await running.line() == "now")
    // Its output stays open.
    let status = try await offPool { running.waitForExit(within: 15) }
    #expect(status == 0)
    let told = try await offPool { try session.run("/bin/sh", "-c", "echo gone >'\(session.folder.path("go"))'") }
    #expect(told.status == 0)
    #expect(try await running.line() == "gone")
    #expect(try await running.line() == "later")
  }

  @Test func `A gigabyte passes in memory of a fixed size`() throws {
    let session = try Session()
    let suzu = "'\(Session.programs)/suzu'"
    // The peak of the memory of suzu, in KiB, is what GNU time would print; here the shell's own child reports it.
    let ended = try RunningProgram.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import resource, subprocess, sys
        cat = subprocess.Popen(['sh', '-c', 'head -c 1073741825 | wc -c'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        suzu = subprocess.Popen([sys.argv[1], 'run', '--', 'head', '-c', '1G', '/dev/zero'], stdout=cat.stdin)
        cat.stdin.close()
        import os
        _, status, usage = os.wait4(suzu.pid, 0)
        print(status, cat.stdout.read().decode().strip(), usage.ru_maxrss)
        """, Session.programs + "/suzu",
      ], environment: session.environment, within: 120)
    let parts = ended.output.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) }
    #expect(parts.count == 3 && parts[0] == 0 && parts[1] == 1 << 30, "\(ended) \(suzu)")
    #expect((parts.last ?? .max) < 100 << 10, "\(parts)")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can act for another user"))
  func `As root the command stays root's, and only its notification is for the user`() throws {
    let session = try Session(hasCenter: false)
    var environment = session.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    let suzu = Session.programs + "/suzu"
    let ended = try RunningProgram.run(
      suzu, ["run", "--user", "nobody", "--over", "0", "--", "id", "-u"], environment: environment)
    #expect(ended.status == 0 && ended.output == "0\n")
    let number = try #require(getpwnam("nobody")).pointee.pw_uid
    #expect(ended.errors.contains("there is no /run/user/\(number)/bus"), "\(ended.errors)")
    environment["SUDO_UID"] = "\(number)"
    let sudo = try RunningProgram.run(suzu, ["run", "--", "sh", "-c", "id -u; exit 3"], environment: environment)
    #expect(sudo.status == 3 && sudo.output == "0\n" && sudo.errors.contains("/run/user/\(number)/bus"))
    let unknown = try RunningProgram.run(suzu, ["run", "--user", "nosuchuser", "--", "id"], environment: environment)
    #expect(unknown.status == 67 && unknown.output == "")
  }

  // MARK: The notification

  @Test func `A failed command is told with its duration, its status and its last error`() async throws {
    let session = try Session()
    try await Self.server(on: session) { server in
      let ended = try await offPool {
        try session.suzu(
          "run", "--sound", "none", "--", "sh", "-c", "echo first >&2; echo no tea >&2; echo out; exit 3")
      }
      #expect(ended.status == 3)
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.summary == "sh -c 'echo first >&2; echo no tea >&2; echo out; exit 3' failed")
      #expect(posted.body.wholeMatch(of: /exit status 3 after \d+m?s\nno tea/) != nil, "\(posted.body)")
      #expect(Self.labels(posted).suffix(2) == ["Again", "Show output"])
    }
  }

  @Test(arguments: [
    (["nosuchprogram"], Int32(127), "nosuchprogram: command not found"),
    (["sh", "-c", "echo oops >&2; kill -9 $$"], 137, #"ended by signal 9 \(Killed\) after [0-9]+m?s\noops"#),
  ])
  func `A command that is not there, and one that a signal ends, are told as failed`(
    words: [String], status: Int32, body: String
  ) async throws {
    let session = try Session()
    try await Self.server(on: session) { server in
      let ended = try await offPool { try session.suzu(["run", "--title", "T", "--"] + words) }
      #expect(ended.status == status)
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.summary == "T failed")
      #expect(try posted.body.wholeMatch(of: Regex(body)) != nil, "\(posted.body)")
    }
  }

  @Test func `A short success is silent, a long one is told`() async throws {
    let session = try Session()
    try await Self.server(on: session) { server in
      for words in [["--", "true"], ["--over", "1h", "--", "true"], ["--over", "0", "--title", "Tea", "--", "true"]] {
        let ended = try await offPool { try session.suzu(["run"] + words) }
        #expect(ended.status == 0 && ended.errors == "")
      }
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.summary == "Tea finished" && posted.body.hasPrefix("took "))
      let listed = try await offPool { try session.suzu("history", "--json") }.output
      #expect(listed.contains("\"command\":\"true\"") && !listed.contains("1h"))
    }
  }

  @Test func `Again runs the command once more in its folder, without the details of the click`() async throws {
    let session = try Session()
    let witness = try session.witness()
    try await Self.server(on: session) { server in
      let folder = try session.folder.write("", to: "a {folder}/.empty").replacing("/.empty", with: "")
      let script = "pwd >'\(session.folder.path("witness"))'; cat; echo \"{reply} $1\"; exit 7"
      _ = try await offPool {
        try session.run(
          "/bin/sh", "-c", "cd '\(folder)' && exec '\(Session.programs)/suzu' run --title T -- sh -c \"$1\" sh 'a b'",
          "sh",
          script)
      }
      #expect(try await witness.line() == folder)
      let first = try await server.posted.next(within: .seconds(15))
      #expect(first.summary == "T failed")
      try await server.press(first.number, "again")
      #expect(try await witness.line() == folder)
      let second = try await server.posted.next(within: .seconds(15))
      #expect(second.summary == "T failed" && Self.labels(second).contains("Show output"))
      let records = try FileManager.default.contentsOfDirectory(
        atPath: session.folder.path("home/.local/state/suzu/runs"))
      let logs = try records.filter { $0.hasSuffix(".log") }.map { name in
        let id = String(name.dropLast(4))
        return try session.suzu("run", "--show", id).output
      }
      #expect(logs == ["{reply} a b\n", "{reply} a b\n"])
    }
  }

  // The only button of a notification is what a click on it presses: a deployment ran twice because of that.
  @Test func `A click on the notification itself runs nothing again`() async throws {
    let session = try Session()
    try await Self.server(on: session) { server in
      let file = session.folder.path("runs")
      let ended = try await offPool {
        try session.suzu("run", "--keep", "none", "--", "sh", "-c", "echo run >>\"$0\"; exit 1", file)
      }
      #expect(ended.status == 1)
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.actions.prefix(2) == ["default", "Close"] && Self.labels(posted) == ["Close", "Again"])
      try await server.press(posted.number, "default")
      try await offPool { try session.wait(for: "unhandled", in: "history") }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "run\n")
    }
  }

  @Test(.enabled(if: TypedShell.canMakeTerminals, "no pseudo-terminals here"))
  func `What was typed in a terminal has buttons that open one`() async throws {
    let folder = try TemporaryFolder()
    let witness = folder.path("witness")
    try folder.write(
      "#!/bin/sh\nprintf '%s\\n' \"terminal $*\" >'\(witness)'\nexec \"$@\" </dev/null\n", to: "bin/xdg-terminal-exec",
      executable: true)
    try folder.write("#!/bin/sh\nsed 's/^/paged: /' >'\(witness)'\n", to: "bin/pager", executable: true)
    let session = try Session(
      variables: ["PATH": folder.path("bin") + ":/usr/bin:/bin", "PAGER": "pager"], in: folder)
    let lines = try session.witness()
    try await Self.server(on: session) { server in
      let shell = try TypedShell(.bash, in: session)
      shell.type("suzu run --keep all --title T -- sh -c 'echo some output; echo ran >\"$0\"; exit 1' '\(witness)'")
      #expect(try await lines.line() == "ran")
      let first = try await server.posted.next(within: .seconds(15))
      try await server.press(first.number, "output")
      let opened = try #require(try await lines.line())
      #expect(opened.hasPrefix("terminal sh -c ") && opened.contains(" run --show "), "\(opened)")
      #expect(try await lines.line() == "paged: some output")
      shell.type("suzu run --keep all --title T -- sh -c 'echo ran >\"$0\"; exit 1' '\(witness)'")
      #expect(try await lines.line() == "ran")
      let second = try await server.posted.next(within: .seconds(15))
      try await server.press(second.number, "again")
      let again = try #require(try await lines.line())
      #expect(again.hasPrefix("terminal sh -c ") && again.contains(" run --again run-"), "\(again)")
      #expect(try await lines.line() == "ran")
    }
  }

  @Test func `Wrong flags are errors before anything runs`() throws {
    let session = try Session(hasCenter: false)
    let mark = session.folder.path("mark")
    for (words, status, message) in [
      (["make"], 64, "put -- before the command: suzu run -- make …; see 'suzu run --help'"),
      ([], 64, "a command is missing; for example suzu run -- make; see 'suzu run --help'"),
      (["--"], 64, "a command is missing; for example suzu run -- make; see 'suzu run --help'"),
      (["--", ""], 64, "the command's name is empty; see 'suzu run --help'"),
      (["--over", "soon", "--", "touch", mark], 65, "'--over' must be a duration"),
      (["--level", "high", "--", "touch", mark], 65, "'--level' must be"),
      (["--keep", "some", "--", "touch", mark], 65, "'--keep some' must be one of auto, all and none"),
      (
        ["--progress", "--keep", "none", "--", "touch", mark], 64,
        "'--progress' reads the output, so it needs '--keep all'"
      ),
      (["--status", "3", "--", "touch", mark], 64, "'--status' needs '--took'"),
      (["--took", "3s", "--status", "x", "--", "make"], 65, "'--status x' must be a number from 0 to 255"),
      (["--show", "run-abc"], 66, "nothing is kept of 'run-abc'; the last 20 commands are, for 7d"),
      (["--again", "../x"], 65, "'../x' is not the id of a command; it begins with 'run-'"),
      (["--hook", "csh"], 65, "'--hook csh' must be one of bash, zsh and fish"),
    ] as [([String], Int32, String)] {
      let ended = try session.suzu(["run"] + words)
      #expect(ended.status == status && ended.output == "", "\(words)")
      #expect(ended.errors.hasPrefix("suzu: run: \(message)"), "\(ended.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  // MARK: Progress

  @Test func `Progress is updated in place, and its end takes its place`() async throws {
    let session = try Session()
    mkfifo(session.folder.path("go"), 0o600)
    try await Self.server(on: session) { server in
      let running = try session.start(
        "run", "--progress", "--title", "Copying", "--", "sh", "-c",
        "printf '\\033]9;4;1;10\\007'; cat '\(session.folder.path("go"))'; printf '\\033]9;4;1;60\\007'; cat '\(session.folder.path("go"))'; exit 1"
      )
      let first = try await server.posted.next(within: .seconds(15))
      #expect(
        first.summary == "Copying" && first.body == "10 %"
          && first.hints["value"].map { "\($0)" }?.contains("10") == true)
      _ = try await offPool { try session.run("/bin/sh", "-c", ": >'\(session.folder.path("go"))'") }
      let second = try await server.posted.next(within: .seconds(15))
      #expect(second.body == "60 %" && second.replaces == first.number)
      _ = try await offPool { try session.run("/bin/sh", "-c", ": >'\(session.folder.path("go"))'") }
      let last = try await server.posted.next(within: .seconds(15))
      #expect(last.summary == "Copying failed" && last.replaces == first.number)
      #expect(try await running.exit() == 1)
    }
  }

  @Test func `The progress of a short success goes with it, and a dismissed one stays away`() async throws {
    let session = try Session()
    mkfifo(session.folder.path("go"), 0o600)
    try await Self.server(on: session) { server in
      let running = try session.start(
        "run", "--progress", "--over", "1h", "--", "sh", "-c",
        "echo 10%; cat '\(session.folder.path("go"))'; echo 20%; cat '\(session.folder.path("go"))'")
      let first = try await server.posted.next(within: .seconds(15))
      _ = try await offPool { try session.run("/bin/sh", "-c", ": >'\(session.folder.path("go"))'") }
      let second = try await server.posted.next(within: .seconds(15))
      #expect(second.body == "20 %")
      _ = try await offPool { try session.run("/bin/sh", "-c", ": >'\(session.folder.path("go"))'") }
      #expect(try await server.closed.next(within: .seconds(15)) == first.number)
      #expect(try await running.exit() == 0)
    }
  }
}
