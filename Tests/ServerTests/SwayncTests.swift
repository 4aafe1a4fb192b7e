// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests behavior that only swaync has.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(5)))
struct SwayncTests {
  // It declares its reply line in any case. `Check.reply` uses the button that it draws without the line.
  @Test(.on(Swaync()), .enabled(if: Swaync().hasReplyLine, "this swaync has no reply line"))
  func `A reply is typed into the line of a user who has turned it on`() throws {
    let desktop = try Desktop(Swaync(settings: #"{"notification-inline-replies": true}"#))
    let popup = try desktop.show("Letter", "--id", "letter", "--category", "letter", "--style", "alert")
    try desktop.server.reply("früh & <spät>", to: popup, on: desktop)
    let response = try desktop.response(to: "letter")
    #expect([response.action, response.reply] == ["answer", "früh & <spät>"])
    #expect(desktop.deeds == ["letter früh & <spät>"])
  }
}
