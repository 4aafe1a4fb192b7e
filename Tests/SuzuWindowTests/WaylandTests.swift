// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the window and its dialogs under a Wayland compositor, as a screen reader, a mouse and a keyboard use
/// them.
@Suite(
  .onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible && SwayCompositor.isInstalled))
struct WaylandTests {
  /// Clicks the middle of what has this name, with the mouse. The main window fills the screen.
  private func click(_ name: String, on stage: WindowStage) throws {
    let node = try stage.wait(for: "'\(name)'") { nodes in
      nodes.first { $0.isButton(name) }
    }
    let box = try stage.reader.place(of: node)
    try #require(stage.pointer).click(box[0] + box[2] / 2, box[1] + box[3] / 2, button: 1)
  }

  @Test func `The window starts, follows the command, and is operated with the mouse`() throws {
    let stage = try WindowStage(on: .wayland)
    try stage.see("Nothing is coming up")
    #expect(try stage.session.suzu("notify", "Tea", "--in", "2h", "--id", "tea").status == 0)
    try stage.see(containing: "Tea, ")
    #expect(try stage.session.suzu("edit", "tea", "Coffee").status == 0)
    try stage.see(containing: "Coffee, ")
    try click("Cancel Coffee", on: stage)
    try stage.press("Undo")
    try stage.see(containing: "Coffee, ")
    #expect(try stage.listed().count == 1)
    // A sheet is a window of its own.
    try click("New", on: stage)
    try stage.awaitWindow("New request")
    try stage.write("Cake", into: "Title")
    try stage.write("tomorrow 15:00", into: "When")
    try stage.see(containing: "Next dates: Tomorrow 15:00")
    try stage.press("Schedule")
    try stage.see(containing: "Cake, Tomorrow 15:00, ")
    #expect(try stage.listed().count == 2)
  }

  @Test(.enabled(if: SwayCompositor.hasKeyboard, "wtype is not installed"))
  func `With the keyboard alone, a request is made, moved, cancelled and brought back`() throws {
    let stage = try WindowStage(on: .wayland)
    try stage.see("Nothing is coming up")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New request")
    try stage.wait(for: "focus on the title") { nodes in nodes.first { $0.focused && $0.text != nil } }
    try stage.type("Dentist: 9 o'clock")
    try stage.keys("Tab", "Tab", "Tab")
    try stage.type("2999-05-02 09:00")
    try stage.see(containing: "Next dates: Thursday, 2 May 2999 09:00")
    try stage.keys("Return")
    try stage.see(containing: "Dentist: 9 o'clock, Thursday, 2 May 2999 09:00, ")
    try stage.focus(containing: "Dentist: 9 o'clock, ")
    try stage.keys("alt+Down", "alt+Right")
    try stage.wait(forList: "moved request") { $0.first?["at"] as? String == "2999-05-03 10:00:00" }
    try stage.focus(containing: "Dentist: 9 o'clock, Friday, 3 May")
    try stage.keys("Delete")
    try stage.see("Nothing is coming up")
    try stage.keys("ctrl+z")
    try stage.see(containing: "Dentist: 9 o'clock, Friday, 3 May 2999 10:00, ")
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    #expect(try stage.listed().count == 1)
  }

  @Test func `A question is asked and answered`() throws {
    let stage = try WindowStage(on: .wayland, opens: false)
    let dialog = try stage.start("--dialog")
    dialog.write(#"{"app": "Tea", "text": "Lunch?", "choices": ["Yes", "No"]}"#)
    dialog.closeInput()
    try stage.see("asks through Suzu")
    try stage.press("No")
    #expect(dialog.waitForExit(within: 20) == 0)
    #expect(dialog.readLine() == "1")
  }

  @Test func `Without the compositor it says so in one sentence`() throws {
    let session = try Session(variables: ["WAYLAND_DISPLAY": "/nonexistent/wayland-0", "GDK_BACKEND": "wayland"])
    let done = try RunningProgram.run(Session.programs + "/suzu-window", environment: session.environment)
    #expect(done.status == 69)
    #expect(done.errors == "suzu-window: no screen: set WAYLAND_DISPLAY or DISPLAY to one that can be opened\n")
  }
}
