// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Takes the pictures of docs/WINDOW.md into the folder named by SUZU_PICTURES; see `make pictures`.
@Suite(
  .onOwnThread, .timeLimit(.minutes(5)),
  .enabled(if: WindowStage.isPossible && ProcessInfo.processInfo.environment["SUZU_PICTURES"] != nil))
struct PictureTests {
  @Test func `The pages and sheets are photographed`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["SUZU_PICTURES"])
    let dark = ProcessInfo.processInfo.environment["SUZU_PICTURES_DARK"] != nil
    let stage = try WindowStage(opens: false, dark: dark)
    for words in [
      ["Dentist", "Bring the insurance card", "--at", "tomorrow 09:30"], ["Tea is ready", "--in", "20m"],
      ["Stand-up", "--every", "Mon..Fri 09:45", "--action", "join=Join", "--url", "join=https://meet.example.com"],
      ["Pay the rent", "--every", "*-*-01 09:00"], ["Water the plants", "--every", "Mon,Thu 18:00"],
      ["Call grandmother", "Her birthday", "--at", "tomorrow 17:00", "--id", "call"],
      ["Back up", "--on", "power", "--id", "power"],
    ] {
      let done = try stage.session.suzu(["notify"] + words)
      #expect(done.status == 0, "\(done.errors)")
    }
    let alarm = ["--style", "alert", "--sound", "suzu-alarm"]
    for words in [
      ["Time to get up", "--every", "Mon,Tue,Thu 07:30"], ["Swimming", "--every", "Wed,Fri 06:45"],
      ["Sleep in", "--every", "Sat,Sun 09:30", "--id", "late"],
    ] {
      #expect(try stage.session.suzu(["notify"] + words + alarm).status == 0)
    }
    #expect(try stage.session.suzu("mute", "late", "52w").status == 0)
    try prepareMore(stage)
    try stage.putMouseAway()
    try stage.open()
    try stage.see(containing: "Dentist, Tomorrow")
    try stage.photograph("\(folder)/window-upcoming.png")
    try stage.keys("alt+w")
    try stage.see("Next week")
    try stage.photograph("\(folder)/window-week.png")
    try stage.keys("alt+w")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New request")
    try stage.write("Take the pill", into: "Title")
    try stage.write("With a glass of water", into: "Text")
    try stage.keys("Tab", "Tab", "space", "Down", "Down", "Return")
    try stage.write("Mon..Fri 08:00", into: "When")
    try stage.see(containing: "Next dates: ")
    try stage.photograph("\(folder)/window-request.png")
    try stage.keys("Escape")
    try stage.awaitWindow("Suzu")
    try stage.keys("alt+2")
    try stage.see(containing: "Swimming, Wednesday and Friday")
    try stage.photograph("\(folder)/window-alarms.png")
    try stage.focus(containing: "06:45, ")
    try stage.keys("Return")
    try stage.awaitWindow("Change alarm")
    try stage.see(containing: "Rings ")
    try stage.photograph("\(folder)/window-alarm.png")
    try stage.keys("Escape", "alt+4")
    try stage.see(containing: "Plug in the charger")
    try stage.photograph("\(folder)/window-events.png")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New event")
    try stage.keys("space", "Down", "Down", "Return")
    try stage.write("Home", into: "Which one")
    try stage.write("Lock up", into: "Title")
    try stage.see(containing: "When the Wi-Fi")
    try stage.photograph("\(folder)/window-event.png")
    try stage.keys("Escape")
    try stage.awaitWindow("Suzu")
    try stage.keys("alt+5", "ctrl+f")
    try stage.type("org.example")
    try stage.see(containing: "Calendar, 1 of 2 actions on")
    try stage.photograph("\(folder)/window-launcher.png")
    try stage.press("Import…")
    try stage.awaitWindow("Lists to import")
    try stage.type(Session.checkout.appending(path: "Assets/samples/schemes.plist").path)
    try stage.keys("Return")
    try stage.awaitWindow("Import lists")
    try stage.see(containing: "3 groups with 5 entries")
    try stage.photograph("\(folder)/window-import.png")
    try stage.keys("Escape")
    try stage.awaitWindow("Suzu")
    try stage.keys("alt+6")
    try stage.see(containing: "org.example.Chatter, ")
    try stage.photograph("\(folder)/window-apps.png")
    try stage.focus(containing: "Quiet hours, ")
    try stage.keys("Return")
    try stage.awaitWindow("Quiet hours")
    try stage.see("Monday to Friday, 22:00 to 07:00")
    try stage.photograph("\(folder)/window-quiet.png")
  }

  /// What the pages *Events*, *Launcher* and *Apps* show.
  private func prepareMore(_ stage: WindowStage) throws {
    let home = try #require(stage.session.environment["HOME"])
    let icons = URL(filePath: home).appending(path: ".local/share/icons/hicolor/scalable/apps")
    try FileManager.default.createDirectory(at: icons, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Session.checkout.appending(path: "Assets/dev.suzu.Suzu.svg"), to: icons.appending(path: "dev.suzu.Suzu.svg"))
    let entries = URL(filePath: home).appending(path: ".local/share/applications")
    try FileManager.default.createDirectory(at: entries, withIntermediateDirectories: true)
    for (id, name, action) in [
      ("org.example.Calendar", "Calendar", "New Event"), ("org.example.Browser", "Browser", "New Window"),
      ("org.example.Mail", "Mail", "New Message"), ("org.example.Notes", "Notes", "New Note"),
    ] {
      let text =
        "[Desktop Entry]\nType=Application\nName=\(name)\nExec=true\nActions=new;\n"
        + "[Desktop Action new]\nName=\(action)\nExec=true\n"
      try Data(text.utf8).write(to: entries.appending(path: id + ".desktop"))
    }
    for words in [
      ["notify", "Plug in the charger", "--on", "battery < 20%", "--repeat"],
      ["notify", "Backup failed", "--on", "unit backup.service failed", "--repeat"],
      ["notify", "Hello", "--app", "org.example.Chatter", "--in", "30h"],
      ["notify", "You have mail", "--app", "org.example.Mail", "--in", "31h"],
      ["apps", "deny", "org.example.Chatter", "sound"], ["apps", "deliver", "org.example.Mail", "12:30,17:00"],
      ["quiet", "add", "Mon..Fri 22:00..07:00", "Sat,Sun 23:00..09:00"],
      ["launcher", "enable", "org.example.Calendar:new", "org.example.Browser"],
    ] {
      let done = try stage.session.suzu(words)
      #expect(done.status == 0, "\(done.errors)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: WindowStage.popupServer)))
  func `The history is photographed`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["SUZU_PICTURES"])
    let dark = ProcessInfo.processInfo.environment["SUZU_PICTURES_DARK"] != nil
    let stage = try WindowStage(
      opens: false, dark: dark, services: ["org.freedesktop.Notifications": WindowStage.popupServer])
    let buttons = [
      "--style", "alert", "--action", "yes=Yes", "--run", "yes=true", "--action", "no=Not today", "--run", "no=true",
    ]
    for (words, end) in [
      (["Backup finished", "42 GB in 12 minutes", "--id", "backup"], ["dismiss", "backup"]),
      (["Lunch at noon?", "The canteen has soup", "--id", "lunch"] + buttons, ["respond", "lunch", "yes"]),
      (["Water the plants", "--in", "1s", "--id", "plants"], ["dismiss", "plants"]),
      (["Join the stand-up?", "--id", "join"] + buttons, ["respond", "join", "no"]),
    ] {
      try stage.command(["notify"] + words)
      let id = end[1]
      try stage.wait("popup of \(id)") { try stage.session.suzu("history", id, "--json").output.contains("\"shown\"") }
      try stage.command(end)
    }
    try stage.putMouseAway()
    try stage.open()
    try stage.keys("alt+3")
    try stage.see(containing: "Join the stand-up?, Today ")
    try stage.photograph("\(folder)/window-history.png")
  }

  @Test func `A question is photographed`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["SUZU_PICTURES"])
    let dark = ProcessInfo.processInfo.environment["SUZU_PICTURES_DARK"] != nil
    let stage = try WindowStage(opens: false, dark: dark)
    let dialog = try stage.start("--dialog")
    dialog.write(
      #"{"app": "Kitchen", "text": "Lunch at noon?\nThe canteen has _soup_ today.", "#
        + #""choices": ["Join", "Join later", "Bring something", "Not today"]}"#)
    dialog.closeInput()
    try stage.awaitWindow("Question from \u{2068}Kitchen\u{2069}", of: dialog)
    try stage.photograph("\(folder)/window-question.png")
  }
}
