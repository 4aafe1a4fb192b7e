// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests notifications of an SSH session inside of a real tmux, whose terminal is scripted.
@Suite(
  .onOwnThread, .timeLimit(.minutes(3)), .enabled(if: Tmux.isThere, "tmux is not installed"))
struct TmuxTests {
  /// A tmux session in a terminal, with a server of its own.
  private struct Multiplexer {
    let ssh: SSHTerminal
    let folder: TemporaryFolder
    let client: RunningProgram

    init(type: String, passthrough: String, answer: String? = nil) throws {
      folder = try TemporaryFolder()
      ssh = try SSHTerminal(
        type: type,
        variables: [
          "TMUX_TMPDIR": folder.path(""), "LC_ALL": "C.UTF-8", "HOME": folder.path(""), "SHELL": "/bin/sh",
        ])
      try folder.write(
        "set -g allow-passthrough \(passthrough)\nset -g status off\nset -sg escape-time 0\nset -g default-command 'echo ready; exec sh'\n",
        to: "tmux.conf")
      client = try ssh.terminal.start(
        "sh", ["-c", "exec tmux -f '\(folder.path("tmux.conf"))' new-session -x 80 -y 24 >'\(ssh.terminal.path)'"],
        environment: ssh.environment)
      // tmux asks the terminal that it runs in.
      if let answer { ssh.terminal.send("\u{1B}P>|\(answer)\u{1B}\\") }
      #expect(ssh.terminal.awaitOutput("ready") != nil, "\(client.errors) \(ssh.terminal.output.debugDescription)")
    }

    func tmux(_ arguments: String...) throws -> String {
      try RunningProgram.run("tmux", arguments, environment: ssh.environment).output
    }

    /// Types a command line; its output, errors and status go to a file that ends with `end`.
    func run(_ line: String) {
      let suzu = Session.programs + "/suzu"
      ssh.terminal.send(
        "(\(line.replacing("suzu ", with: suzu + " "))) >'\(folder.path("out"))' 2>&1; echo \"status $?\" >>'\(folder.path("out"))'; "
          + "tmux wait-for -S done\n")
    }

    func result() throws -> String {
      _ = try tmux("wait-for", "done")
      return folder.read("out") ?? ""
    }
  }

  @Test func `A notification passes through tmux, and the answer comes back`() throws {
    let tmux = try Multiplexer(type: "xterm-kitty", passthrough: "on")
    defer { _ = try? tmux.tmux("kill-server") }
    tmux.run("suzu notify Tea --action ok=Thanks --id tea --wait")
    let question = "\u{1B}]99;i=suzu-question:p=?;\u{1B}\\"
    #expect(tmux.ssh.terminal.awaitOutput(question) != nil, "\(tmux.ssh.terminal.output.debugDescription)")
    tmux.ssh.terminal.send("\u{1B}]99;i=suzu-question:p=?;\(SSHTerminal.full)\u{1B}\\")
    let shown = try tmux.ssh.notification()
    #expect(shown.texts == ["title": "Tea", "buttons": "Thanks"])
    tmux.ssh.terminal.send("\u{1B}]99;i=suzu.tea;1\u{1B}\\")
    #expect(tmux.ssh.terminal.awaitOutput("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\") != nil)
    tmux.ssh.terminal.send("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\")
    #expect(
      try tmux.result()
        == "suzu: notify: warning: tmux hands the answer to the pane in front; keep this one there\nok\nstatus 0\n")
  }

  // tmux has a shell with job control, which a program alone on a terminal lacks.
  @Test func `Ctrl-Z gives the terminal back, and fg takes it again`() throws {
    let tmux = try Multiplexer(type: "xterm-kitty", passthrough: "on")
    defer { _ = try? tmux.tmux("kill-server") }
    let terminal = tmux.ssh.terminal
    let folder = tmux.folder
    terminal.send(
      "'\(Session.programs)/suzu' notify Tea --id tea --action ok=Thanks --wait >'\(folder.path("out"))' 2>&1\n")
    #expect(terminal.awaitOutput("\u{1B}]99;i=suzu-question:p=?;\u{1B}\\") != nil)
    terminal.send("\u{1B}]99;i=suzu-question:p=?;\(SSHTerminal.full)\u{1B}\\")
    _ = try tmux.ssh.notification()
    terminal.send("\u{1A}")
    #expect(terminal.awaitOutput("Stopped") != nil)
    terminal.send("stty -a >'\(folder.path("mode"))'; tmux wait-for -S done\n")
    _ = try tmux.tmux("wait-for", "done")
    let mode = folder.read("mode") ?? ""
    #expect(mode.contains(" icanon ") && mode.contains(" echo "), "\(mode)")
    terminal.send("fg; tmux wait-for -S done\n")
    terminal.send("\u{1B}]99;i=suzu.tea;1\u{1B}\\")
    #expect(terminal.awaitOutput("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\") != nil)
    terminal.send("\u{1B}]99;i=suzu.tea:p=close;\u{1B}\\")
    #expect(try tmux.result().hasSuffix("ok\n"))
  }

  @Test func `A pane that is not in front asks nothing, because the answer would be typed elsewhere`() throws {
    let tmux = try Multiplexer(type: "xterm-kitty", passthrough: "on")
    defer { _ = try? tmux.tmux("kill-server") }
    tmux.run("tmux split-window 'exec cat'; suzu notify Tea --id tea")
    let shown = try tmux.ssh.notification()
    #expect(shown.texts == ["title": "Tea"])
    #expect(try tmux.result() == "tea\nstatus 0\n")
    #expect(!tmux.ssh.terminal.output.contains("suzu-question"))
  }

  @Test func `A tmux that passes nothing on is named, with its remedy`() throws {
    let tmux = try Multiplexer(type: "xterm-kitty", passthrough: "off")
    defer { _ = try? tmux.tmux("kill-server") }
    tmux.run("suzu notify Tea")
    #expect(
      try tmux.result()
        == "suzu: notify: there is no bus of a desktop session, and this terminal cannot show it: tmux passes no notifications on from "
        + "here; run 'tmux set -g allow-passthrough on', or 'all' for windows that are not in front\nstatus 69\n")
  }
}

private enum Tmux {
  static let isThere = ProcessInfo.processInfo.environment["CI"] == "true" || RunningProgram.path(of: "tmux") != nil
}
