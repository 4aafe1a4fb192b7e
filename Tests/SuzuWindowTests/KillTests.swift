// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that a window that is killed leaves nothing half-done: what was asked for is stored, or it is as before.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct KillTests {
  @Test(arguments: [
    ["alt+Down", "alt+Right"], ["alt+Down", "Delete"], ["Delete", "ctrl+z", "alt+Down"], ["alt+Down", "ctrl+z"],
    ["Delete"], ["alt+Up", "alt+Up", "alt+Up", "alt+Left", "ctrl+z", "Delete"],
  ])
  func `Killed while it moves, cancels and undoes, it leaves the whole request`(_ keys: [String]) throws {
    let stage = try WindowStage(opens: false)
    let sent = try stage.session.suzu(
      "notify", "Tea", "Green", "--at", "2999-05-02 09:00", "--id", "tea", "--action", "ok=Drunk", "--snooze", "ok=5m")
    #expect(sent.status == 0, "\(sent.errors)")
    let before = try #require(try stage.listed().first)
    try stage.open()
    try stage.focus(containing: "Tea, ")
    // It may have done some of this when it is killed, and each of it is one call of the center.
    try stage.keys(keys)
    stage.window.kill()
    let list = try stage.listed()
    #expect(list.count == 1)
    for key in ["id", "title", "body", "actions"] {
      #expect(list[0][key] as? NSObject == before[key] as? NSObject, "\(key)")
    }
    let at = try #require(list[0]["at"] as? String)
    let hours = at.suffix(8)
    #expect(at.hasPrefix("2999-0") && ["08:00:00", "09:00:00", "10:00:00"].contains(hours), "\(at)")
    // The next window shows what there is.
    try stage.open()
    try stage.see(containing: "Tea, ")
  }

  @Test func `Killed while it adds and registers, it leaves whole alarms, and a list of the launcher that is read`()
    throws
  {
    let stage = try WindowStage(opens: false)
    let entry = "[Desktop Entry]\nType=Application\nName=Editor\nExec=true\n"
    let home = URL(filePath: try #require(stage.session.environment["HOME"]))
    let folder = home.appending(path: ".local/share/applications")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<20 {
      try Data(entry.utf8).write(to: folder.appending(path: "org.example.Editor\(number).desktop"))
    }
    for round in 0..<3 {
      try stage.open()
      try stage.keys("alt+2", "ctrl+n")
      try stage.awaitWindow("New alarm")
      try stage.write("Up", into: "Name")
      try stage.press("Add")
      stage.window.kill()
      let alarms = try stage.listed()
      #expect(alarms.count <= round + 1)
      #expect(alarms.allSatisfy { $0["every"] as? String == "07:00" && $0["sound"] as? String == "suzu-alarm" })
      try stage.open()
      try stage.keys("alt+5", "ctrl+f")
      try stage.type("editor\(round)")
      try stage.focus(containing: "Editor, 1 action")
      try stage.keys("Return")
      try stage.awaitWindow("Actions")
      try stage.press("Open")
      if round > 0 {
        try stage.awaitSwitch("Open", isOn: true)
        try stage.keys("Escape")
        try stage.see("Editor, 1 of 1 action on")
        try stage.press("Register")
      }
      stage.window.kill()
      let read = try stage.session.suzu("launcher", "list", "--on", "--json")
      #expect(read.status == 0, "\(read.errors)")
      // What was to be registered in five seconds is not.
      #expect(try stage.session.suzu("history", "--app", "dev.suzu.Launcher", "--json").output == "[]\n")
    }
  }
}
