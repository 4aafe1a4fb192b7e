// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests identifying real processes on a real bus.
@Suite(.timeLimit(.minutes(2))) struct CallerIdentificationTests {
  static let hasProxy = Bubblewrap.isPossible && RunningProgram.path(of: "xdg-dbus-proxy") != nil

  @Test func `A program of the user's own is unconfined`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let answer = try await stand.answer(to: CallerStand.question(bus.address))
      #expect(answer.hasPrefix("unconfined "))
      let itself = try #require(await stand.connection.uniqueName)
      guard case .unconfined = await CallerIdentification().identify(itself, on: stand.connection) else {
        Issue.record("we ourselves are not unconfined")
        return
      }
    }
  }

  @Test func `A missing caller, or one without an owner, is unknown`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let identification = CallerIdentification()
      #expect(await identification.identify(":1.4711", on: stand.connection) == .unknown)
      #expect(await identification.identify(CallerStand.busName, on: stand.connection) == .unknown)
      let itself = try #require(await stand.connection.uniqueName)
      await stand.connection.close()
      // The bus did not answer, which proves nothing about the caller.
      #expect(await identification.identify(itself, on: stand.connection) == .undetermined)
    }
  }

  @Test(.enabled(if: Bubblewrap.isPossible, "no bwrap here, or it may not make namespaces"))
  func `A Flatpak is identified by the file at its root`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let info = try bus.folder.write(
        "[Application]\nname=org.example.Tea\nruntime=runtime/x/y/z\n\n[Instance]\nname=other\n", to: "info")
      // The second one has its own process and user namespaces, as Flatpak has.
      for more in [[], ["--unshare-pid", "--unshare-user"]] {
        let words = Bubblewrap.words(bus.folder, info: info, more) + CallerStand.question(bus.address)
        #expect(try await stand.answer(to: words) == "flatpak org.example.Tea")
      }
    }
  }

  @Test(.enabled(if: Bubblewrap.isPossible, "no bwrap here, or it may not make namespaces"))
  func `A sandbox without an identifying file is unknown`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let question = CallerStand.question(bus.address)
      #expect(try await stand.answer(to: Bubblewrap.words(bus.folder) + question) == "unknown -")
    }
  }

  @Test(
    .enabled(if: Bubblewrap.isPossible, "no bwrap here, or it may not make namespaces"),
    arguments: ["symlink", "pipe", "folder", "huge", "binary", "nameless", "path", "empty"])
  func `An invalid file at the root gives no app and blocks no identification`(kind: String) async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let good = try bus.folder.write("[Application]\nname=org.example.Tea\n", to: "good")
      let bad = bus.folder.path("bad")
      var more: [String] = []
      switch kind {
      case "symlink": more = ["--symlink", good, "/.flatpak-info"]
      case "pipe":
        mkfifo(bad, 0o600)
        more = ["--ro-bind", bad, "/.flatpak-info"]
      case "folder": more = ["--dir", "/.flatpak-info"]
      default:
        let texts = [
          "huge": "[Application]\nname=org.example.Tea\n" + String(repeating: "# tea\n", count: 20_000),
          "binary": "[Application]\nname=org.example.Tea\n\0\u{1}", "nameless": "[Application]\nruntime=a\n",
          "path": "[Application]\nname=../../org.example.Tea\n", "empty": "",
        ]
        try Data((texts[kind] ?? "").utf8).write(to: URL(filePath: bad))
        more = ["--ro-bind", bad, "/.flatpak-info"]
      }
      let words = Bubblewrap.words(bus.folder, more) + CallerStand.question(bus.address)
      #expect(try await stand.answer(to: words) == "flatpak -")
    }
  }

  // MARK: Behind a proxy

  /// Starts a real proxy in front of the bus, and returns once it listens.
  static func proxy(
    _ bus: PrivateBus, in sandbox: [String], allowing rules: [String] = ["--talk=org.example.Who"]
  ) async throws -> (RunningProgram, String) {
    // The proxy ends when its output has no reader, so the shell holds the output open.
    let script =
      #"mkfifo "$READY" && exec 8<>"$READY"; "$@" 9>"$READY" 8<&- & head -c 1 <&8 >/dev/null; echo ready; wait"#
    var environment = bus.environment
    environment["READY"] = bus.folder.path("ready")
    let command =
      sandbox + [
        "xdg-dbus-proxy", "--fd=9", bus.address, bus.folder.path("proxy"), "--filter",
      ] + rules
    let program = try RunningProgram("/bin/sh", ["-c", script, "sh"] + command, environment: environment)
    guard try await program.line() == "ready" else { throw TestFailure("no proxy: \(program.errors)") }
    return (program, "unix:path=" + bus.folder.path("proxy"))
  }

  @Test(.enabled(if: hasProxy, "no xdg-dbus-proxy or no bwrap here"))
  func `A caller behind Flatpak's proxy is the app`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let info = try bus.folder.write("[Application]\nname=org.example.Tea\n", to: "info")
      let (proxy, address) = try await Self.proxy(bus, in: Bubblewrap.words(bus.folder, info: info))
      // The caller itself is another process, which the bus never sees.
      let other = try bus.folder.write("[Application]\nname=org.example.Other\n", to: "other")
      let words = Bubblewrap.words(bus.folder, info: other) + CallerStand.question(address)
      #expect(try await stand.answer(to: words) == "flatpak org.example.Tea")
      proxy.kill()
    }
  }

  @Test(.enabled(if: hasProxy, "no xdg-dbus-proxy or no bwrap here"))
  func `A caller behind a proxy outside of a sandbox is unknown`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let (proxy, address) = try await Self.proxy(bus, in: [])
      #expect(try await stand.answer(to: CallerStand.question(address)) == "unknown -")
      proxy.kill()
    }
  }

  // MARK: A bus that knows processes

  /// Whether the installed bus gives descriptors of processes.
  static let givesDescriptors: Bool = {
    let version = try? RunningProgram.run("dbus-daemon", ["--version"], environment: ["PATH": "/usr/bin:/bin"])
    let numbers = version?.output.split(separator: "\n").first?.split(separator: " ").last
    return numbers.flatMap { ServerVersion(String($0)) }.map { $0 >= "1.15.8" } ?? false
  }()

  @Test(.enabled(if: givesDescriptors, "dbus-daemon before 1.15.8 gives no descriptors of processes"))
  func `The bus gives a descriptor of a caller, which says when its process has ended`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let itself = try #require(await stand.connection.uniqueName)
      let credentials = try await stand.connection.credentials(of: itself)
      #expect(credentials.processFD != nil && credentials.processID == UInt32(getpid()))
      // The descriptor decides, not the number, which belongs to a running process here.
      let identification = CallerIdentification()
      let unproven = await identification.identify(credentials) {
        Issue.record("nothing needs to be asked")
        return false
      }
      #expect(CallerStand.text(unproven).hasPrefix("unconfined "))
      let answer = try await stand.answer(to: CallerStand.question(bus.address))
      #expect(answer.hasPrefix("unconfined "))
    }
  }

  // MARK: Gone

  @Test func `A caller that ends right after its call is unknown`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      for _ in 0..<10 {
        let program = try RunningProgram(
          "dbus-send",
          [
            "--bus=\(bus.address)", "--type=method_call", "--dest=org.example.Who", "/org/example/Who",
            "org.example.Who.Knock",
          ],
          environment: bus.environment)
        let caller = try await stand.callers.next()
        // During its end, either answer is correct, and nothing hangs.
        let early = await CallerIdentification().identify(caller, on: stand.connection)
        if early != .unknown { #expect(CallerStand.text(early).hasPrefix("unconfined ")) }
        #expect(try await program.exit() == 0)
        #expect(await CallerIdentification().identify(caller, on: stand.connection) == .unknown)
      }
    }
  }

  /// The connection outlives the process that made it, whose number may be reused.
  @Test(.enabled(if: hasPythonBus, "no python3-dbus here"))
  func `A connection whose process has ended is unknown, even if a child holds it`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await CallerStand.start(on: bus, loop)
      let script = """
        import dbus, os, sys
        print(dbus.SessionBus().get_unique_name(), flush=True)
        sys.stdin.readline()
        if os.fork(): os._exit(0)
        print("left", flush=True)
        os.close(1)
        os.close(2)
        sys.stdin.readline()
        """
      let program = try RunningProgram("/usr/bin/python3", ["-c", script], environment: bus.environment)
      let name = try #require(try await program.line().flatMap { BusName($0) })
      let before = await CallerIdentification().identify(name, on: stand.connection)
      #expect(CallerStand.text(before).hasPrefix("unconfined "))
      program.write("\n")
      #expect(try await program.line() == "left")
      _ = try await program.exit()
      #expect(!program.isRunning)
      #expect(try await stand.connection.owner(of: name) == name)
      #expect(await CallerIdentification().identify(name, on: stand.connection) == .unknown)
      program.closeInput()
    }
  }

  static let hasPythonBus =
    (try? RunningProgram.run("/usr/bin/python3", ["-c", "import dbus"], environment: [:]))?.status == 0
}
