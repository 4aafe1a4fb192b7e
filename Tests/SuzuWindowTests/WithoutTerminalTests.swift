// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the five things that the README says of the window, as a person does them: with the mouse, in the window and
/// in popups of a real notification server. The command only looks at what has become of it.
@Suite(
  .onOwnThread, .timeLimit(.minutes(5)),
  .enabled(if: WindowStage.isPossible && FileManager.default.isExecutableFile(atPath: WindowStage.popupServer)))
struct WithoutTerminalTests {
  private static let chatter = "org.example.Chatter"

  /// A stage with a server of popups. The window is opened as the menu of the desktop does, over the bus.
  private static func stage(_ prepare: (WindowStage) throws -> Void = { _ in }) throws -> WindowStage {
    let stage = try WindowStage(opens: false, services: ["org.freedesktop.Notifications": WindowStage.popupServer])
    try prepare(stage)
    let call = [
      "call", "--session", "--dest", "dev.suzu.Suzu", "--object-path", "/dev/suzu/Suzu", "--method",
      "org.freedesktop.Application.Activate", "{}",
    ]
    let opened = try RunningProgram.run("gdbus", call, environment: stage.session.environment)
    #expect(opened.status == 0, "\(opened.errors)")
    try stage.awaitWindow("Suzu")
    return stage
  }

  private static func close(_ stage: WindowStage) throws {
    try stage.awaitWindow("Suzu")
    try stage.keys("ctrl+q")
  }

  /// Clicks the page's button above the window, or a row of a page.
  private static func click(containing text: String, _ role: String, _ stage: WindowStage) throws {
    try stage.click(
      try stage.wait(for: "\(role) …\(text)…") { nodes in
        nodes.first { $0.role == role && $0.name.contains(text) }
      })
  }

  @Test func `See what is coming, move it to another day, cancel it, and change one's mind`() throws {
    let stage = try Self.stage { stage in
      for (title, date) in [("Dentist", "2999-05-02 09:00"), ("Cake", "2999-05-06 17:00")] {
        try stage.command("notify", title, "--at", date, "--id", title)
      }
      try stage.command("notify", "Hello", "--app", Self.chatter, "--at", "2999-05-03 10:00")
    }
    try stage.see(containing: "Dentist, Thursday, 2 May 2999 09:00, ")
    try stage.see(containing: "Hello, Friday, 3 May 2999 10:00, ")
    try stage.drag("Dentist", to: "Monday, 6 May 2999")
    try stage.see(containing: "Dentist, Monday, 6 May 2999 09:00, ")
    try stage.click("Cancel Cake")
    try stage.awaitAbsence(of: "Cake, ")
    try stage.press("Undo")
    try stage.see(containing: "Cake, Monday, 6 May 2999 17:00, ")
    try stage.click("Cancel Dentist")
    try stage.awaitAbsence(of: "Dentist, ")
    try Self.close(stage)
    try stage.wait(forList: "cake alone, and what the app waits for") { list in
      list.map { $0["title"] as? String } == ["Hello", "Cake"]
    }
  }

  @Test func `Set a weekly alarm, switch it off and on`() throws {
    let stage = try Self.stage()
    try stage.keys("alt+2")
    try stage.click("New alarm")
    try stage.awaitWindow("New alarm")
    for day in ["Wednesday", "Friday", "Saturday", "Sunday"] { try stage.click(day) }
    try stage.see(containing: "Rings Mon, Tue and Thu, next ")
    // The name has the keyboard once it is clicked.
    try Self.click(containing: "Name", "text", stage)
    try stage.keys("ctrl+a")
    try stage.type("Up")
    try stage.click("Add")
    try stage.awaitWindow("Suzu")
    try stage.wait(forList: "alarm") { list in
      list.count == 1 && list[0]["every"] as? String == "Mon,Tue,Thu 07:00" && list[0]["title"] as? String == "Up"
    }
    try stage.click("07:00 Up")
    try stage.see("07:00, Up, Mon, Tue and Thu, off")
    try stage.click("07:00 Up")
    try stage.see(containing: "07:00, Up, Mon, Tue and Thu, next: in ")
    try Self.close(stage)
  }

