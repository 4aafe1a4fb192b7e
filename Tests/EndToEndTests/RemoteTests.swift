// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

/// Tests that programs of another machine reach the desktop at home, over its socket and over the real OpenSSH.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct RemoteTests {
  /// A desktop at home that serves the machine `build`.
  private struct Home {
    let session: Session
    let server: RunningProgram
    let socket: String

    init() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("run"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      session = try Session(variables: ["XDG_RUNTIME_DIR": folder.path("run")], in: folder)
      server = try session.start("remote", "serve", "build")
      socket = folder.path("run/suzu/remote-build.sock")
      #expect(server.readLine() == "serving 'build' at \(socket)", "\(server.errors)")
    }

    /// The environment of the other machine.
    var remote: [String: String] {
      [
        "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "SUZU_HOME_SOCKET": socket,
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus",
      ]
    }

    func suzu(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run(Session.programs + "/suzu", arguments, environment: remote)
    }

    func start(_ arguments: String...) throws -> RunningProgram {
      try RunningProgram(Session.programs + "/suzu", arguments, environment: remote)
    }
  }

  @Test func `A request of another machine is shown, listed and cancelled as its own app`() async throws {
    let home = try Home()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: home.session.bus, loop)
      let sent = try await offPool { try home.suzu("notify", "Built", "in 4 min", "--id", "b", "--icon", "/x/y.png") }
      #expect(sent.status == 0 && sent.output == "b\n")
      #expect(
        sent.errors.hasSuffix(
          "suzu: notify: warning: your desktop shows it without 'icon', which it takes from no other machine\n"),
        "\(sent.errors)")
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.summary == "Built" && posted.hints["desktop-entry"] == .string("dev.suzu.Remote.build"))
      let shown = try await offPool { try home.suzu("list", "--delivered", "--json") }
      #expect(shown.output.contains(#""app":"dev.suzu.Remote.build""#), "\(shown)")
      let dismissed = try await offPool { try home.suzu("dismiss", "b") }
      #expect(dismissed.status == 0, "\(dismissed.errors)")
      #expect(try await server.closed.next(within: .seconds(10)) == posted.number)
    }
    #expect(try home.suzu("notify", "Later", "--in", "1h", "--id", "l").output == "l\n")
    #expect(try home.session.suzu("notify", "Mine", "--in", "1h", "--id", "m").status == 0)
    #expect(try home.suzu("list").output.contains("Later"))
    #expect(try !home.suzu("list").output.contains("Mine"))
    let denied = try home.suzu("cancel", "m")
    #expect(denied.status == 65)
    #expect(denied.errors == "suzu: cancel: this machine has no request 'm' pending at home; see 'suzu list'\n")
    #expect(try home.suzu("cancel", "l").status == 0)
    #expect(try home.session.suzu("list", "--json").output.contains("Mine"))
  }

  @Test(arguments: [
    (
      ["notify", "x", "--action", "a=A", "--run", "a=true"], Int32(77),
      "'run' is not for sandboxed programs (action 'a')"
    ),
    (["notify", "x", "--url", "file:///etc/passwd"], 77, "'file:' URLs are not for sandboxed programs"),
    (
      ["notify", "x", "--app", "dev.suzu.Suzu"], 77,
      "'app' must be 'dev.suzu.Remote.build' for this sandboxed program"
    ),
    (["notify", "x", "--every", "never"], 65, "'--every"),
    (["list", "--app", "dev.suzu.Suzu"], 77, "at home, this machine sees only its own requests"),
  ])
  func `What another machine may not do is refused`(words: [String], status: Int32, message: String) throws {
    let home = try Home()
    let refused = try RunningProgram.run(Session.programs + "/suzu", words, environment: home.remote)
    #expect(refused.status == status && refused.output == "", "\(refused)")
    #expect(refused.errors.hasPrefix("suzu: \(words[0]): \(message)"), "\(refused.errors)")
  }

  @Test func `A question is answered at home`() async throws {
    let home = try Home()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: home.session.bus, loop)
      let asking = try home.start("ask", "Deploy?", "--id", "q")
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.timeout == 0 && posted.actions.suffix(4) == ["yes", "Yes", "no", "No"])
      try await server.press(posted.number, "no")
      #expect(try await asking.exit() == 1)
      #expect(try await asking.line() == "no")
      #expect(asking.errors == "")
      // A destructive button waits for what the center says.
      let erasing = try home.start("ask", "Erase?", "--destructive", "yes")
      let other = try await server.posted.next(within: .seconds(15))
      try await server.press(other.number, "yes")
      #expect(try await erasing.exit() == 0)
      let waiting = try home.start("notify", "Tea", "--action", "ok=Thanks", "--wait")
      let tea = try await server.posted.next(within: .seconds(15))
      try await server.tellClosed(tea.number, reason: 2)
      #expect(try await waiting.exit() == 1)
    }
  }

  @Test func `A question goes when its asker is killed, at its limit, and when the server at home ends`() async throws {
    let home = try Home()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: home.session.bus, loop)
      let killed = try home.start("ask", "Deploy?")
      let first = try await server.posted.next(within: .seconds(15))
      killed.kill()
      #expect(try await server.closed.next(within: .seconds(10)) == first.number)
      let limited = try home.start("ask", "Deploy?", "--timeout", "1s", "--default", "no")
      let second = try await server.posted.next(within: .seconds(15))
      #expect(try await server.closed.next(within: .seconds(10)) == second.number)
      #expect(try await limited.exit() == 1)
      #expect(limited.errors == "suzu: ask: no answer within 1s; using the default 'no'\n")
      let lost = try home.start("ask", "Deploy?", "--default", "no")
      let third = try await server.posted.next(within: .seconds(15))
      home.server.signal(SIGTERM)
      #expect(try await server.closed.next(within: .seconds(10)) == third.number)
      #expect(try await lost.exit() == 1)
      #expect(
        lost.errors == "suzu: ask: the link to the desktop at home has ended; using the default 'no'\n",
        "\(lost.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: home.socket))
  }

  @Test(arguments: [
    "not json\n", "[1]\n", "{}\n", "{\"call\":\"run\"}\n", "{\"call\":\"notify\"}\n",
    "{\"call\":\"cancel\",\"ids\":[1]}\n",
    "{\"call\":\"ask\",\"request\":{\"title\":\"x\"", String(repeating: "x", count: 600_000) + "\n",
  ])
  func `Bad lines end their connection and nothing else`(line: String) throws {
    let home = try Home()
    _ = try? RunningProgram.run(
      "python3",
      [
        "-c",
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(5)
        data = sys.stdin.buffer.read()
        try:
          s.sendall(data); s.shutdown(socket.SHUT_WR)
          while s.recv(65536): pass
        except OSError: pass
        """, home.socket,
      ], environment: home.session.environment, input: line)
    #expect(home.server.isRunning)
    #expect(try home.suzu("notify", "x", "--in", "1h", "--id", "x").output == "x\n")
  }

  @Test func `Connections beyond the limit are refused, and later ones served again`() throws {
    let home = try Home()
    let hog = try RunningProgram(
      "python3",
      [
        "-u", "-c",
        """
        import socket, sys
        all = [socket.socket(socket.AF_UNIX) for _ in range(64)]
        for s in all: s.connect(sys.argv[1]); s.recv(4096)
        print('full'); sys.stdin.read()
        """, home.socket,
      ], environment: home.session.environment)
    #expect(hog.readLine() == "full")
    #expect(try home.suzu("notify", "x", "--in", "1h").status == 69)
    hog.kill()
    #expect(try home.suzu("notify", "x", "--in", "1h").status == 0)
  }

  @Test func `A second server for the same machine, and a wrong name, are errors`() throws {
    let home = try Home()
    let second = try home.session.suzu("remote", "serve", "build")
    #expect(second.status == 69 && second.errors == "suzu: remote: '\(home.socket)' is served already\n")
    let wrong = try home.session.suzu("remote", "serve", "a/b")
    #expect(wrong.status == 65 && wrong.errors.hasPrefix("suzu: remote: 'a/b' is no name for a machine: "))
    // What a killed one left is no obstacle.
    home.server.kill()
    let next = try home.session.start("remote", "serve", "build")
    #expect(next.readLine()?.hasPrefix("serving ") == true)
  }

  @Test func `A socket that nothing serves is as good as none`() throws {
    let home = try Home()
    home.server.kill()
    let sent = try home.suzu("notify", "x")
    #expect(sent.status == 69)
    #expect(sent.errors.hasPrefix("suzu: notify: no bus at 'unix:path=/nowhere/bus'"), "\(sent.errors)")
  }

  // MARK: OpenSSH

  @Test(
    .enabled(if: LoopbackSSH.isPossible, "openssh-server or bubblewrap is not installed, or may not make namespaces"))
  func `OpenSSH carries the socket, and a link that dies takes the question with it`() async throws {
    let home = try Home()
    let ssh = try LoopbackSSH()
    let there = ssh.folder.path("home.sock")
    @Sendable func login(_ line: String) throws -> RunningProgram {
      try RunningProgram(
        "ssh",
        ssh.words([
          "-o", "ExitOnForwardFailure=yes", "-R", "\(there):\(home.socket)", LoopbackSSH.address,
          LoopbackSSH.suzu(line, "SUZU_HOME_SOCKET='\(there)'"),
        ]), environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
    }
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: home.session.bus, loop)
      let sent = try login("notify Built --id b")
      #expect(try await sent.exit() == 0, "\(sent.errors)")
      #expect(try await sent.line() == "b")
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Built")
      let done = ssh.folder.path("done")
      mkfifo(done, 0o600)
      let asking = try login("ask 'Deploy?' --default no >'\(done)' 2>&1")
      let reading = try RunningProgram("cat", [done], environment: ["PATH": "/usr/bin:/bin"])
      let posted = try await server.posted.next(within: .seconds(15))
      asking.kill()
      #expect(try await server.closed.next(within: .seconds(15)) == posted.number)
      #expect(try await reading.line() == "no")
      #expect(
        try await offPool { reading.readLines(until: "using the default 'no'") } != nil)
    }
  }

  @Test func `Doctor names the link`() throws {
    let home = try Home()
    let doctor = try home.suzu("doctor")
    #expect(doctor.status == 0)
    #expect(doctor.output.contains("ok       desktop at home: reached over SSH, as the app dev.suzu.Remote.build"))
    home.server.kill()
    #expect(
      try home.suzu("doctor").output.contains(
        "partly   desktop at home: the socket '\(home.socket)' does not answer; run 'suzu remote serve' at home"))
    let lines = try home.session.suzu("doctor", "--ssh", "build")
    #expect(lines.status == 0 && lines.output.contains(":\(home.socket) build\n"))
  }
}
