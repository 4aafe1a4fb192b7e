// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: a sleep of the shell is the long command.
import Foundation
import TestSupport
import Testing

/// Tests that the hooks of `suzu run --hook` are silent while their terminal is in front, with the real programs that
/// know it: tmux, and a window manager of X11 with kitty.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct ShellFocusTests {
  private static let mustRun = ProcessInfo.processInfo.environment["CI"] == "true"

  private static let line = "eval \"$(suzu run --hook bash --over 1s)\""

  /// The environment of a shell for which `program` is the real one, and says in the pipe `asked` that it has answered:
  /// the hook asks in the background.
  private static func environment(
    _ session: Session, telling program: String, _ variables: [String: String]
  ) throws -> [String: String] {
    let folder = session.folder
    try FileManager.default.createDirectory(atPath: folder.path("home"), withIntermediateDirectories: true)
    mkfifo(folder.path("asked"), 0o600)
    let real = try #require(RunningProgram.path(of: program))
    try folder.write(
      """
      #!/bin/sh
      '\(real)' "$@"
      status=$?
      case "$1" in -root | display-message) echo >'\(folder.path("asked"))' ;; esac
      exit $status

      """, to: "bin/\(program)", executable: true)
    let path = "\(folder.path("bin")):\(Session.programs):/usr/bin:/bin"
    return session.environment.merging(["PATH": path, "LC_ALL": "C.UTF-8", "PS1": "> "].merging(variables) { $1 }) {
      $1
    }
  }

  @Test(.enabled(if: mustRun || RunningProgram.path(of: "tmux") != nil, "tmux is not installed"))
  func `A command in the pane of tmux that is in front is not told`() async throws {
    let session = try Session()
    let folder = session.folder
    let environment = try Self.environment(
      session, telling: "tmux", ["TMUX_TMPDIR": folder.path(""), "TERM": "xterm-256color"])
    try folder.write(
      "set -g focus-events on\nset -g status off\nset -sg escape-time 0\n"
        + "set -g default-command 'echo ready; exec bash --norc --noprofile -i'\n", to: "tmux.conf")
    @Sendable func tmux(_ words: String...) throws -> String {
      try RunningProgram.run("/usr/bin/tmux", words, environment: environment).output
    }
    defer { _ = try? tmux("kill-server") }
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      let terminal = try PseudoTerminal()
      let client = try terminal.start(
        "sh", ["-c", "exec tmux -f '\(folder.path("tmux.conf"))' new-session -x 80 -y 24 >'\(terminal.path)'"],
        environment: environment)
      #expect(try await offPool { terminal.awaitOutput("ready") } != nil, "\(client.errors)")
      terminal.send("\(Self.line)\nexec 9<>'\(folder.path("asked"))'\n")
      // A terminal reports so that it is in front, and that it no longer is.
      terminal.send("\u{1B}[I")
      terminal.send("sleep 1.1\nread -r answer <&9\nsuzu run --away -- sh -c 'exit 1'\ntmux wait-for -S done\n")
      _ = try await offPool { try tmux("wait-for", "done") }
      terminal.send("\u{1B}[O")
      terminal.send("sleep 1.2\n")
      #expect(try await server.posted.next(within: .seconds(20)).summary == "sleep 1.2 finished")
      // In front again, but another window of tmux is shown.
      terminal.send("\u{1B}[I")
      _ = try await offPool {
        _ = try tmux("new-window", "-n", "other", "exec cat")
        return try tmux("send-keys", "-t", ":0", "sleep 1.3", "Enter")
      }
      #expect(try await server.posted.next(within: .seconds(20)).summary == "sleep 1.3 finished")
    }
  }

  private static let desktop = ["Xvfb", "openbox", "kitty", "xprop", "xdotool"]

  @Test(
    .enabled(
      if: mustRun || desktop.allSatisfy { RunningProgram.path(of: $0) != nil },
      "Xvfb, openbox, kitty, xprop or xdotool is not installed"))
  func `A command in the window of X11 that is in front is not told`() async throws {
    let session = try Session()
    let folder = session.folder
    let screen = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"], environment: session.environment)
    let display = try #require(try await offPool { screen.readLine(within: 20) }, "\(screen.errors)")
    let environment = try Self.environment(
      session, telling: "xprop",
      ["DISPLAY": ":" + display, "LIBGL_ALWAYS_SOFTWARE": "1", "KITTY_CONFIG_DIRECTORY": folder.path("kitty")])
    let manager = try RunningProgram("openbox", [], environment: environment)
    // The shell reads its lines from a pipe, and says in another one that it has come to this point.
    mkfifo(folder.path("lines"), 0o600)
    mkfifo(folder.path("done"), 0o600)
    let shell =
      "exec 7<>'\(folder.path("asked"))' 8<>'\(folder.path("lines"))' 9<>'\(folder.path("done"))'; "
      + "exec bash --norc --noprofile -i <&8"
    /// Starts a terminal with a program, waits for its window, and puts it in front.
    @Sendable func open(_ title: String, _ program: [String]) async throws -> RunningProgram {
      let kitty = try RunningProgram(
        "kitty", ["--config", "NONE", "-o", "update_check_interval=0", "--title", title] + program,
        environment: environment)
      let words = ["search", "--sync", "--name", "^\(title)$", "windowactivate", "--sync"]
      let activated = try await offPool {
        try RunningProgram.run("xdotool", words, environment: environment, within: 30)
      }
      #expect(activated.status == 0, "\(activated.errors) \(kitty.errors) \(manager.errors)")
      return kitty
    }
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      let first = try await open("first", ["sh", "-c", shell])
      @Sendable func type(_ lines: String...) async throws {
        let script =
          "printf '%s\\n' \"$0\" 'echo >&9' >'\(folder.path("lines"))'; read -r line <'\(folder.path("done"))'"
        let typed = try await offPool {
          try RunningProgram.run(
            "/bin/sh", ["-c", script, lines.joined(separator: "\n")], environment: environment, within: 30)
        }
        #expect(typed.status == 0, "\(first.errors)")
      }
      try await type(Self.line, "sleep 1.1", "read -r answer <&7", "suzu run --away -- sh -c 'exit 1'")
      let second = try await open("second", ["cat"])
      try await type("sleep 1.2")
      let posted = try await server.posted.next(within: .seconds(20))
      #expect(posted.summary == "sleep 1.2 finished", "\(second.errors)")
    }
  }
}
