// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A real notification server that draws no buttons and counts from 2: dunst, under a screen in memory.
@Suite(
  .serialized, .onOwnThread, .timeLimit(.minutes(5)),
  .enabled(if: Desktop.isThere, "dunst, Xvfb or xdotool is not installed"))
struct DunstTests {
  @Test func `The middle click opens the URL, through xdg-open`() throws {
    let desktop = try Desktop()
    let watch = try desktop.session.start("watch")
    let sent = try desktop.session.suzu(
      "notify", "Minutes", "They are <b>here</b> & now", "--url", "https://example.org/m")
    #expect(sent.status == 0)
    #expect(desktop.witness.readLine() == "drawn Minutes: They are &lt;b&gt;here&lt;/b&gt; &amp; now")
    try desktop.photograph("dunst")
    try desktop.click(2)
    #expect(desktop.witness.readLine() == "opened https://example.org/m")
    #expect(watch.readLines(until: "outcome of")?.last?.hasSuffix(": done") == true)
  }

  @Test func `The middle click, or dunstctl, is the default action; the left one dismisses`() throws {
    let desktop = try Desktop()
    for (finger, output, status) in [("middle", "default", Int32(0)), ("dunstctl", "default", 0), ("left", nil, 1)] {
      let asking = try desktop.session.start("notify", finger, "--action", "yes=Yes", "--wait")
      #expect(desktop.witness.readLine() == "drawn \(finger): ")
      switch finger {
      case "middle": try desktop.click(2)
      case "left": try desktop.click(1)
      // It leaves the popup open; the center closes it.
      default: #expect(try desktop.run("dunstctl", "action").status == 0)
      }
      #expect(asking.waitForExit() == status, "\(finger)")
      #expect(asking.readLine() == output, "\(finger)")
    }
    #expect(try desktop.run("dunstctl", "count", "displayed").output == "0\n")
  }

  @Test func `What expires is closed and told of`() throws {
    let desktop = try Desktop()
    let asked = try desktop.session.suzu("notify", "Gone soon", "--expires", "300ms", "--wait")
    #expect(asked.status == 1 && asked.errors == "")
  }

  @Test func `The same id replaces the popup`() throws {
    let desktop = try Desktop()
    let asking = try desktop.session.start("notify", "First", "--id", "same", "--style", "alert", "--wait")
    #expect(desktop.witness.readLine() == "drawn First: ")
    #expect(try desktop.session.suzu("notify", "Second", "--id", "same", "--style", "alert").status == 0)
    #expect(desktop.witness.readLine() == "drawn Second: ")
    #expect(try desktop.run("dunstctl", "count", "displayed").output == "1\n")
    try desktop.click(2)
    #expect(asking.readLine() == "default")
  }

  @Test func `A dunst that was killed and comes back shows an alert again, and its click counts`() throws {
    let desktop = try Desktop()
    let watch = try desktop.session.start("watch")
    let asking = try desktop.session.start("notify", "Answer me", "--style", "alert", "--wait")
    #expect(desktop.witness.readLine() == "drawn Answer me: ")
    #expect(try desktop.session.suzu("notify", "Just so you know").status == 0)
    #expect(desktop.witness.readLine() == "drawn Just so you know: ")
    desktop.killServer()
    #expect(watch.readLines(until: "vanished") != nil)
    try desktop.startServer()
    #expect(desktop.witness.readLine() == "drawn Answer me: ")
    try desktop.click(2)
    #expect(asking.readLine() == "default")
    #expect(asking.waitForExit() == 0)
  }
}

/// A screen in memory with dunst on it, and a session.
private final class Desktop {
  let session: Session
  /// What dunst drew and what the browser opened, in order.
  let witness: RunningProgram
  private let screen: RunningProgram
  private let environment: [String: String]
  private var server: RunningProgram?

  /// Where somebody must be able to rely on these tests, what they need has to be there.
  static var isThere: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true"
      || ["dunst", "Xvfb", "xdotool"].allSatisfy { RunningProgram.path(of: $0) != nil }
  }

  init() throws {
    session = try Session()
    witness = try session.witness()
    // It takes a display that is free, and says which once it is ready.
    screen = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"], environment: session.environment)
    guard let display = screen.readLine(within: 20) else { throw TestFailure("Xvfb: \(screen.errors)") }
    environment = session.environment.merging(["DISPLAY": ":" + display]) { $1 }
    // As in the package's own configuration, and dunst runs a script for each notification that it draws. (With no word
    // on markup, dunst 1.9 reads markup and does not say so.)
    let script = try session.folder.write(
      "#!/bin/sh\nprintf 'drawn %s: %s\\n' \"$2\" \"$3\" >'\(session.folder.path("witness"))'\n", to: "drawn",
      executable: true)
    try session.folder.write("[global]\nmarkup = full\n[witness]\nsummary = \"*\"\nscript = \(script)\n", to: "dunstrc")
    try startServer()
  }

  func startServer() throws {
    server = try RunningProgram("dunst", ["-conf", session.folder.path("dunstrc")], environment: environment)
    guard try session.awaitOwner(of: "org.freedesktop.Notifications") else {
      throw TestFailure("dunst: \(server?.errors ?? "")")
    }
  }

  func killServer() {
    server?.kill()
    server = nil
  }

  func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(program, arguments, environment: environment)
  }

  /// Presses a button of the mouse on the topmost popup, once it is on the screen.
  func click(_ button: Int) throws {
    let clicked = try run(
      "xdotool", "search", "--sync", "--onlyvisible", "--class", "Dunst", "mousemove", "--window", "%1", "20", "15",
      "click",
      "\(button)")
    #expect(clicked.status == 0, "\(clicked.errors)")
  }

  /// Keeps a picture of the screen in the folder that SUZU_PICTURES names, for people.
  func photograph(_ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["SUZU_PICTURES"] else { return }
    _ = try run("xdotool", "search", "--sync", "--onlyvisible", "--class", "Dunst")
    let taken = try run("import", "-window", "root", "\(folder)/\(name).png")
    #expect(taken.status == 0, "\(taken.errors)")
  }
}
