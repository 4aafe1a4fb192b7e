// SPDX-License-Identifier: Apache-2.0
import DBus
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

  // Everything sent to Xfce during 'Do not disturb' was lost, and doctor found nothing wrong.
  @Test(arguments: [true, false])
  func `doctor reads the settings of Xfce that change what is shown`(isOn: Bool) async throws {
    let session = try Session()
    try await withLoop { loop in
      let settings = try await session.bus.connect(on: loop)
      try await settings.export(
        Interface(
          "org.xfce.Xfconf",
          methods: [
            Method("GetProperty", in: ["channel": "s", "property": "s"], out: ["value": "v"]) { call in
              guard call.arguments == ["xfce4-notifyd", "/do-not-disturb"] || isOn else {
                throw RemoteError(.failed, "no such property")
              }
              return [.variant(.boolean(isOn))]
            }
          ]), at: "/org/xfce/Xfconf")
      _ = try await settings.requestName("org.xfce.Xfconf", .doNotQueue)
      let server = try await ScriptedServer.start(on: session.bus, loop, name: "Xfce Notify Daemon", version: "0.7.3")
      let lines = try await offPool { try session.suzu("doctor") }.output.split(separator: "\n")
      let quiet =
        "  partly   do not disturb: on: notifications are neither shown nor kept; turn it off in the settings of the desktop"
      #expect(lines.contains { $0 == quiet } == isOn, "\(lines)")
      let progress =
        isOn
        ? "  ok       progress: sent to the server; most draw a bar"
        : "  partly   progress: as text, because the server draws a bar alone, without title and text"
      #expect(lines.contains { $0 == progress }, "\(lines)")
      // The center reads the same setting.
      let sent = try await offPool { try session.suzu("notify", "Copying", "--progress", "40") }
      #expect(sent.status == 0, "\(sent.errors)")
      let posted = try await server.posted.next()
      #expect(posted.hints["value"] == (isOn ? .int32(40) : nil) && posted.body == (isOn ? "" : "40 %"))
      // A volume bar of notify-send is a bar, without a button.
      _ = try await offPool { try session.suzu("notify-send", "Volume", "-h", "int:value:40") }
      let bar = try await server.posted.next()
      #expect(bar.hints["value"] == .int32(40) && bar.body == "" && bar.actions == [])
      await server.die()
      await settings.close()
    }
  }

  // It said that dialogs are fine, and no list of actions opened.
  @Test(arguments: [true, false])
  func `doctor says whether the center has a display`(hasDisplay: Bool) throws {
    let folder = try TemporaryFolder()
    // The first one is preferred, and may be installed on this machine.
    for name in ["suzu-window", "zenity"] {
      try folder.write("#!/bin/sh\nexit 1\n", to: "bin/\(name)", executable: true)
    }
    var variables = ["PATH": folder.path("bin") + ":/usr/bin:/bin"]
    if hasDisplay { variables["DISPLAY"] = ":77" }
    let session = try Session(variables: variables, in: folder)
    #expect(try session.suzu("list").status == 0)
    let found = try session.suzu("doctor").output
    let expected =
      hasDisplay
      ? "ok       dialogs: shown with suzu-window"
      : "partly   dialogs: the center has no display, so neither lists of actions nor text inputs open; on the "
        + "desktop, run 'dbus-update-activation-environment --systemd DISPLAY WAYLAND_DISPLAY XAUTHORITY', then "
        + "'systemctl --user restart suzud'"
    #expect(found.split(separator: "\n").contains { $0 == expected }, "\(found)")
  }
}
