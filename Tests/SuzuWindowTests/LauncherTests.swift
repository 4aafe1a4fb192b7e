// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the page *Launcher* as a screen reader and a keyboard use it: its switches are those of the command.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct LauncherTests {
  private func write(_ text: String, _ path: String, _ stage: WindowStage) throws {
    let file = URL(filePath: try #require(stage.session.environment["HOME"])).appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func install(_ id: String, _ name: String, _ stage: WindowStage) throws {
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=\(name)
      Exec=true
      Actions=new;

      [Desktop Action new]
      Name=New Window
      Exec=true

      """
    try write(entry, ".local/share/applications/\(id).desktop", stage)
  }

  private func enabled(_ stage: WindowStage) throws -> [String] {
    let output = try stage.session.suzu("launcher", "list", "--on", "--json").output
    let apps = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
    return apps.flatMap { $0["actions"] as? [[String: Any]] ?? [] }.filter { $0["on"] as? Bool == true }
      .compactMap { $0["id"] as? String }
  }

  private func registered(_ stage: WindowStage) throws -> [String] {
    let output = try stage.session.suzu("history", "--app", "dev.suzu.Launcher", "--json").output
    let rows = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
    return rows.compactMap { $0["id"] as? String }
  }

  @Test func `Actions are switched on and registered, with undo, and the command's switches are followed`() throws {
    let stage = try WindowStage(opens: false)
    try install("org.example.Editor", "Editor of texts", stage)
    try write(#"{"on": [], "groups": [], "schemes": []}"#, ".config/suzu/launcher.json", stage)
    try stage.open()
    try stage.keys("alt+5")
    try stage.see("No action is on")
    try stage.keys("ctrl+f")
    try stage.type("texts")
    try stage.focus(containing: "Editor of texts, 2 actions")
    try stage.keys("Return")
    try stage.awaitWindow("Actions")
    try stage.press("New Window")
    try stage.wait("action of the command") { try enabled(stage) == ["org.example.Editor:new"] }
    #expect(try stage.session.suzu("launcher", "enable", "org.example.Editor").status == 0)
    try stage.wait(for: "the switch of the command") { nodes in
      nodes.contains { $0.name == "Open" && $0.checked } ? () : nil
    }
    try stage.press("All off")
    try stage.wait("no action") { try enabled(stage).isEmpty }
    try stage.press("Undo")
    try stage.wait("both actions") { try enabled(stage).count == 2 }
    try stage.keys("Escape")
    try stage.see("Editor of texts, 2 of 2 actions on")
    try stage.see("2 actions of 1 app are on")
    try stage.press("Register")
    try stage.see("1 notification comes in 5 seconds")
    try stage.press("Undo")
    try stage.awaitAbsence(of: "1 notification comes in 5 seconds")
    #expect(try registered(stage).isEmpty)
    // Closing the window does not wait for the message.
    try stage.press("Register")
    try stage.see("1 notification comes in 5 seconds")
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    #expect(try registered(stage) == ["org.example.Editor"])
  }

  @Test func `Property lists are chosen, checked with the place of an error, imported, and registered one by one`()
    throws
  {
    let stage = try WindowStage(opens: false)
    try write(#"{"on": [], "groups": [], "schemes": []}"#, ".config/suzu/launcher.json", stage)
    try write("<plist>\n<array>\n  <integer>1</integer>\n</array></plist>\n", "wrong.plist", stage)
    try write("<plist>\n<array>\n<string>a", "torn.plist", stage)
    try write("Dear Ada", "letter.txt", stage)
    try stage.open()
    try stage.keys("alt+5")
    try stage.see("No action is on")
    let home = try #require(stage.session.environment["HOME"])
    func choose(_ path: String, with button: String) throws {
      try stage.press(button)
      try stage.awaitWindow("Lists to import")
      // As in any file dialog of GTK.
      try stage.type(path)
      try stage.keys("Return")
      try stage.awaitWindow("Import lists")
    }
    try choose("\(home)/wrong.plist", with: "Import…")
    try stage.see("wrong.plist, line 3, column 3: '[0]' must be a string of 1 to 255 bytes on one line")
    try choose("\(home)/torn.plist", with: "Choose other files")
    try stage.see(containing: "torn.plist, line 3, column ")
    try choose("\(home)/letter.txt", with: "Choose other files")
    try stage.see("letter.txt is no property list")
    try choose(Session.checkout.appending(path: "Assets/samples/schemes.plist").path, with: "Choose other files")
    try stage.see(containing: "3 groups with 5 entries\nClicks may then open ")
    try stage.press("Import")
    try stage.see(containing: "Imported 3 groups with 5 entries")
    try stage.focus(containing: "TweetBot, 2 actions, imported")
    try stage.keys("Return")
    try stage.awaitWindow("Actions")
    try stage.press("All on")
    try stage.wait("both actions") { try enabled(stage) == ["TweetBot:Tweetbot", "TweetBot:Tweetbot_post"] }
    try stage.keys("Escape")
    try stage.see("2 actions of 1 app are on")
    // The next one is the choice of the notifications.
    try stage.focus(containing: "Import…")
    try stage.keys("Tab", "space", "Down", "Return")
    try stage.press("Register")
    try stage.see("2 notifications come in 5 seconds")
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    #expect(try registered(stage).sorted() == ["TweetBot:Tweetbot", "TweetBot:Tweetbot_post"])
  }

  @Test func `Five hundred apps with names of any kind are listed, and errors of the file name the place`() throws {
    let stage = try WindowStage(opens: false)
    for number in 0..<500 { try install("org.example.App\(number)", "  App \(number)", stage) }
    try install("org.example.Long", "Zz" + String(repeating: "z", count: 10_000), stage)
    try install("org.example.Hebrew", "אפליקציה \u{202E}חדשה", stage)
    try stage.open()
    try stage.keys("alt+5")
    try stage.see("App 0, 2 actions")
    try stage.keys("ctrl+f")
    try stage.type("app 499")
    try stage.see("App 499, 2 actions")
    try stage.keys("ctrl+a")
    try stage.type("org.example.long")
    let long = try stage.see(containing: "zzz")
    #expect(long.name.count < 200)
    try stage.keys("ctrl+a")
    try stage.type("hebrew")
    try stage.see("אפליקציה חדשה, 2 actions")
    try stage.keys("alt+1")
    try write("{\n  \"on\": 3\n}", ".config/suzu/launcher.json", stage)
    try stage.keys("alt+5")
    try stage.see("The launcher cannot be read")
    try stage.see(containing: "launcher.json, line 2, column ")
    try stage.see(containing: "'on' must be a list of strings")
  }
}
