// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the week of the page *Upcoming* with a screen reader, keys and the mouse: the command sees each change.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct WeekTests {
  /// A stage that shows the week of two requests.
  private static func stage(_ variables: [String: String] = [:]) throws -> WindowStage {
    let stage = try WindowStage(opens: false)
    for (title, at) in [("Tea", "2999-05-02 09:20"), ("Cake", "2999-05-04 17:00")] {
      let words = ["notify", title, "--id", title.lowercased(), "--at", at]
      #expect(try stage.session.suzu(words).status == 0)
    }
    try stage.open(variables)
    try stage.see(containing: "Cake, ")
    try stage.keys("alt+w")
    try stage.press("Show Thursday, 2 May 2999")
    try stage.see("Thursday, 2 May 2999 to Wednesday, 8 May 2999")
    return stage
  }

  /// Waits until the command lists a request at a time, and the page has the row of it.
  private static func await(_ stage: WindowStage, _ id: String, at: String, shown: String) throws {
    try stage.wait(forList: "\(id) at \(at)") { list in
      list.contains { $0["id"] as? String == id && $0["at"] as? String == at }
    }
    try stage.see(containing: shown)
  }

  private static func awaitFocus(_ stage: WindowStage, _ name: String) throws {
    try stage.wait(for: "focus on \(name)") { nodes in nodes.first { $0.focused && $0.name.hasPrefix(name) } }
  }

  @Test func `The next seven days are lists of the hours that have something, and the choice is remembered`() throws {
    let stage = try WindowStage(opens: false)
    let five = (1...5).map { #"{"id": "n\#($0)", "title": "Number \#($0)", "at": "tomorrow 11:0\#($0)"}"# }
    #expect(try stage.session.suzu("notify", "--file", "-", input: "[\(five.joined(separator: ","))]").status == 0)
    for words in [
      ["Dentist", "--at", "tomorrow 09:30"], ["Stand-up", "--every", "09:45"], ["Back up", "--on", "power"],
    ] {
      #expect(try stage.session.suzu(["notify"] + words).status == 0)
    }
    try stage.open()
    try stage.see(containing: "Dentist, Tomorrow")
    try stage.press("Show as a week")
    let list = try stage.see("Tomorrow, 09:00")
    #expect(list.role == "list" && list.children.map(\.role) == ["list item", "list item"])
    #expect(list.children.first?.name.hasPrefix("Dentist, Tomorrow 09:30, in ") == true, "\(list.children)")
    let nodes = try stage.reader.nodes()
    // Today's may have passed.
    #expect(6...7 ~= nodes.filter { $0.role == "list item" && $0.name.hasPrefix("Stand-up, ") }.count)
    #expect(
      nodes.first { $0.name == "Without a date" }?.children.map(\.name) == ["Back up, when the charger is plugged in"])
    // The empty hours are not read.
    #expect(nodes.filter { $0.role == "list" }.count <= 10)
    try stage.press("+3 more")
    try stage.see(containing: "Number 3, Tomorrow 11:03, ")
    try Self.awaitFocus(stage, "Number 3, Tomorrow 11:03, ")
    // That was for once.
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    try stage.open()
    try stage.see("Tomorrow, 11:00")
    try stage.press("Show as a week")
    try stage.see(containing: "Number 5, Tomorrow 11:05, ")
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    try stage.open()
    try stage.see(containing: "Number 5, Tomorrow 11:05, ")
    #expect(try stage.reader.nodes().allSatisfy { $0.name != "Next week" })
  }

  @Test func `Arrows choose a request, Alt and an arrow move it by days and hours, and Ctrl+Z undoes them`() throws {
    let stage = try Self.stage()
    try Self.awaitFocus(stage, "Tea, ")
    try stage.keys("Right")
    try Self.awaitFocus(stage, "Cake, ")
    try stage.keys("Left")
    try Self.awaitFocus(stage, "Tea, ")
    try stage.keys("alt+Right", "alt+Right", "alt+Down")
    try stage.wait(forList: "moved request") { list in
      list.contains { $0["id"] as? String == "tea" && $0["at"] as? String == "2999-05-04 10:20:00" }
    }
    try stage.keys("ctrl+z")
    try Self.await(stage, "tea", at: "2999-05-02 09:20:00", shown: "Tea, Thursday, 2 May 2999 09:20, ")
    // To the days before, which are shown then, with the keyboard on it.
    try stage.focus(containing: "Tea, ")
    try stage.keys("alt+Left")
    try Self.await(stage, "tea", at: "2999-05-01 09:20:00", shown: "Tea, Wednesday, 1 May 2999 09:20, ")
    try stage.see("Thursday, 25 April 2999 to Wednesday, 1 May 2999")
    try Self.awaitFocus(stage, "Tea, Wednesday, 1 May 2999 09:20, ")
    try stage.keys("Next")
    try stage.see(containing: "Cake, Saturday, 4 May 2999 17:00, in ")
  }

  @Test func `A request is opened, cancelled and brought back in the week`() throws {
    let stage = try Self.stage()
    try Self.awaitFocus(stage, "Tea, ")
    try stage.keys("Return")
    try stage.awaitWindow("Details")
    try stage.keys("Escape")
    try stage.awaitWindow("Suzu")
    try Self.awaitFocus(stage, "Tea, ")
    try stage.keys("Delete")
    try stage.awaitAbsence(of: "Tea, ")
    // What is left has the keyboard.
    try Self.awaitFocus(stage, "Cake, ")
    try stage.keys("ctrl+z")
    try stage.see(containing: "Tea, Thursday, 2 May 2999 09:20, ")
    #expect(try stage.listed().count == 2)
    try stage.keys("Delete", "ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    #expect(try stage.listed().map { $0["id"] as? String } == ["tea"])
  }

  @Test func `With the mouse, a request is dropped on an hour of another day, and on a day`() throws {
    let stage = try Self.stage()
    let heading = try stage.reader.place(of: try stage.see("Thursday, 2 May 2999"))
    let tea = try stage.reader.place(of: try stage.see(containing: "Tea, Thursday"))
    #expect(abs(heading[0] + heading[2] / 2 - tea[0] - tea[2] / 2) < 5, "\(heading) \(tea)")
    try stage.drag("Tea", toColumn: "Monday, 6 May 2999", row: "14:00")
    // The minute stays.
    try Self.await(stage, "tea", at: "2999-05-06 14:20:00", shown: "Tea, Monday, 6 May 2999 14:20, ")
    try stage.press("Undo")
    try Self.await(stage, "tea", at: "2999-05-02 09:20:00", shown: "Tea, Thursday, 2 May 2999 09:20, ")
    // High enough that no message covers the hours.
    try stage.resize(width: 760, height: 900)
    try stage.drag("Tea", to: "Cake")
    try Self.await(stage, "tea", at: "2999-05-04 17:20:00", shown: "Tea, Saturday, 4 May 2999 17:20, ")
    try stage.drag("Tea", to: "Friday, 3 May 2999")
    try Self.await(stage, "tea", at: "2999-05-03 17:20:00", shown: "Tea, Friday, 3 May 2999 17:20, ")
    try stage.click(try stage.wait(for: "row") { nodes in nodes.first { $0.name.hasPrefix("Cake, Saturday") } })
    try stage.awaitWindow("Details")
  }

  @Test func `What repeats says that it cannot be moved, and stays`() throws {
    let stage = try WindowStage(opens: false)
    #expect(try stage.session.suzu("notify", "Tea", "--id", "tea", "--every", "09:00").status == 0)
    try stage.open()
    try stage.keys("alt+w")
    try stage.focus(containing: "Tea, ")
    try stage.keys("alt+Right")
    try stage.see(containing: "repeats; change all its dates with 'suzu edit'")
    try stage.wait(forList: "request as it was") { $0.count == 1 && $0[0]["every"] as? String == "09:00" }
  }

  @Test func `A narrow window shows the list, and a wide one the week again`() throws {
    let stage = try Self.stage()
    try stage.resize(width: 500, height: 640)
    try stage.awaitAbsence(of: "Next week")
    try stage.see("Cancel Tea")
    #expect(try stage.reader.nodes().allSatisfy { !$0.name.contains("Show as a week") })
    try stage.resize(width: 1000, height: 640)
    try stage.see("Next week")
    try stage.see("Thursday, 2 May 2999, 09:00")
    try stage.keys("alt+2")
    try stage.awaitAbsence(of: "Show as a week")
  }

  @Test(.enabled(if: LookTests.hasLocales, "the descriptions of locales are not installed"))
  func `From right to left, the first day is on the right, and the arrows follow`() throws {
    let locales = try TemporaryFolder()
    _ = try RunningProgram.run(
      "localedef", ["-c", "-i", "he_IL", "-f", "UTF-8", locales.path("he_IL.UTF-8")], environment: ["PATH": "/usr/bin"])
    let stage = try Self.stage(["LOCPATH": locales.path(""), "LC_ALL": "he_IL.UTF-8"])
    let first = try stage.reader.place(of: try stage.see("Thursday, 2 May 2999"))
    let last = try stage.reader.place(of: try stage.see("Wednesday, 8 May 2999"))
    #expect(first[0] > last[0], "\(first) \(last)")
    try Self.awaitFocus(stage, "Tea, ")
    try stage.keys("Left")
    try Self.awaitFocus(stage, "Cake, ")
    try stage.keys("alt+Left")
    try Self.await(stage, "cake", at: "2999-05-05 17:00:00", shown: "Cake, Sunday, 5 May 2999 17:00, ")
  }
}
