// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

/// Tests notifications of an SSH session in the real kitty, on a screen in memory.
@Suite(
  .onOwnThread, .timeLimit(.minutes(3)), .enabled(if: Kitty.isThere, "kitty or Xvfb is not installed"))
struct KittyTests {
  /// Runs `suzu` in a kitty whose notifications come to a scripted server.
  private static func inKitty(
    _ line: String, _ body: @escaping @Sendable (ScriptedServer, RunningProgram, TemporaryFolder) async throws -> Void
  ) async throws {
    let session = try Session(hasCenter: false)
    let screen = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"], environment: session.environment)
    let display = try #require(try await offPool { screen.readLine(within: 20) }, "\(screen.errors)")
    let suzu = Session.programs + "/suzu"
    let script = try session.folder.write(
      """
      export SSH_TTY="$(tty)" SSH_CONNECTION='192.0.2.1 50000 192.0.2.2 22' DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere/bus
      \(line.replacing("suzu ", with: suzu + " ")) >'\(session.folder.path("out"))' 2>&1
      echo "status $?" >>'\(session.folder.path("out"))'
      """, to: "script")
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      let kitty = try RunningProgram(
        "kitty", ["--config", "NONE", "-o", "update_check_interval=0", "sh", script],
        environment: session.environment.merging([
          "DISPLAY": ":" + display, "LIBGL_ALWAYS_SOFTWARE": "1",
          "KITTY_CONFIG_DIRECTORY": session.folder.path("kitty"),
          "LC_ALL": "C.UTF-8",
        ]) { $1 })
      try await body(server, kitty, session.folder)
    }
  }

  @Test func `kitty shows the title and the body`() async throws {
    try await Self.inKitty("suzu notify 'Häuser; done' 'Line 1' --id build --level critical") { server, kitty, folder in
      let posted = try await server.posted.next(within: .seconds(30))
      #expect(posted.summary == "Häuser; done" && posted.body == "Line 1")
      #expect(try await offPool { kitty.waitForExit(within: 20) } == 0, "\(kitty.errors)")
      #expect(folder.read("out")?.hasSuffix("build\nstatus 0\n") == true, "\(folder.read("out") ?? "")")
      if Kitty.answers { #expect(posted.hints["urgency"] == .byte(2)) }
    }
  }

  @Test(.enabled(if: Kitty.answers, "this kitty is older than 0.36, which hands back no answers"))
  func `kitty hands back the pressed button`() async throws {
    try await Self.inKitty("suzu ask 'Deploy?' --timeout 30s") { server, kitty, folder in
      let posted = try await server.posted.next(within: .seconds(30))
      let labels = stride(from: 1, to: posted.actions.count, by: 2).map { posted.actions[$0] }
      let index = try #require(labels.firstIndex(of: "No"), "\(posted.actions)")
      try await server.press(posted.number, posted.keys[index])
      try await server.tellClosed(posted.number, reason: 2)
      #expect(try await offPool { kitty.waitForExit(within: 20) } == 0, "\(kitty.errors)")
      #expect(folder.read("out")?.hasSuffix("no\nstatus 1\n") == true, "\(folder.read("out") ?? "")")
    }
  }
}

/// The terminal, as far as it is installed.
enum Kitty {
  static let isThere =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || ["kitty", "Xvfb"].allSatisfy { RunningProgram.path(of: $0) != nil }

  /// Whether this kitty answers questions: from 0.36 on.
  static let answers: Bool = {
    let text = (try? RunningProgram.run("kitty", ["--version"], environment: ["PATH": "/usr/bin:/bin"]))?.output ?? ""
    let numbers = text.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= (0, 36)
  }()
}
