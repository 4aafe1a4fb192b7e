// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the page *Events* as a screen reader and a keyboard use it: events are ordinary requests with `--on`.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct EventsTests {
  @Test func `A sentence that is built by choosing is a request that waits for a condition`() throws {
    let stage = try WindowStage()
    try stage.keys("alt+4")
    try stage.see("No events")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New event")
    try stage.see("When the charger is plugged in, each time")
    // The first choice has the focus; the third of its list is the Wi-Fi.
    try stage.keys("space", "Down", "Down", "Return")
    try stage.see("Say which one")
    try stage.write("Café 'Home'", into: "Which one")
    try stage.see("When the Wi-Fi \u{2068}Café 'Home'\u{2069} is connected, each time")
    try stage.keys("Tab", "space", "Down", "Return")
    try stage.see("When the Wi-Fi \u{2068}Café 'Home'\u{2069} is left, each time")
    try stage.write("soon", into: "And stays so for")
    try stage.see(containing: "It must be a duration such as")
    try stage.write("5m", into: "And stays so for")
    try stage.press("Add")
    try stage.see("Give it a title")
    try stage.write("Lock up", into: "Title")
    try stage.press("Each time")
    try stage.see(
      "When the Wi-Fi \u{2068}Café 'Home'\u{2069} is left, and stays so for 5m, once: “\u{2068}Lock up\u{2069}”")
    try stage.press("Add")
    try stage.wait(forList: "event") { list in
      list.count == 1 && list[0]["on"] as? String == "leave wifi \"Café 'Home'\" for 5m"
        && list[0]["title"] as? String == "Lock up" && list[0]["repeat"] == nil
    }
    try stage.see(containing: "Lock up, when the Wi-Fi \u{2068}Café 'Home'\u{2069} is left, and stays so for 5m, once")
  }

  @Test func `An event of the command is here, is changed, and is deleted with undo`() throws {
    let stage = try WindowStage()
    try stage.keys("alt+4")
    try stage.see("No events")
    #expect(
      try stage.session.suzu(
        "notify", "Plug in", "Now", "--on", "battery < 20%", "--repeat", "--cooldown", "1h", "--id", "b", "--action",
        "ok=OK"
      ).status == 0)
    try stage.focus(containing: "Plug in, when the battery falls below 20 %, each time")
    try stage.keys("Return")
    try stage.awaitWindow("Change event")
    try stage.write("none", into: "Which one")
    try stage.see("It must be a number from 0 to 100")
    try stage.write("15", into: "Which one")
    try stage.press("Change")
    try stage.wait(forList: "changed event with its other keys") { list in
      list.count == 1 && list[0]["on"] as? String == "battery < 15%" && list[0]["cooldown"] as? String == "1h"
        && list[0]["body"] as? String == "Now" && (list[0]["actions"] as? [Any])?.count == 1
    }
    try stage.press("Delete Plug in")
    try stage.see("No events")
    try stage.keys("ctrl+z")
    try stage.see(containing: "Plug in, when the battery falls below 15 %")
    try stage.press("Delete Plug in")
    try stage.see("No events")
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    #expect(try stage.listed().isEmpty)
  }

  @Test func `Long titles, those from right to left, and conditions of another form are one line each`() throws {
    let stage = try WindowStage()
    for (title, condition) in [
      ("שלום \u{202E}עולם", "file /tmp/\u{202E}a changes"),
      ("Elsewhere", "system unit sshd.service failed"),
    ] {
      let done = try stage.session.suzu(["notify", title, "--on", condition])
      #expect(done.status == 0, "\(done.errors)")
    }
    try stage.keys("alt+4", "ctrl+n")
    try stage.awaitWindow("New event")
    try stage.write(String(repeating: "x", count: 10_000), into: "Title")
    try stage.press("Each time")
    try stage.press("Add")
    try stage.wait(forList: "whole title") { $0.contains { ($0["title"] as? String)?.count == 10_000 } }
    try stage.awaitWindow("Suzu")
    let row = try stage.see(containing: "xxx…, when the charger is plugged in, once")
    #expect(row.name.count < 450)
    try stage.see(containing: "שלום עולם, when the file \u{2068}/tmp/a\u{2069} is written, once")
    try stage.see(containing: "Elsewhere, when the system unit \u{2068}sshd.service\u{2069} fails, once")
    // Tab leads to the list, and Home to its first row.
    try stage.focus(containing: ", when the ")
    try stage.keys("Home")
    // The sentence cannot say this one: it is shown as a whole.
    try stage.keys("Return")
    try stage.awaitWindow("Details")
    try stage.see("When: the system unit \u{2068}sshd.service\u{2069} fails")
  }

  @Test func `A place is chosen by its name, or gets one, and a beacon is told by its number`() throws {
    let stage = try WindowStage()
    #expect(try stage.session.suzu("place", "add", "office", "52.52,13.405", "200m").status == 0)
    try stage.keys("alt+4", "ctrl+n")
    try stage.awaitWindow("New event")
    try stage.see("When the charger is plugged in, each time")
    try stage.keys("space", "Down", "Down", "Down", "Down", "Return")
    try stage.see("When the place \u{2068}office\u{2069} is reached, each time")
    // The next choice is that of the places.
    try stage.keys("Tab", "space", "Down", "Return")
    try stage.see("Say which one")
    try stage.write("48.1,11.5", into: "Which one")
    try stage.see(containing: "the radius")
    try stage.write("48.1,11.5 300m", into: "Which one")
    try stage.see("When the place 48.1, 11.5 (300 m) is reached, each time")
    try stage.write("office", into: "Name of the place")
    try stage.write("Arrived", into: "Title")
    try stage.press("Add")
    try stage.see("There is a place with this name; choose it above")
    try stage.write("home", into: "Name of the place")
    try stage.press("Add")
    try stage.wait(forList: "event at the place") { list in
      list.count == 1 && list[0]["on"] as? String == "place home"
    }
    #expect(try stage.session.suzu("place").output.contains("home"))
    try stage.see(containing: "Arrived, when the place \u{2068}home\u{2069} is reached, each time")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New event")
    try stage.see("When the charger is plugged in, each time")
    try stage.keys("space", "Down", "Down", "Down", "Down", "Down", "Return")
    try stage.write("key", into: "Which one")
    try stage.see(containing: "needs a UUID")
    try stage.write("f7826da6-4fa2-4e98-8024-bc5b71e0893e 1", into: "Which one")
    try stage.write("Keys", into: "Title")
    try stage.press("Add")
    try stage.wait(forList: "event of the beacon") { list in
      list.contains { $0["on"] as? String == "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1" }
    }
  }
}
