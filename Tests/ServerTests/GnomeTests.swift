// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What only GNOME Shell does.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(5)))
struct GnomeTests {
  // It keeps three of an app, and says of the oldest what it says of nothing else: that it has expired.
  @Test(.on(Gnome())) func `What it closes because a fourth one came was not put away, and the others stay`() throws {
    let desktop = try Desktop(Gnome())
    for number in 1...4 { try desktop.post("Number \(number)", ["--id", "n\(number)", "--style", "alert"]) }
    #expect(try desktop.closing(of: "n1") == "expired")
    try desktop.server.openFromHistory("Number 2", on: desktop)
    #expect(try desktop.response(to: "n2").action == "default")
  }

  // Its signals go to the one who posted: a center that does not post again would never hear of the click. (From 46 on it
  // also takes down what was posted by somebody who has gone.) What is replaced while it is on the screen has no buttons
  // there any more: 43 draws it anew before it looks at the actions.
  @Test(.on(Gnome())) func `An alert of a center that was killed is the next one's`() throws {
    let desktop = try Desktop(Gnome())
    let witness = try desktop.session.witness()
    try desktop.show(
      "Answer me", "--id", "alert", "--url", "https://example.org/a", "--style", "alert", "--level", "critical")
    let posts = try RunningProgram(
      "dbus-monitor", ["--session", "member='Notify',path='/org/freedesktop/Notifications'"],
      environment: desktop.session.environment)
    // Its own arrival is what it tells of first.
    #expect(posts.readLines(until: "NameAcquired") != nil)
    let center = try #require(try desktop.session.process(of: "dev.suzu.Center"))
    kill(center, SIGKILL)
    try desktop.wait(for: "its end") { try desktop.session.process(of: "dev.suzu.Center") == center ? nil : () }
    #expect(try desktop.session.suzu("list").status == 0)
    #expect(posts.readLines(until: "Answer me") != nil)
    try desktop.server.open(try desktop.popup("Answer me"), on: desktop)
    #expect(witness.readLine() == "opened https://example.org/a")
  }
}
