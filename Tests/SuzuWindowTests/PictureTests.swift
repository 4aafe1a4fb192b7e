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
    try stage.open()
    try stage.see(containing: "Dentist, Tomorrow")
    try stage.photograph("\(folder)/window-upcoming.png")
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
    try stage.keys("Tab", "Tab", "Tab", "Tab", "Return")
    try stage.awaitWindow("Change alarm")
    try stage.see(containing: "Rings ")
    try stage.photograph("\(folder)/window-alarm.png")
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
