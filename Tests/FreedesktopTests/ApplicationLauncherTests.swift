// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import Glibc
import TestSupport
import Testing

/// A test environment: a bus, entries, and programs that record their arguments.
struct LaunchStand: Sendable {
  let bus: PrivateBus
  let folder: TemporaryFolder
  let connection: Connection

  static func with<T: Sendable>(
    _ bus: PrivateBus? = nil, _ body: @Sendable (LaunchStand) async throws -> T
  ) async throws -> T {
    try await withBus(bus ?? PrivateBus()) { loop, bus in
      let stand = LaunchStand(bus: bus, folder: try TemporaryFolder(), connection: try await bus.connect(on: loop))
      try FileManager.default.createDirectory(
        atPath: stand.folder.path("home"), withIntermediateDirectories: true)
      try stand.program("recorder")
      return try await body(stand)
    }
  }

  /// Writes a program that records its arguments, folder, tokens, and whether it has its own session.
  func program(_ name: String, then end: String = "") throws {
    try folder.write(
      """
      #!/bin/sh
      exec 3>>\(folder.path("record"))
      printf '\(name)' >&3
      for word; do printf '|%s' "$word" >&3; done
      read -r line </proc/$$/stat
      set -- $line
      [ "$6" = $$ ] || printf ' shared' >&3
      echo " $PWD $XDG_ACTIVATION_TOKEN,$DESKTOP_STARTUP_ID $NOTIFY_SOCKET$DBUS_STARTER_ADDRESS" >&3
      \(end)
      """, to: "bin/" + name, executable: true)
  }

  func entry(_ id: String, _ lines: String) throws {
    try folder.write("[Desktop Entry]\nType=Application\nName=Tea\n\(lines)\n", to: "share/applications/\(id).desktop")
  }

  var launcher: ApplicationLauncher {
    var launcher = ApplicationLauncher(environment: [
      "PATH": "bin:" + folder.path("bin"), "HOME": folder.path("home"), "XDG_DATA_DIRS": folder.path("share"),
      "NOTIFY_SOCKET": "@ours", "DBUS_STARTER_ADDRESS": "ours", "DESKTOP_STARTUP_ID": "stale",
    ])
    launcher.waitLimit = .seconds(60)
    return launcher
  }

  func launch(
    _ id: String, _ action: String? = nil, _ urls: [String] = [], token: String? = nil
  ) async -> ApplicationLauncher.Ending {
    await launcher.launch(id, action: action, urls: urls, activationToken: token, on: connection)
  }

  /// The records since the last call, shortened for the home folder without a token.
  func record() throws -> String {
    defer { unlink(folder.path("record")) }
    return (folder.read("record") ?? "").replacingOccurrences(of: " \(folder.path("home")) , \n", with: "\n")
  }
}