  @Test func `Switch a launcher on, register it, and launch the app from its popup`() throws {
    let stage = try Self.stage { stage in
      let entry =
        "[Desktop Entry]\nType=Application\nName=Editor\nExec=\(stage.session.folder.path("browser")) editor\n"
      let home = URL(filePath: try #require(stage.session.environment["HOME"]))
      let folder = home.appending(path: ".local/share/applications")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(entry.utf8).write(to: folder.appending(path: "org.example.Editor.desktop"))
      try FileManager.default.createDirectory(
        at: home.appending(path: ".config/suzu"), withIntermediateDirectories: true)
    }
    let witness = try stage.session.witness()
    try stage.keys("alt+5", "ctrl+f")
    try stage.type("org.example.editor")
    try Self.click(containing: "Editor, 1 action", "list item", stage)
    try stage.awaitWindow("Actions")
    try stage.click("Open")
    try stage.awaitSwitch("Open", isOn: true)
    try stage.keys("Escape")
    try stage.awaitWindow("Suzu")
    try stage.see("Editor, 1 of 1 action on")
    try stage.click("Register")
    try stage.see("1 notification comes in 5 seconds")
    try stage.click("Open", of: "mate-notification-daemon")
    #expect(witness.readLine(within: 20) == "opened editor")
    try Self.close(stage)
  }

  @Test func `Decide which app may disturb, and when`() throws {
    let stage = try Self.stage { stage in
      try stage.command("notify", "Hello", "--app", Self.chatter, "--in", "2h")
    }
    func shown(_ title: String) throws -> String {
      let output = try stage.session.suzu("history", "--json", "--app", Self.chatter).output
      let rows = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
      return rows.first { $0["title"] as? String == title }.flatMap { $0["state"] as? String } ?? ""
    }
    try stage.keys("alt+6")
    try Self.click(containing: "\(Self.chatter), ", "list item", stage)
    try stage.awaitWindow("App")
    try stage.click("Show notifications")
    func allowed() throws -> [String] {
      let output = try stage.session.suzu("apps", "--json").output
      let apps = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
      return apps.first { $0["app"] as? String == Self.chatter }.flatMap { $0["allowed"] as? [String] } ?? []
    }
    try stage.wait("denial") { try allowed() == ["badge", "sound"] }
    _ = try stage.session.suzu("notify", "Psst", "--app", Self.chatter)
    #expect(try shown("Psst") != "delivered")
    try stage.click("Show notifications")
    try stage.wait("permission") { try allowed() == ["alert", "badge", "sound"] }
    try stage.command("notify", "Now", "--app", Self.chatter)
    try stage.wait("popup") { try shown("Now") == "delivered" }
    try stage.keys("Escape")
    try stage.awaitWindow("Suzu")
    try Self.click(containing: "Quiet hours, ", "list item", stage)
    try stage.awaitWindow("Quiet hours")
    try stage.click("Quiet now")
    try stage.see("Quiet until you turn it off")
    try stage.command("notify", "Later", "--app", Self.chatter)
    #expect(try shown("Later") == "due")
    try stage.click("Quiet now")
    try stage.see("Not quiet now")
    // What was held comes afterwards.
    try stage.wait("popup") { try shown("Later") == "delivered" }
    try stage.keys("Escape")
    try Self.close(stage)
  }

  @Test func `Answer a question in a dialog of the desktop`() throws {
    let stage = try Self.stage()
    let command = try RunningProgram(
      Session.programs + "/suzu",
      [
        "notify", "Lunch?", "At noon", "--style", "alert", "--wait", "--action", "yes=Yes", "--action", "other=Other…",
        "--reply", "other=Your time",
      ], environment: stage.session.environment)
    try stage.click("Other…", of: "mate-notification-daemon")
    try stage.awaitWindow("Question from \u{2068}Suzu\u{2069}")
    try stage.type("half past 12")
    try stage.click("Send")
    #expect(command.waitForExit(within: 20) == 0)
    #expect(command.readLine() == "other")
    #expect(command.readLine() == "half past 12")
    try Self.close(stage)
  }
}
