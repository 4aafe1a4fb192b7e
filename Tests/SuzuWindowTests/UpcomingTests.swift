// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the page *Upcoming* as a screen reader and a keyboard use it, with the real center and the real command.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct UpcomingTests {
  @Test func `A request of the sheet is in the list of the command and on the page`() throws {
    let stage = try WindowStage()
    try stage.see("Nothing is coming up")
    try stage.keys("ctrl+n")
    try stage.awaitWindow("New request")
    // The first line has the focus.
    try stage.type("Dentist")
    try stage.write("Bring the card", into: "Text")
    try stage.write("tomorrow 09:30", into: "When")
    try stage.see(containing: "Next dates: Tomorrow 09:30, in ")
    try stage.see(containing: "Popup: Dentist, Bring the card, No notification server runs now")
    try stage.press("Schedule")
    try stage.wait(forList: "request") { list in
      list.count == 1 && list[0]["title"] as? String == "Dentist" && list[0]["body"] as? String == "Bring the card"
    }
    try stage.see(containing: "Dentist, Tomorrow 09:30, in ")
    try stage.see("Tomorrow")
    try stage.awaitAbsence(of: "New request")
  }

  @Test func `An error of the center stands at its field, and the sheet stays`() throws {
    let stage = try WindowStage()
    try stage.keys("ctrl+n")
    try stage.write("2001-01-01 09:00", into: "When")
    try stage.see(containing: "has passed")
    try stage.press("Schedule")
    try stage.see("Give it a title")
    try stage.write("Dentist", into: "Title")
    try stage.awaitAbsence(of: "Give it a title")
    try stage.press("Schedule")
    try stage.see(containing: "has passed")
    try stage.write("in 20 minutes", into: "When")
    try stage.see(containing: "Next dates: ")
    #expect(try stage.listed().isEmpty)
    try stage.awaitWindow("New request")
    try stage.keys("Escape")
    try stage.awaitAbsence(of: "Next dates: ")
    #expect(try stage.listed().isEmpty)
  }

  @Test func `A title of ten thousand characters becomes a row of one line`() throws {
    let stage = try WindowStage()
    try stage.keys("ctrl+n")
    try stage.write(String(repeating: "x", count: 10_000), into: "Title")
    try stage.write("tomorrow 9:00", into: "When")
    try stage.press("Schedule")
    try stage.wait(forList: "whole title") { ($0.first?["title"] as? String)?.count == 10_000 }
    let row = try stage.see(containing: "xxx…, Tomorrow 09:00, in ")
    #expect(row.name.count < 400)
  }

  @Test func `What the command does is followed, and the center may be restarted`() throws {
    let stage = try WindowStage()
    try stage.see("Nothing is coming up")
    #expect(try stage.session.suzu("notify", "Tea", "--in", "2h", "--id", "tea").status == 0)
    try stage.see(containing: "Tea, ")
    #expect(try stage.session.suzu("edit", "tea", "Coffee").status == 0)
    try stage.see(containing: "Coffee, ")
    #expect(try stage.session.suzu("cancel", "tea").status == 0)
    try stage.see("Nothing is coming up")
    let center = try #require(try stage.session.process(of: "dev.suzu.Center"))
    kill(center, SIGKILL)
    // The window starts the next one.
    try stage.wait(for: "another center") { _ in
      let next = try stage.session.process(of: "dev.suzu.Center")
      return next != nil && next != center ? () : nil
    }
    #expect(try stage.session.suzu("notify", "Cake", "--in", "3h").status == 0)
    try stage.see(containing: "Cake, ")
  }

  @Test func `A cancelled request comes back with undo, and is cancelled without`() throws {
    let stage = try WindowStage()
    #expect(try stage.session.suzu("notify", "Tea", "--in", "2h", "--id", "tea").status == 0)
    #expect(try stage.session.suzu("notify", "Cake", "--in", "3h", "--id", "cake").status == 0)
    try stage.see(containing: "Cake, ")
    try stage.press("Cancel Tea")
    try stage.awaitAbsence(of: "Tea, ")
    try stage.press("Undo")
    try stage.see(containing: "Tea, ")
    #expect(try stage.listed().count == 2)
    // The next one is cancelled as soon as another is, and that one with the window.
    try stage.press("Cancel Tea")
    try stage.awaitAbsence(of: "Tea, ")
    try stage.press("Cancel Cake")
    try stage.wait(forList: "only cake") { $0.map { $0["id"] as? String } == ["cake"] }
    try stage.see("Nothing is coming up")
    try stage.keys("ctrl+q")
    #expect(stage.window.waitForExit(within: 20) == 0)
    #expect(try stage.listed().isEmpty)
  }

  @Test func `A row is opened, read and cancelled with the keyboard alone`() throws {
    let stage = try WindowStage()
    #expect(
      try stage.session.suzu("notify", "Tea", "Green", "--in", "2h", "--id", "tea", "--action", "ok=Drunk").status == 0)
    let row = try stage.see(containing: "Tea, ")
    #expect(row.role == "list item")
    try stage.focus(containing: "Tea, ")
    try stage.keys("Return")
    try stage.awaitWindow("Details")
    try stage.see("Buttons: \u{2068}Drunk\u{2069}")
    try stage.see("Green")
    try stage.keys("Escape")
    try stage.awaitAbsence(of: "Buttons: ")
    try stage.awaitWindow("Suzu")
    try stage.keys("Delete")
    try stage.see("Nothing is coming up")
    try stage.keys("ctrl+z")
    try stage.see(containing: "Tea, ")
    #expect(try stage.listed().count == 1)
  }

  @Test func `Long titles, and those from right to left, are one line each`() throws {
    let stage = try WindowStage()
    let long = String(repeating: "long ", count: 800)
    #expect(try stage.session.suzu("notify", long, "--in", "1h", "--id", "long").status == 0)
    #expect(try stage.session.suzu("notify", "שלום \u{202E}עולם", "--in", "2h", "--id", "rtl").status == 0)
    let names = try stage.wait(for: "two rows") { nodes -> [String]? in
      let names = nodes.filter { $0.role == "list item" }.map(\.name)
      return names.count == 2 ? names : nil
    }
    #expect(names[0].hasPrefix("long long ") && names[0].count < 450, "\(names[0].count)")
    #expect(names[1].hasPrefix("שלום עולם, "), "\(names[1])")
  }

  @Test func `Ten thousand requests are scrolled through`() throws {
    let stage = try WindowStage(opens: false)
    let requests = (0..<10_000).map { #"{"id": "n\#($0)", "title": "Number \#($0)", "in": "\#(3600 + $0)s"}"# }
    let sent = try stage.session.suzu("notify", "--file", "-", input: "[\(requests.joined(separator: ","))]")
    #expect(sent.status == 0, "\(sent.errors)")
    try stage.open()
    try stage.see(containing: "Number 0, ")
    try stage.focus(containing: "Number 0, ")
    try stage.keys("End")
    // At each end more is read, up to the next one.
    for later in [200, 500] {
      try stage.wait(for: "row after \(later)") { nodes in
        let numbers = nodes.filter { $0.name.hasPrefix("Number ") }
          .compactMap { Int($0.name.dropFirst(7).prefix { $0.isNumber }) }
        if numbers.contains(where: { $0 > later }) { return () }
        try stage.keys("End")
        return nil
      }
    }
    try stage.keys("Home")
    try stage.see(containing: "Number 0, ")
  }
}