/// Tests launching of applications by command line and over D-Bus.
@Suite(.timeLimit(.minutes(2))) struct ApplicationLauncherTests {
  // MARK: The command line

  @Test func `A program gets its arguments, folder and token, and its own session`() async throws {
    try await LaunchStand.with { stand in
      try stand.entry("org.example.A", "Exec=recorder --open %u \"b c\" %c\nPath=\(stand.folder.path("bin"))")
      let url = "https://a/?b=$(touch x);c&d=\"e\""
      #expect(await stand.launch("org.example.A.desktop", nil, [url], token: "token 1") == .launched)
      #expect(
        try stand.record() == "recorder|--open|\(url)|b c|Tea \(stand.folder.path("bin")) token 1,token 1 \n")
      try stand.entry("org.example.B", "Exec=recorder a")
      #expect(await stand.launch("org.example.B") == .launched)
      #expect(try stand.record() == "recorder|a\n")
    }
  }

  @Test func `No shell interprets a command line`() async throws {
    try await LaunchStand.with { stand in
      try stand.entry("a", "Exec=recorder ; touch x && echo $HOME `b` $(c) > d | e * ~ # f")
      #expect(await stand.launch("a") == .launched)
      #expect(try stand.record() == "recorder|;|touch|x|&&|echo|$HOME|`b`|$(c)|>|d|||e|*|~|#|f\n")
      // Unless the entry asks for a shell.
      try stand.entry("b", "Exec=/bin/sh -c \"recorder a; recorder \\\\$0 b\" %u")
      #expect(await stand.launch("b", nil, ["x:$(c)"]) == .launched)
      #expect(try stand.record() == "recorder|a shared\nrecorder|x:$(c)|b shared\n")
    }
  }

  @Test func `Actions have their own command lines`() async throws {
    try await LaunchStand.with { stand in
      try stand.entry(
        "a",
        "Exec=recorder\nActions=b;c;\n[Desktop Action b]\nName=B\nExec=recorder b\n[Desktop Action c]\nName=C\n"
          + "[Desktop Action d]\nName=D\nExec=recorder d")
      #expect(await stand.launch("a", "b") == .launched)
      #expect(try stand.record() == "recorder|b\n")
      #expect(await stand.launch("a", "c") == .invalid("'a' does not say how to launch it"))
      for action in ["d", "", "b;c", "../b"] { #expect(await stand.launch("a", action) == .noSuchAction(action)) }
      #expect(try stand.record() == "")
    }
  }

  @Test func `Several URLs are opened by one process or by one each`() async throws {
    try await LaunchStand.with { stand in
      try stand.entry("one", "Exec=recorder %f")
      try stand.entry("all", "Exec=recorder %U")
      #expect(await stand.launch("one", nil, ["/a", "file:///b%20c"]) == .launched)
      #expect(try stand.record() == "recorder|/a\nrecorder|/b c\n")
      #expect(await stand.launch("all", nil, ["/a", "x:b"]) == .launched)
      #expect(try stand.record() == "recorder|/a|x:b\n")
      #expect(
        await stand.launch("one", nil, ["x:b"])
          == .failed("the program opens files of this machine only, not 'x:'"))
      #expect(
        await stand.launch("all", nil, ["--version"])
          == .failed("the argument is neither a URL nor an absolute path"))
    }
  }

  @Test func `The preferred terminal is used, or any other`() async throws {
    try await LaunchStand.with { stand in
      try stand.entry("a", "Exec=recorder \"b c\"\nTerminal=true")
      let recorder = stand.folder.path("bin/recorder")
      #expect(
        await stand.launch("a")
          == .failed("'a' needs a terminal; install one that has 'xdg-terminal-exec' or 'x-terminal-emulator'"))
      for (terminal, words) in [("xterm", "-e|"), ("x-terminal-emulator", "-e|"), ("xdg-terminal-exec", "")] {
        try stand.program(terminal)
        #expect(await stand.launch("a") == .launched)
        #expect(try stand.record() == "\(terminal)|\(words)\(recorder)|b c\n")
      }
    }
  }

  @Test func `A missing program is not started`() async throws {
    try await LaunchStand.with { stand in
      try stand.folder.write("", to: "bin/no-program")
      #expect(symlink("loop", stand.folder.path("bin/loop")) == 0)
      #expect(mkdir(stand.folder.path("bin/folder"), 0o700) == 0)
      for name in ["nowhere", "no-program", "loop", "folder", "bin/recorder", "../bin/recorder", "/nowhere"] {
        let reason = ApplicationLauncher.Ending.failed("'a' is not fully installed: there is no program '\(name)'")
        try stand.entry("a", "Exec=recorder\nTryExec=\(name)")
        #expect(await stand.launch("a") == reason)
        try stand.entry("a", "Exec=\(name)")
        #expect(await stand.launch("a") == reason)
      }
      for name in ["recorder", stand.folder.path("bin/recorder"), ""] {
        try stand.entry("a", "Exec=recorder\nTryExec=\(name)")
        #expect(await stand.launch("a") == .launched)
      }
      #expect(try stand.record() == "recorder\nrecorder\nrecorder\n")
    }
  }

  @Test(arguments: [
    ("Exec=recorder %x", "'Exec' is invalid: an unknown code after a percent sign"),
    ("Exec=\"recorder", "'Exec' is invalid: an unterminated quote"), ("Exec=", "'Exec' is invalid: it is empty"),
    ("Exec=%u", "'Exec' is invalid: its program is empty or contains a field code"),
    ("", "'a' does not say how to launch it"),
    ("Exec=recorder\nPath=bin", "its 'Path' is not an accessible folder"),
    ("Exec=recorder\nPath=/etc/passwd", "its 'Path' is not an accessible folder"),
    ("Exec=recorder\nPath=/nowhere", "its 'Path' is not an accessible folder"),
    ("Exec=recorder\nnonsense", "line 5 is neither a comment, a group nor a key with its value"),
    ("Type=Link\nExec=recorder", "'a' is a 'Link', not an application"),
  ])
  func `An invalid entry is not launched`(_ lines: String, _ reason: String) async throws {
    try await LaunchStand.with { stand in
      try stand.entry("a", lines)
      guard case .invalid(let why) = await stand.launch("a") else { throw TestFailure("launched") }
      #expect(why.hasSuffix(reason))
      #expect(try stand.record() == "")
    }
  }

  @Test func `An application that is not installed is not launched`() async throws {
    try await LaunchStand.with { stand in
      try stand.entry("hidden", "Exec=recorder\nHidden=true")
      for id in ["nothing", "hidden", "../share/applications/hidden", "/etc/passwd", ""] {
        #expect(await stand.launch(id) == .notInstalled(id))
      }
      #expect(try stand.record() == "")
    }
  }

  @Test func `A program that fails at once counts as not launched`() async throws {
    try await LaunchStand.with { stand in
      for (end, reason) in [
        ("exit 127", "it ended at once, with exit 127"), ("kill -SEGV $$", "it ended at once, by signal 11"),
      ] {
        try stand.program("broken", then: end)
        try stand.entry("a", "Exec=broken")
        #expect(await stand.launch("a") == .failed("'a': " + reason))
      }
      try stand.folder.write("#!/nowhere/at-all\n", to: "bin/alien", executable: true)
      try stand.entry("a", "Exec=alien")
      let reason = "\(stand.folder.path("bin/alien")): No such file or directory"
      #expect(await stand.launch("a") == .failed("'a': " + reason))
    }
  }

  @Test func `The launcher does not wait for a running program`() async throws {
    try await LaunchStand.with { stand in
      let (gate, number) = (stand.folder.path("gate"), stand.folder.path("number"))
      #expect(mkfifo(gate, 0o600) == 0)
      try stand.program("patient", then: "echo $$ >\(number); read line <\(gate)")
      try stand.entry("a", "Exec=patient")
      var launcher = stand.launcher
      launcher.waitLimit = .milliseconds(300)
      #expect(await launcher.launch("a", on: stand.connection) == .launched)
      let process = try #require(stand.folder.read("number")).trimmingCharacters(in: .newlines)
      // Opening waits for the reader, which proves that it is alive.
      try FileHandle(forWritingTo: URL(filePath: gate)).close()
      // An ended process keeps its id until the loop has reaped it; a leftover child would confuse exit tests.
      // A sleep is meant: the kernel reports no event when an ended process is collected.
      let witness = "while kill -0 \(process); do /bin/sleep 0.01; done 2>/dev/null; echo gone"
      let ending = await ChildProcess.run(
        .init(["/bin/sh", "-c", witness], limit: .seconds(20)), on: stand.connection.loop)
      #expect(ending == .exited(0, lastLine: "gone"))
    }
  }

  /// After one launch of each kind, the number of descriptors is unchanged.
  @Test func `Launching leaks no descriptors`() async throws {
    try await LaunchStand.with { stand in
      try stand.entry("a", "Exec=recorder")
      try stand.entry("b", "Exec=/bin/false")
      try stand.entry("c", "Exec=recorder\nPath=/nowhere")
      func round() async {
        for id in ["a", "b", "c", "d"] { _ = await stand.launch(id) }
        _ = stand.launcher.applications.declaredSchemes()
      }
      await round()
      let before = OpenDescriptors.count
      for _ in 0..<20 { await round() }
      #expect(OpenDescriptors.count <= before)
    }
  }

  @Test func `With systemd a program gets its own unit`() async throws {
    try await LaunchStand.with { stand in
      let systemd = try await ScriptedSystemd.start(on: stand.bus, stand.connection.loop)
      try stand.program("numbered", then: "echo $$ >\(stand.folder.path("number"))")
      try stand.entry("org.example.A-B", "Exec=numbered")
      #expect(await stand.launch("org.example.A-B.desktop") == .launched)
      let unit = try await systemd.units.next()
      let number = stand.folder.read("number").flatMap { UInt32($0.trimmingCharacters(in: .newlines)) }
      #expect(unit.properties["PIDs"] == .array(of: .uint32, [.uint32(try #require(number))]))
      #expect(unit.properties["Description"] == "Tea")
      #expect(unit.name.hasPrefix(#"app-suzu-org.example.A\x2dB-"#))
      await systemd.connection.close()
    }
  }

  // MARK: The bus

  @Test(.enabled(if: GLibApplication.isPossible, "no python3-gi here"))
  func `An application on the bus is called there`() async throws {
    let peer = try GLibApplication("org.example.Tea")
    try await LaunchStand.with(peer.bus) { stand in
      try stand.entry(
        "org.example.Tea", "Exec=recorder\nDBusActivatable=true\nActions=plain;\n[Desktop Action plain]\nName=Plain")
      let data = #"["data", {"activation-token": "t", "desktop-startup-id": "t"}]"#
      #expect(await stand.launch("org.example.Tea", token: "t") == .launched)
      #expect(try await peer.report() == data)
      #expect(try await peer.report() == #"["activate"]"#)
      #expect(await stand.launch("org.example.Tea.desktop", nil, ["/a b", "x:c"], token: "t") == .launched)
      #expect(try await peer.report() == data)
      #expect(try await peer.report() == #"["open", ["file:///a%20b", "x:c"]]"#)
      #expect(await stand.launch("org.example.Tea", "plain", token: "t") == .launched)
      #expect(try await peer.report() == data)
      #expect(try await peer.report() == #"["plain", null]"#)
      #expect(await stand.launch("org.example.Tea", "other") == .noSuchAction("other"))
      #expect(try stand.record() == "")
    }
  }

  @Test func `The command line is used if the bus has no such application`() async throws {
    let services = ["org.example.Broken": "/nowhere/at-all"]
    try await LaunchStand.with(PrivateBus(services: services)) { stand in
      for id in ["org.example.Absent", "org.example.Broken", "no-name"] {
        try stand.entry(id, "Exec=recorder %u\nDBusActivatable=true")
        #expect(await stand.launch(id, nil, ["x:a"]) == .launched)
        #expect(try stand.record() == "recorder|x:a\n")
      }
      try stand.entry("org.example.Absent", "DBusActivatable=true")
      guard case .failed = await stand.launch("org.example.Absent") else { throw TestFailure("launched") }
      try stand.entry("no-name", "DBusActivatable=true")
      #expect(await stand.launch("no-name") == .invalid("'no-name' does not say how to launch it"))
      // Also without a bus.
      await stand.connection.close()
      try stand.entry("org.example.Absent", "Exec=recorder\nDBusActivatable=true")
      #expect(await stand.launch("org.example.Absent") == .launched)
      #expect(try stand.record() == "recorder\n")
    }
  }

  @Test func `An application that refuses is not started again by command line`() async throws {
    try await LaunchStand.with { stand in
      let busy = try await stand.bus.connect(on: stand.connection.loop)
      try await busy.export(
        Interface(
          "org.freedesktop.Application",
          methods: [
            Method("Activate", in: ["platform-data": "a{sv}"]) { _ in throw RemoteError(.failed, "no display") }
          ]), at: "/org/example/Busy")
      #expect(try await busy.requestName("org.example.Busy") == .owner)
      try stand.entry("org.example.Busy", "Exec=recorder\nDBusActivatable=true")
      #expect(
        await stand.launch("org.example.Busy")
          == .failed("org.example.Busy: org.freedesktop.DBus.Error.Failed: no display"))
      #expect(try stand.record() == "")
      await busy.close()
    }
  }
}
