// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests moving requests on the page *Upcoming*, with keys and with the mouse: the command sees each change.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct MoveTests {
  /// A stage with a request, and what the command lists of its date.
  private static func stage(_ words: String...) throws -> WindowStage {
    let stage = try WindowStage(opens: false)
    let sent = try stage.session.suzu(["notify", "Tea", "--id", "tea"] + words)
    #expect(sent.status == 0, "\(sent.errors)")
    try stage.open()
    return stage
  }

  @Test func `Alt and an arrow move a request by days and hours, and Ctrl+Z undoes them together`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00", "--action", "ok=Drunk")
    try stage.see(containing: "Tea, Thursday, 2 May 2999 09:00, ")
    try stage.focus(containing: "Tea, ")
    try stage.keys("alt+Down", "alt+Down", "alt+Right")
    // Reading the whole screen takes a while, and the message is shown for six seconds.
    try stage.wait(forList: "moved request") {
      $0.count == 1 && $0[0]["at"] as? String == "2999-05-04 10:00:00" && $0[0]["actions"] != nil
    }
    try stage.keys("ctrl+z")
    try stage.wait(forList: "request as it was") { $0.count == 1 && $0[0]["at"] as? String == "2999-05-02 09:00:00" }
    try stage.see(containing: "Tea, Thursday, 2 May 2999 09:00, ")
    try stage.awaitAbsence(of: "Moved ")
  }

  @Test func `A moved row keeps the keyboard at its new place`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    #expect(try stage.session.suzu("notify", "Cake", "--at", "2999-05-02 12:00", "--id", "cake").status == 0)
    try stage.see(containing: "Cake, ")
    try stage.focus(containing: "Tea, ")
    try stage.keys("alt+Down")
    try stage.see(containing: "Tea, Friday, 3 May 2999 09:00, ")
    _ = try stage.wait(for: "focus on the moved row") { nodes in
      nodes.first { $0.focused && $0.name.hasPrefix("Tea, Friday, 3 May") }
    }
    try stage.keys("alt+Up")
    try stage.see(containing: "Tea, Thursday, 2 May 2999 09:00, ")
    try stage.wait(forList: "cake where it was") { list in
      list.contains { $0["id"] as? String == "cake" && $0["at"] as? String == "2999-05-02 12:00:00" }
    }
  }

  // Each move began at what its row said, which was behind by some moves.
  @Test func `Keys in quick succession all count`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    try stage.focus(containing: "Tea, ")
    for pause in [5, 10] {
      try stage.keys((0..<12).flatMap { _ in ["alt+Down", "alt+Right"] }, pause: pause)
      try stage.wait(forList: "request 12 days and hours later") { $0.first?["at"] as? String == "2999-05-14 21:00:00" }
      try stage.keys((0..<12).flatMap { _ in ["alt+Up", "alt+Left"] }, pause: pause)
      try stage.wait(forList: "request as it was") { $0.first?["at"] as? String == "2999-05-02 09:00:00" }
    }
  }

  // The move after Ctrl+Z began at the date that had been undone, which the row still said.
  @Test func `A move right after Ctrl+Z begins at the date from before, and is undone to it`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    try stage.focus(containing: "Tea, ")
    for _ in 0..<5 {
      try stage.keys(["alt+Down", "alt+Down", "ctrl+z", "alt+Right"], pause: 5)
      try stage.wait(forList: "request an hour later") { $0.first?["at"] as? String == "2999-05-02 10:00:00" }
      try stage.keys("ctrl+z")
      try stage.wait(forList: "request as it was") { $0.first?["at"] as? String == "2999-05-02 09:00:00" }
    }
  }

  // GTK gave the keyboard to the first button of the window, once that was active again.
  @Test func `A row that changes while another window is in front keeps the keyboard`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    try stage.focus(containing: "Tea, ")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New request")
    try stage.command("edit", "tea", "Coffee")
    try stage.see(containing: "Coffee, ")
    try stage.keys("Escape")
    try stage.awaitWindow("Suzu")
    try stage.keys("alt+Down")
    try stage.wait(forList: "moved request") { $0.first?["at"] as? String == "2999-05-03 09:00:00" }
  }

  @Test func `A row that the command moves or cancels keeps the keyboard, or the next one gets it`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    for (name, day) in [("Cake", 4), ("Bread", 6)] {
      try stage.command("notify", name, "--at", "2999-05-0\(day) 09:00", "--id", name)
      try stage.see(containing: "\(name), ")
    }
    try stage.focus(containing: "Tea, ")
    func awaitFocus(_ name: String) throws {
      try stage.wait(for: "focus on \(name)") { nodes in nodes.first { $0.focused && $0.name.hasPrefix(name) } }
    }
    try stage.command("edit", "tea", "--at", "2999-05-05 09:00")
    try awaitFocus("Tea, Sunday, 5 May")
    try stage.keys("alt+Right")
    try awaitFocus("Tea, Sunday, 5 May 2999 10:00, ")
    try stage.command("cancel", "tea")
    try awaitFocus("Bread, ")
    try stage.keys("alt+Right")
    try awaitFocus("Bread, Monday, 6 May 2999 10:00, ")
  }

  @Test func `A list that the user has scrolled stays there when the row with the keyboard changes`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    for day in 10...30 { try stage.command("notify", "Cake \(day)", "--at", "2999-05-\(day) 09:00") }
    let cake = try stage.see(containing: "Cake 11, ")
    try stage.focus(containing: "Tea, ")
    try stage.scroll(over: cake, by: 8)
    func height(of name: String) throws -> Int {
      try stage.wait(for: "place of \(name)") { nodes in
        try nodes.first { $0.name.hasPrefix(name + ", ") }.map { try stage.reader.place(of: $0)[1] }
      }
    }
    try stage.wait("scrolled list") { try height(of: "Cake 11") < 0 }
    try stage.command("edit", "tea", "Coffee")
    try stage.see(containing: "Coffee, ")
    #expect(try height(of: "Cake 11") < 0)
  }

  // Messages that ended while they still slid in ended the window, too.
  @Test func `Moving, cancelling and undoing in quick succession leaves the request and the window`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    try stage.focus(containing: "Tea, ")
    for _ in 0..<10 { try stage.keys("alt+Down", "Delete", "ctrl+z", "alt+Right", "ctrl+z", "Delete", "ctrl+z") }
    try stage.see(containing: "Tea, ")
    #expect(try stage.listed().count == 1)
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
  }

  @Test func `A repeating request says that it cannot be moved, and stays`() throws {
    let stage = try Self.stage("--every", "09:00")
    try stage.see(containing: "Tea, ")
    try stage.focus(containing: "Tea, ")
    try stage.keys("alt+Down")
    try stage.see(containing: "repeats; change all its dates with 'suzu edit'")
    try stage.wait(forList: "request as it was") { $0.count == 1 && $0[0]["every"] as? String == "09:00" }
  }

  @Test func `A row dropped on another one takes its day and hour, and Undo brings it back`() throws {
    let stage = try Self.stage("--at", "2999-05-02 09:00")
    #expect(try stage.session.suzu("notify", "Cake", "--at", "2999-05-06 17:00", "--id", "cake").status == 0)
    try stage.see(containing: "Tea, ")
    try stage.see(containing: "Cake, ")
    try stage.drag("Tea", to: "Cake")
    try stage.wait(forList: "moved request") { list in
      list.contains { $0["id"] as? String == "tea" && $0["at"] as? String == "2999-05-06 17:00:00" }
    }
    try stage.press("Undo")
    try stage.see(containing: "Tea, Thursday, 2 May 2999 09:00, ")
    // A heading is a day: the time stays.
    try stage.drag("Tea", to: "Monday, 6 May 2999")
    try stage.see(containing: "Tea, Monday, 6 May 2999 09:00, ")
  }
}
