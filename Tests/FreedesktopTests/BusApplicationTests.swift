// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import Glibc
import TestSupport
import Testing

/// An application that reports its calls to a test, and is started by the bus.
struct GLibApplication {
  /// Whether the Python bindings of GLib are installed.
  static let isPossible =
    (try? RunningProgram.run(
      "/usr/bin/python3", ["-c", "from gi.repository import Gio; Gio.DesktopAppInfo"], environment: [:]))?.status == 0

  let bus: PrivateBus
  let folder: TemporaryFolder
  private let reports: RunningProgram

  /// Uses GLib's `GApplication`; `GtkApplication` and libadwaita behave the same on the bus.
  init(_ id: String) throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("reports")
    guard mkfifo(pipe, 0o600) == 0 else { throw TestFailure("no pipe") }
    let program = try folder.write(
      """
      import json
      from gi.repository import Gio, GLib
      reports = open('\(pipe)', 'w', buffering=1)
      def report(*what): print(json.dumps(what, sort_keys=True), file=reports)
      class App(Gio.Application):
        def do_before_emit(self, data): report('data', data.unpack())
        def do_activate(self): report('activate')
        def do_open(self, files, count, hint): report('open', [f.get_uri() for f in files])
      app = App(application_id='\(id)', flags=Gio.ApplicationFlags.IS_SERVICE | Gio.ApplicationFlags.HANDLES_OPEN)
      app.set_inactivity_timeout(20000)
      reply = Gio.SimpleAction.new('reply', GLib.VariantType('a{sv}'))
      reply.connect('activate', lambda action, value: report('reply', value.unpack()))
      plain = Gio.SimpleAction.new('plain', None)
      plain.connect('activate', lambda action, value: report('plain', value))
      app.add_action(reply)
      app.add_action(plain)
      app.run()
      """, to: "app.py")
    self.folder = folder
    bus = try PrivateBus(services: [id: "/usr/bin/python3 \(program)"])
    // Keeps the pipe open for reading during the test.
    reports = try RunningProgram("/bin/sh", ["-c", "while :; do cat \"$0\"; done", pipe], environment: bus.environment)
  }

  func report() async throws -> String? { try await reports.line() }
}

/// Tests calls to applications on the bus.
@Suite(.timeLimit(.minutes(2))) struct BusApplicationTests {
  @Test(
    .enabled(if: GLibApplication.isPossible, "no python3-gi here"),
    arguments: ["org.example.Tea", "org.example.Tea-Pot.v2_x"])
  func `The bus starts the application, which receives all calls`(_ id: String) async throws {
    let peer = try GLibApplication(id)
    try await withBus(peer.bus) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let application = try #require(BusApplication(id))
      #expect(try await connection.owner(of: application.name) == nil)
      #expect(try await application.canBeReached(on: connection))

      try await application.activate(activationToken: "token 1", on: connection)
      #expect(
        try await peer.report() == #"["data", {"activation-token": "token 1", "desktop-startup-id": "token 1"}]"#)
      #expect(try await peer.report() == #"["activate"]"#)

      try await application.open(["https://a/?b", "file:///c%20d"], on: connection)
      #expect(try await peer.report() == #"["data", {}]"#)
      #expect(try await peer.report() == #"["open", ["https://a/?b", "file:///c%20d"]]"#)

      let response = Value.properties(["action": "reply", "due": .int64(7)])
      try await application.activateAction("reply", parameters: [response], activationToken: "t", on: connection)
      #expect(try await peer.report() == #"["data", {"activation-token": "t", "desktop-startup-id": "t"}]"#)
      #expect(try await peer.report() == #"["reply", {"action": "reply", "due": 7}]"#)
      try await application.activateAction("plain", on: connection)
      _ = try await peer.report()
      #expect(try await peer.report() == #"["plain", null]"#)
      #expect(try await connection.owner(of: application.name) != nil)
      #expect(try await application.canBeReached(on: connection))
    }
  }

  @Test func `Missing and broken applications are distinguished from refusing ones`() async throws {
    let services = ["org.example.Broken": "/nowhere/at-all", "org.example.Dies": "/bin/false"]
    try await withBus(PrivateBus(services: services)) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let other = try await bus.connect(on: loop)
      #expect(try await other.requestName("org.example.Other") == .owner)
      try await other.export(
        Interface(
          "org.freedesktop.Application",
          methods: [
            Method("Activate", in: ["platform-data": "a{sv}"]) { _ in throw RemoteError(.accessDenied, "busy") }
          ]), at: "/org/example/Refuses")
      #expect(try await other.requestName("org.example.Refuses") == .owner)
      for (id, isReached, isNone) in [
        ("org.example.Absent", false, true), ("org.example.Broken", true, true), ("org.example.Dies", true, true),
        ("org.example.Other", true, true), ("org.example.Refuses", true, false),
      ] {
        let application = try #require(BusApplication(id))
        #expect(try await application.canBeReached(on: connection) == isReached, "\(id)")
        let error = await #expect(throws: CallError.self) { try await application.activate(on: connection) }
        #expect(error?.meansNoApplication == isNone, "\(id): \(String(describing: error))")
      }
      await other.close()
      await connection.close()
      let error = await #expect(throws: CallError.self) {
        try await BusApplication("org.example.Absent")?.activate(on: connection)
      }
      #expect(error?.meansNoApplication == true)
    }
  }

  @Test(arguments: [
    ":1.1", "org", "", "org.example.é", "org/example", "org..a", "org.freedesktop.DBus", ".desktop", "a.1b",
  ])
  func `An invalid application name is never called`(_ id: String) {
    #expect(BusApplication(id) == nil)
  }

  @Test func `The extension is not part of the name`() {
    #expect(BusApplication("org.example.Tea.desktop") == BusApplication("org.example.Tea"))
  }
}
