// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A notification server that draws no buttons and reports no clicks.
private enum SilentServer {
  static let command = "/usr/bin/python3 -m dbusmock --template notification_daemon"
  static let isInstalled =
    (try? RunningProgram.run("/usr/bin/python3", ["-c", "import dbusmock"], environment: [:]).status) == 0
}

/// Tests that a sandboxed app is asked about in the dialog of the window, on a desktop whose popups cannot be clicked.
@Suite(
  .onOwnThread, .timeLimit(.minutes(5)),
  .enabled(if: WindowStage.isPossible && Bubblewrap.isPossible && SilentServer.isInstalled))
struct PermissionTests {
  private static let app = "org.example.Boxed"
  /// A call of the app's `Register`, which waits for the user, and the dialog.
  private static func register() throws -> (WindowStage, RunningProgram) {
    let stage = try WindowStage(opens: false, services: ["org.freedesktop.Notifications": SilentServer.command])
    let words = try words(stage)
    let call = try RunningProgram(words[0], Array(words.dropFirst()), environment: stage.session.environment)
    try stage.awaitWindow("Question from \u{2068}Suzu\u{2069}")
    try stage.see(containing: "Let '\(app)' notify you?")
    let lines = try stage.commandLines(of: "suzu-window")
    #expect(lines.count == 1 && lines[0].hasSuffix(" --dialog"), "\(lines)")
    return (stage, call)
  }

  /// The call from inside the sandbox.
  private static func words(_ stage: WindowStage) throws -> [String] {
    let folder = stage.session.folder
    let info = try folder.write("[Application]\nname=\(app)\n", to: "info")
    return Bubblewrap.words(folder, info: info)
      + ["gdbus", "call", "--session", "--timeout", "60", "-d", "dev.suzu.Center", "-o", "/dev/suzu/Center"]
      + ["-m", "dev.suzu.Center1.Register", app, "['alert', 'sound']"]
  }

  @Test func `Allowed with the keyboard, an app that registers is told so, and is not asked about again`() throws {
    let (stage, call) = try Self.register()
    // The text has the keyboard first, then the answers.
    try stage.keys("Tab", "space")
    #expect(call.waitForExit(within: 20) == 0, "\(call.errors)")
    #expect(call.readLine() == "(['alert', 'sound'],)")
    try stage.awaitAbsence(of: "asks through Suzu")
    #expect(try stage.session.suzu("apps", "--json").output.contains(#/"allowed":\[[^\]]*"alert"/#))
    // Asked again, it is answered at once.
    let words = try Self.words(stage)
    let again = try RunningProgram.run(words[0], Array(words.dropFirst()), environment: stage.session.environment)
    #expect(again.output == "(['alert', 'sound'],)\n", "\(again.errors)")
  }

  @Test func `Refused, it is told that it may do nothing`() throws {
    let (stage, call) = try Self.register()
    try stage.press("Don't Allow")
    #expect(call.waitForExit(within: 20) == 0, "\(call.errors)")
    #expect(call.readLine() == "(@as [],)")
    try stage.awaitAbsence(of: "asks through Suzu")
  }
}
