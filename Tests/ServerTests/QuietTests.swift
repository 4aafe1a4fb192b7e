// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests what comes while the user is not to be disturbed, on desktops with a way of their own. ``CinnamonTests`` has
/// Cinnamon's.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(5)))
struct QuietTests {
  @Test(.on(Awesome())) func `awesome shows what came while it was suspended once it resumes`() throws {
    let server = Awesome()
    let desktop = try Desktop(server)
    _ = try server.evaluate("require('naughty').suspend()", on: desktop)
    for level in ["active", "critical"] {
      try desktop.post(level, ["--id", level, "--style", "alert", "--level", level, "--category", "meeting"])
    }
    try desktop.wait(for: "two that wait") {
      try server.evaluate("return #require('naughty').notifications.suspended", on: desktop).contains("2") ? () : nil
    }
    #expect(try server.popups(on: desktop).isEmpty)
    _ = try server.evaluate("require('naughty').resume()", on: desktop)
    let popup = try desktop.popup("active")
    _ = try desktop.popup("critical")
    try server.press(try #require(popup.buttons.first { $0.label == "Late" }), of: popup, on: desktop)
    #expect(try desktop.response(to: "active").action == "late")
  }

  @Test(.inRoot(Budgie()), arguments: ["active", "critical"])
  func `What comes while Budgie is not to disturb expires at once`(level: String) throws {
    let server = Budgie()
    let desktop = try Desktop(server)
    try desktop.run(
      "gdbus", "call", "--session", "--dest", "org.budgie_desktop.Notifications", "--object-path",
      "/org/budgie_desktop/Notifications", "--method", "org.buddiesofbudgie.budgie.Dispatcher.ToggleDoNotDisturb")
    try desktop.post("Quiet", ["--id", "quiet", "--style", "alert", "--level", level])
    #expect(try desktop.closing(of: "quiet") == "expired")
    #expect(try server.popups(on: desktop).isEmpty)
  }

  @Test(.on(NotifyOSD())) func `notify-osd shows only critical ones beside a window that fills the screen`() throws {
    let server = NotifyOSD()
    let desktop = try Desktop(server)
    let window = try RunningProgram(
      "/usr/bin/python3",
      [
        "-c",
        """
        import gi
        gi.require_version("Gtk", "3.0")
        from gi.repository import Gtk
        window = Gtk.Window()
        window.fullscreen()
        window.connect("window-state-event", lambda _, event: "FULLSCREEN" in str(event.new_window_state)
                       and print("fullscreen", flush=True))
        window.show()
        Gtk.main()
        """,
      ], environment: desktop.session.environment)
    try demand(window.readLine(within: 20) == "fullscreen", "no window: \(window.errors)")
    try desktop.post("Quiet", ["--id", "quiet"])
    // The bubble is neither drawn nor reported as closed, so the second one is the first that is there.
    _ = try desktop.event("delivery of 'quiet'") { $0.event == "delivered" && $0.id == "quiet" }
    try desktop.post("Critical", ["--id", "critical", "--level", "critical"])
    #expect(try desktop.closing(of: "critical") == "expired")
    #expect(try server.popups(on: desktop).isEmpty)
    #expect(try desktop.session.suzu(["history"]).output.contains("on the screen      dev.suzu.Suzu  quiet"))
  }
}
