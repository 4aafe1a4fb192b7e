// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests what `suzu doctor` says about a click on a notification: it once promised too much on servers that close it.
@Suite(.onOwnThread, .timeLimit(.minutes(1)))
struct DoctorServerTests {
  @Test(
    arguments: [
      ("scripted", "ok       click on the notification: opens its URL or its app, or does its only action"),
      (
        "Xfce Notify Daemon",
        "partly   click on the notification: closes it; a separate button opens its URL or its app, or does its only action"
      ),
      (
        "dunst",
        "partly   click on the notification: with the middle button, opens its URL or its app, or does its only action; "
          + "the left button closes it"
      ),
      ("notify-osd", "partly   click on the notification: does nothing"),
    ])
  func `doctor says what a click does on this server`(name: String, line: String) async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, name: name)
      let found = try await offPool { try session.suzu("doctor") }
      #expect(found.output.split(separator: "\n").contains("  " + line), "\(found.output)")
      await server.die()
    }
  }

  // It said that dialogs are fine, and no list of actions opened.
  @Test(arguments: [true, false])
  func `doctor says whether the center has a display`(hasDisplay: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("#!/bin/sh\nexit 1\n", to: "bin/zenity", executable: true)
    var variables = ["PATH": folder.path("bin") + ":/usr/bin:/bin"]
    if hasDisplay { variables["DISPLAY"] = ":77" }
    let session = try Session(variables: variables, in: folder)
    #expect(try session.suzu("list").status == 0)
    let found = try session.suzu("doctor").output
    let expected =
      hasDisplay
      ? "ok       dialogs: shown with zenity or kdialog"
      : "partly   dialogs: the center has no display, so neither lists of actions nor text inputs open; on the "
        + "desktop, run 'dbus-update-activation-environment --systemd DISPLAY WAYLAND_DISPLAY XAUTHORITY', then "
        + "'systemctl --user restart suzud'"
    #expect(found.split(separator: "\n").contains { $0 == expected }, "\(found)")
  }
}
