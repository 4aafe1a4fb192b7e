// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the page *History* as a screen reader and a keyboard use it.
@Suite(.onOwnThread, .timeLimit(.minutes(5)), .enabled(if: WindowStage.isPossible))
struct HistoryTests {
  @Test func `What has ended is listed as it ends, and is found by its text`() throws {
    let stage = try WindowStage()
    try stage.keys("alt+3")
    try stage.see("Nothing has come yet")
    // Without a server these stay due, and end when they are cancelled.
    for title in ["Invoice of May", "Tea"] {
      #expect(try stage.session.suzu("notify", title, "--id", String(title.prefix(3))).status == 0)
    }
    try stage.see(containing: "Invoice of May, Today ")
    #expect(try stage.session.suzu("cancel", "Tea").status == 0)
    try stage.wait(for: "the end of tea") { nodes in
      nodes.contains { $0.name.hasPrefix("Tea, Today ") && $0.name.hasSuffix("cancelled") } ? () : nil
    }
    try stage.keys("ctrl+f")
    try stage.type("invoice")
    try stage.awaitAbsence(of: "Tea, Today ")
    try stage.see(containing: "Invoice of May, Today ")
    try stage.type("x")
    try stage.see("Nothing found")
  }

  @Test func `A long history is read as it is scrolled, to its end`() throws {
    let stage = try WindowStage(opens: false)
    let requests = (0..<350).map { #"{"id": "n\#($0)", "title": "Number \#($0)"}"# }
    let sent = try stage.session.suzu("notify", "--file", "-", input: "[\(requests.joined(separator: ","))]")
    #expect(sent.status == 0, "\(sent.errors)")
    try stage.open()
    try stage.keys("alt+3")
    func shown(_ nodes: [ScreenReader.Node]) -> [Int] {
      nodes.filter { $0.role == "list item" && $0.name.hasPrefix("Number ") }
        .compactMap { Int($0.name.dropFirst(7).prefix { $0.isNumber }) }
    }
    let first = try stage.wait(for: "first row") { shown($0).first }
    #expect([0, 349].contains(first))
    // Past the search, to the list.
    try stage.focus(containing: "Number ")
    try stage.keys("End")
    // A page has a hundred rows.
    for row in [150, 250, 349] {
      try stage.wait(for: "row \(row) of the list") { nodes in
        if shown(nodes).contains(where: { abs($0 - first) >= row }) { return () }
        try stage.keys("End")
        return nil
      }
    }
    try stage.keys("Home")
    try stage.see(containing: "Number \(first), ")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: WindowStage.popupServer)))
  func `A notification that is on the screen is answered from the history, once`() throws {
    let stage = try WindowStage(services: ["org.freedesktop.Notifications": WindowStage.popupServer])
    let command = try RunningProgram(
      Session.programs + "/suzu",
      ["notify", "Lunch?", "--style", "alert", "--action", "yes=Yes", "--action", "no=Not _today", "--wait"],
      environment: stage.session.environment)
    try stage.keys("alt+3")
    try stage.focus(containing: "Lunch?, Today ")
    try stage.keys("Return")
    try stage.awaitWindow("Details")
    try stage.see("It is on the screen")
    try stage.press("Not _today")
    #expect(command.waitForExit(within: 20) == 0)
    #expect(command.readLine() == "no")
    try stage.see(containing: "Lunch?, Today ")
    try stage.awaitWindow("Suzu")
    // It has ended: its buttons are only named.
    try stage.focus(containing: "Lunch?, Today ")
    try stage.keys("Return")
    try stage.awaitWindow("Details")
    try stage.see("Buttons: \u{2068}Yes\u{2069}, \u{2068}Not _today\u{2069}")
    #expect(try stage.reader.nodes().allSatisfy { $0.name != "It is on the screen" })
  }
}
