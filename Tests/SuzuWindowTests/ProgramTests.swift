// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the program itself: its start, its options, and what it says where something is missing.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct ProgramTests {
  private static let program = Session.programs + "/suzu-window"

  @Test func `Without a screen it says so in one sentence`() throws {
    let session = try Session()
    let done = try RunningProgram.run(Self.program, environment: session.environment)
    #expect(done.status == 69 && done.output.isEmpty)
    #expect(done.errors == "suzu-window: no screen: set WAYLAND_DISPLAY or DISPLAY to one that can be opened\n")
  }

  @Test func `It prints its help and its version, and refuses other options`() throws {
    let session = try Session()
    let help = try RunningProgram.run(Self.program, ["--help"], environment: session.environment)
    #expect(help.status == 0 && help.output.hasPrefix("suzu-window: ") && help.errors.isEmpty)
    let version = try RunningProgram.run(Self.program, ["--version"], environment: session.environment)
    #expect(version.output.hasPrefix("suzu-window "))
    let other = try RunningProgram.run(Self.program, ["--fast"], environment: session.environment)
    #expect(other.status == 64 && other.errors.contains("'--fast' is not an option"))
  }

  @Test func `Without a center each page says so`() throws {
    let stage = try WindowStage(hasCenter: false)
    try stage.see("No connection")
    try stage.see(containing: "The notification center cannot be reached: ")
    // It is there as soon as the center is.
    let center = try stage.session.startCenter()
    try stage.see("Nothing is coming up")
    center.kill()
  }

  @Test func `Without a session bus it says so in one sentence`() throws {
    let stage = try WindowStage(opens: false)
    // No screen reader reaches it: GTK finds the accessibility bus through the session bus.
    try stage.open(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus", "GTK_A11Y": "none"])
    let line = try #require(stage.window.readErrors(until: "suzu-window: no session bus: ")?.last)
    #expect(line.contains("no bus at 'unix:path=/nonexistent/bus': "))
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
  }

  @Test func `The bus starts it with an action, and a second start shows the same window`() throws {
    let stage = try WindowStage(opens: false)
    let call = [
      "call", "--session", "--dest", "dev.suzu.Suzu", "--object-path", "/dev/suzu/Suzu", "--method",
      "org.freedesktop.Application.ActivateAction", "new-alarm", "[]", "{}",
    ]
    let called = try RunningProgram.run("gdbus", call, environment: stage.session.environment)
    #expect(called.status == 0, "\(called.errors)")
    try stage.awaitWindow("New alarm")
    let owner = try #require(try stage.session.process(of: "dev.suzu.Suzu"))
    let second = try stage.start()
    #expect(second.waitForExit(within: 20) == 0)
    #expect(try stage.session.process(of: "dev.suzu.Suzu") == owner)
    kill(owner, SIGTERM)
  }
}
