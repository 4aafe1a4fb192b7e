// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests behavior that only GNOME Shell has.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(5)))
struct GnomeTests {
  // It keeps three notifications per app, and would close the oldest as "expired" for a fourth one.
  @Test(.on(Gnome())) func `An alert that makes room for a fourth one comes back after an answer`() throws {
    let desktop = try Desktop(Gnome())
    for number in 1...4 {
      try desktop.post("Number \(number)", ["--id", "n\(number)", "--style", "alert"])
      _ = try desktop.event("delivery") { $0.event == "delivered" && $0.id == "n\(number)" }
    }
    try desktop.server.openFromHistory("Number 2", on: desktop)
    #expect(try desktop.response(to: "n2").action == "default")
    _ = try desktop.event("second delivery") { $0.event == "delivered" && $0.id == "n1" }
    try desktop.server.openFromHistory("Number 1", on: desktop)
    #expect(try desktop.response(to: "n1").action == "default")
  }

  // GNOME 46 and later show the app's name in the head of a notification, and 48 stacks the notifications of an app: it
  // knows the app by the hint 'desktop-entry' if such an entry is installed, else by the name that was sent.
  @Test(.on(Gnome())) func `Notifications of two apps are grouped by app, each under its name`() throws {
    let desktop = try Desktop(Gnome())
    let tea = ["--app", "org.example.Tea", "--app-name", "Tea Timer"]
    for (title, flags) in [("Backup done", []), ("Green tea", tea), ("Backup checked", []), ("Black tea", tea)] {
      try desktop.post(title, ["--style", "alert", "--id", title] + flags)
      _ = try desktop.event("delivery") { $0.event == "delivered" && $0.id == title }
    }
    let groups = try Gnome().sources(on: desktop)
    #expect(groups == ["Suzu": ["Backup checked", "Backup done"], "Tea Timer": ["Black tea", "Green tea"]])
    if let file = Picture.file(Picture.groups) { try Gnome().photographList(to: file, on: desktop) }
  }

  // GNOME sends signals to the poster: a new center must post again to receive the click. (From 46 on it also removes
  // the notifications of a disconnected poster.) A notification replaced on the screen loses its buttons: 43 redraws it
  // before reading the actions, so one with buttons is closed first.
  @Test(.on(Gnome()), arguments: [[], ["--action", "later=Later", "--snooze", "later=10m"]])
  func `A new center takes over an alert of a killed one`(buttons: [String]) throws {
    let desktop = try Desktop(Gnome())
    let witness = try desktop.session.witness()
    try desktop.post(
      "Answer me",
      ["--id", "alert", "--url", "https://example.org/a", "--style", "alert", "--level", "critical"] + buttons)
    _ = try desktop.popup("Answer me")
    let posts = try RunningProgram(
      "dbus-monitor", ["--session", "member='Notify',path='/org/freedesktop/Notifications'"],
      environment: desktop.session.environment)
    // The first event is the monitor's own arrival.
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
