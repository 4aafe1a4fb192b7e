// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests notifications over the real OpenSSH, in a scripted terminal.
@Suite(
  .onOwnThread, .timeLimit(.minutes(3)),
  .enabled(if: LoopbackSSH.isPossible, "openssh-server or bubblewrap is not installed, or may not make namespaces"))
struct OpenSSHTests {
  private static func login(
    _ line: String, _ ssh: LoopbackSSH, type: String = "xterm-256color", flags: [String] = ["-tt"]
  ) throws -> (SSHTerminal, RunningProgram) {
    let terminal = try SSHTerminal(type: type)
    let words = ssh.words(flags + [LoopbackSSH.address, LoopbackSSH.suzu(line)])
    return (
      terminal,
      try terminal.terminal.start(
        "sh", ["-c", "exec ssh \"$@\" >'\(terminal.terminal.path)'", "sh"] + words,
        environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TERM": type])
    )
  }

  @Test func `A question over SSH is answered in the terminal at home`() throws {
    let ssh = try LoopbackSSH()
    let (terminal, login) = try Self.login("ask 'Deploy?' --id q", ssh)
    #expect(terminal.answer(SSHTerminal.full))
    let shown = try terminal.notification()
    #expect(shown.texts == ["title": "Deploy?", "buttons": "Yes\u{2028}No"])
    terminal.terminal.send("\u{1B}]99;i=suzu.q;2\u{1B}\\\u{1B}]99;i=suzu.q:p=close;\u{1B}\\")
    #expect(login.waitForExit() == 1, "\(login.errors)")
    #expect(terminal.terminal.awaitOutput("no\r\n") != nil)
  }

  @Test func `A link that dies takes the question with it`() throws {
    let ssh = try LoopbackSSH()
    let folder = try TemporaryFolder()
    let done = folder.path("done")
    mkfifo(done, 0o600)
    let result = try RunningProgram("cat", [done], environment: ["PATH": "/usr/bin:/bin"])
    let (terminal, login) = try Self.login("ask 'Deploy?' --id q --default no >\(done) 2>&1", ssh)
    #expect(terminal.answer(SSHTerminal.full))
    _ = try terminal.notification()
    login.kill()
    terminal.terminal.hangUp()
    #expect(result.readLines(until: "using the default 'no'")?.first == "no")
  }

  // A cable that is pulled out, or a laptop that sleeps: nothing tells the other end.
  @Test func `When a link falls silent, the script gets its default and a reason`() throws {
    let ssh = try LoopbackSSH(losesSilentLinks: true)
    let folder = try TemporaryFolder()
    let done = folder.path("done")
    mkfifo(done, 0o600)
    let result = try RunningProgram("cat", [done], environment: ["PATH": "/usr/bin:/bin"])
    let (terminal, login) = try Self.login("ask 'Deploy?' --id q --default no >\(done) 2>&1", ssh)
    #expect(terminal.answer(SSHTerminal.full))
    _ = try terminal.notification()
    let client = try #require(try SSHTerminalTests.child(of: login))
    kill(client, SIGSTOP)
    defer { kill(client, SIGKILL) }
    #expect(
      result.readLines(until: "default") == ["no", "suzu: ask: the terminal has ended; using the default 'no'"])
  }

  @Test func `Without a terminal nothing is sent to one`() throws {
    let ssh = try LoopbackSSH()
    let (terminal, login) = try Self.login("notify Tea", ssh, type: "xterm-kitty", flags: ["-T"])
    #expect(login.waitForExit() == 69)
    #expect(login.errors.hasPrefix("suzu: notify: no bus at 'unix:path=/nowhere/bus'"), "\(login.errors)")
    #expect(terminal.terminal.output == "")
  }
}
