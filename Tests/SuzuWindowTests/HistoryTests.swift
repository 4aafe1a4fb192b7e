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
}
