// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests behavior that only Cinnamon has.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(5)))
struct CinnamonTests {
  // Xfce, MATE and Cinnamon 6.6 lose such a notification.
  @Test(.on(Cinnamon()), arguments: ["active", "critical"])
  func `What comes while the user is not to be disturbed goes to the applet, and is dismissed from Cinnamon 6.6 on`(
    level: String
  ) throws {
    let server = Cinnamon()
    let desktop = try Desktop(server)
    // Cinnamon has its applets only a while after its name.
    try server.dismiss(try desktop.show("Before", "--id", "before"), on: desktop)
    try desktop.awaitAbsence(of: "Before")
    try server.beQuiet(on: desktop)
    try desktop.post("Quiet", ["--id", "quiet", "--style", "alert", "--level", level])
    if server.dismissesWhenQuiet {
      #expect(try desktop.closing(of: "quiet") == "dismissed")
      #expect(try server.kept(on: desktop).isEmpty)
      return
    }
    try desktop.wait(for: "'Quiet' in the applet") {
      try server.kept(on: desktop).contains { $0.title == "Quiet" } ? () : nil
    }
    #expect(try server.popups(on: desktop).isEmpty)
    try server.openFromHistory("Quiet", on: desktop)
    #expect(try desktop.response(to: "quiet").action == "default")
  }
}
