// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests behavior that only Plasma has.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(5)))
struct PlasmaTests {
  // Plasma sends a token before the click; without it, a program may not raise its window.
  @Test(.on(Plasma())) func `A program run by a button gets the activation token`() throws {
    let desktop = try Desktop(Plasma())
    let folder = desktop.session.folder
    let program = try folder.write(
      "#!/bin/sh\nprintf '%s\\n%s\\n' \"$XDG_ACTIVATION_TOKEN\" \"$DESKTOP_STARTUP_ID\" >'\(folder.path("token"))'\n",
      to: "program", executable: true)
    let request = #"{"id": "a", "title": "Raise it", "actions": [{"id": "go", "title": "Go", "run": ["\#(program)"]}]}"#
    #expect(try desktop.session.suzu("notify", "--file", "-", input: request).status == 0)
    try desktop.reach("Go", of: try desktop.popup("Raise it"))
    #expect(try desktop.response(to: "a").action == "go")
    let tokens = (folder.read("token") ?? "").split(separator: "\n")
    #expect(tokens.count == 2 && tokens.first == tokens.last && tokens.first?.contains("_TIME") == true, "\(tokens)")
  }

  // Plasma 6.4 to 6.6 let the notifications of a sender expire that leaves the bus, and 6.7 takes their buttons.
  @Test(.on(Plasma())) func `An alert of a killed center works when a new one comes`() throws {
    let desktop = try Desktop(Plasma())
    try desktop.show("Answer me", "--id", "alert", "--category", "meeting", "--style", "alert")
    let buttons = try desktop.popup("Answer me").labels
    let center = try #require(try desktop.session.process(of: "dev.suzu.Center"))
    kill(center, SIGKILL)
    try desktop.wait(for: "its end") { try desktop.session.process(of: "dev.suzu.Center") == center ? nil : () }
    try desktop.wait(for: "a notification as Plasma \(desktop.server.version) leaves it") {
      let left = try desktop.server.popups(on: desktop).first { $0.title == "Answer me" }?.labels
      return left == Plasma().buttonsWithoutSender(of: buttons) ? () : nil
    }
    #expect(try desktop.session.suzu("list").status == 0)
    try desktop.wait(for: "the buttons") { try desktop.popup("Answer me").labels == buttons ? () : nil }
    try desktop.reach("Late", of: try desktop.popup("Answer me"))
    try desktop.wait(for: "the answer") { desktop.deeds == ["alert late"] ? () : nil }
  }

  // Plasma refuses a notification that looks like the one before, for a second.
  @Test(.on(Plasma())) func `Two equal notifications in quick succession are both shown`() throws {
    let desktop = try Desktop(Plasma())
    for id in ["a", "b"] { try desktop.post("Twins", ["--id", id, "--style", "alert"]) }
    for id in ["a", "b"] { _ = try desktop.event("delivery of \(id)") { $0.event == "delivered" && $0.id == id } }
    try desktop.wait(for: "both") {
      try desktop.server.popups(on: desktop).filter { $0.title == "Twins" }.count == 2 ? () : nil
    }
  }
}
