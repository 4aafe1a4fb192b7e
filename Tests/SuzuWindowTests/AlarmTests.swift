// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the page *Alarms* as a screen reader and a keyboard use it: alarms are ordinary requests.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct AlarmTests {
  @Test func `A new alarm is a request that repeats, and rings on the chosen days`() throws {
    let stage = try WindowStage()
    try stage.keys("alt+2")
    try stage.see("No alarms")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New alarm")
    try stage.see(containing: "Rings every day, next ")
    for day in ["Wednesday", "Friday", "Saturday", "Sunday"] { try stage.press(day) }
    try stage.see(containing: "Rings Mon, Tue and Thu, next ")
    try stage.write("Up", into: "Name")
    try stage.press("Add")
    try stage.wait(forList: "alarm") { list in
      list.count == 1 && list[0]["every"] as? String == "Mon,Tue,Thu 07:00" && list[0]["title"] as? String == "Up"
        && list[0]["sound"] as? String == "suzu-alarm"
    }
    try stage.see(containing: "07:00, Up, Mon, Tue and Thu, next: in ")
  }

  @Test func `An alarm without days is refused at its days`() throws {
    let stage = try WindowStage()
    try stage.keys("alt+2", "ctrl+n")
    try stage.awaitWindow("New alarm")
    for day in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] { try stage.press(day) }
    try stage.see("Choose at least one day")
    try stage.press("Add")
    try stage.see("Choose at least one day")
    #expect(try stage.listed().isEmpty)
  }

  @Test func `An alarm of the command is here, is switched off and on, and is deleted`() throws {
    let stage = try WindowStage()
    #expect(try stage.session.suzu("notify", "Up", "--every", "Mon..Fri 06:45", "--id", "up").status == 0)
    #expect(try stage.session.suzu("notify", "Rent", "--every", "*-*-01 09:00", "--id", "rent").status == 0)
    try stage.keys("alt+2")
    try stage.see(containing: "06:45, Up, Monday to Friday, next: in ")
    try stage.awaitAbsence(of: "Rent")
    try stage.press("06:45 Up")
    try stage.see("06:45, Up, Monday to Friday, off")
    #expect(try stage.session.suzu("mute", "--list", "--json").output.contains("\"up\""))
    // The command switches it on again.
    #expect(try stage.session.suzu("mute", "up", "off").status == 0)
    try stage.see(containing: "06:45, Up, Monday to Friday, next: in ")
    try stage.press("Delete 06:45 Up")
    try stage.see("No alarms")
    try stage.press("Undo")
    try stage.see(containing: "06:45, Up")
    try stage.press("Delete 06:45 Up")
    try stage.see("No alarms")
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    #expect(try stage.listed().map { $0["id"] as? String } == ["rent"])
  }

  // Its row was made anew, and the keyboard went to something else.
  @Test func `A switch that is pressed with the keyboard keeps the keyboard, and so does the row after a deleted one`()
    throws
  {
    let stage = try WindowStage(opens: false)
    for (id, time) in [("one", "06:30"), ("two", "06:45"), ("three", "07:00")] {
      #expect(try stage.session.suzu("notify", "Up", "--every", "Mon..Fri \(time)", "--id", id).status == 0)
    }
    try stage.open()
    try stage.keys("alt+2")
    try stage.focus(containing: "06:45 Up")
    for state in ["off", "next: in ", "off", "next: in "] {
      try stage.keys("space")
      try stage.see(containing: "06:45, Up, Monday to Friday, " + state)
    }
    try stage.keys("shift+Tab", "Delete")
    try stage.wait(for: "focus on the row behind it") { nodes in
      nodes.first { $0.focused && $0.name.hasPrefix("07:00, Up") }
    }
    try stage.keys("Delete")
    try stage.wait(for: "focus on the row that is left") { nodes in
      nodes.first { $0.focused && $0.name.hasPrefix("06:30, Up") }
    }
  }

  @Test func `A changed alarm keeps what the window does not show`() throws {
    let stage = try WindowStage()
    #expect(
      try stage.session.suzu(
        "notify", "Up", "Slowly", "--every", "Mon..Fri 06:45", "--id", "up", "--action", "ok=OK", "--snooze", "ok=5m"
      ).status == 0)
    try stage.keys("alt+2")
    try stage.see(containing: "06:45, Up")
    try stage.focus(containing: "06:45, Up")
    try stage.keys("Return")
    try stage.awaitWindow("Change alarm")
    try stage.press("Saturday")
    try stage.press("Change")
    try stage.wait(forList: "changed alarm") { list in
      list.count == 1 && list[0]["every"] as? String == "Mon..Sat 06:45" && list[0]["body"] as? String == "Slowly"
        && list[0]["id"] as? String == "up" && (list[0]["actions"] as? [Any])?.count == 1
    }
  }
}
