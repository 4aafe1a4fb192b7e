// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests identifying a caller by its credentials and by a `/proc` that the test makes.
@Suite(.timeLimit(.minutes(1))) struct CallerCredentialsTests {
  // MARK: Flatpak

  @Test(arguments: [
    ("[Application]\nname=org.example.Tea\n", "org.example.Tea"),
    ("# made\n\n[Instance]\nname=x\n[Application]\nruntime=a\nname = org.example.T-2_1 \n", "org.example.T-2_1"),
    ("[Runtime]\nname=org.example.Platform\n", "org.example.Platform"),
    ("[Application]\nname=org.example.Tea", "org.example.Tea"),
    ("", "-"), ("name=org.example.Tea\n", "-"), ("[Application]\n", "-"), ("[Application]\nname=\n", "-"),
    ("[Other]\nname=org.example.Tea\n", "-"), ("[Application]x\nname=org.example.Tea\n", "-"),
    ("[Application]\nname=org.example.Tea\nname=org.example.Pot\n", "-"),
    ("[Application]\nname=org.example.Tea\n[Runtime]\nname=org.example.Pot\n", "-"),
    ("[Application]\nname=org.example.Tea\n[X]\n[Application]\nname=org.example.Tea\n", "-"),
    ("[Application]\nname=org.example/Tea\n", "-"), ("[Application]\nname=..\n", "-"),
    ("[Application]\nname=org..example\n", "-"), ("[Application]\nname=.org.example\n", "-"),
    ("[Application]\nname=org.example.\n", "-"), ("[Application]\nname=tea\n", "-"),
    ("[Application]\nname=org.example.Tea\\nx\n", "-"), ("[Application]\nname=org.example.Tea x\n", "-"),
    ("[Application]\nname=org.example.Tea\r\n", "-"), ("[Application]\nname=org.1example.Tea\n", "-"),
    ("[Application]\nname=org.-example.Tea\n", "-"), ("[Application]\nname=org.éxample.Tea\n", "-"),
    ("[Application]\nname=org.example.Tea\0\n", "-"), ("[Application]\nname[de]=org.example.Tea\n", "-"),
    ("[Application]\nname=org.\(String(repeating: "e", count: 260))\n", "-"),
  ])
  func `The app is the one in Flatpak's own file`(info: String, app: String) async throws {
    #expect(try await FakeProcesses().identity(info: Array(info.utf8)) == "flatpak \(app)")
  }

  @Test func `A Flatpak file that is not text gives no app`() async throws {
    #expect(try await FakeProcesses().identity(info: Array("[Application]\nname=a.b\n".utf8) + [0xff]) == "flatpak -")
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(try await FakeProcesses().identity(info: bytes) == "flatpak -")
    }
  }

  @Test func `A Flatpak file may have 64 KiB`() async throws {
    let start = Array("[Application]\nname=org.example.Tea\n#".utf8)
    let rest = [UInt8](repeating: 0x20, count: 65536 - start.count)
    #expect(try await FakeProcesses().identity(info: start + rest) == "flatpak org.example.Tea")
    #expect(try await FakeProcesses().identity(info: start + rest + [0x20]) == "flatpak -")
  }

  // MARK: Others

  @Test(arguments: [
    ("snap.firefox.firefox (enforce)", "snap firefox_firefox"), ("snap.firefox.firefox", "snap firefox_firefox"),
    ("snap.tea_2.pot-x (complain)", "snap tea_2_pot-x"), ("snap.tea.hook.configure (enforce)", "snap -"),
    ("snap.tea", "snap -"), ("snap.tea.", "snap -"), ("snap..tea", "snap -"), ("snap.a/b.c", "snap -"),
    ("unconfined", "unconfined -"), ("/usr/bin/tea (enforce)", "unconfined -"), ("snapper.a.b", "unconfined -"),
    ("", "unconfined -"),
  ])
  func `A Snap is identified by its label`(label: String, expected: String) async throws {
    #expect(try await FakeProcesses().identity(label: label) == expected)
    // Files of its process do not make it a Flatpak.
    if expected.hasPrefix("snap") {
      let processes = try FakeProcesses()
      _ = try await processes.identity(info: Array("[Application]\nname=org.example.Tea\n".utf8))
      #expect(await processes.identity(label: label) == expected)
    }
  }

  static let user = "/user.slice/user-1000.slice/user@1000.service"
  static let uuid = "1b0c5f0e-8a43-4c5c-9f57-3a9a4c1a2b3c"

  @Test(arguments: [
    ("0::\(user)/app.slice/snap.firefox.firefox-\(uuid).scope", "snap firefox_firefox"),
    ("0::\(user)/app.slice/snap.tea-pot.tea.\(uuid).scope", "snap tea-pot_tea"),
    ("0::/system.slice/snap.tea.pot.service", "snap tea_pot"), ("0::\(user)/snap.tea.hook.x-\(uuid).scope", "snap -"),
    ("12:freezer:/snap.tea\n0::/", "snap -"), ("0::/snap.tea.pot-\(uuid).scope/child", "snap tea_pot"),
    ("0::\(user)/app.slice/app-gnome-org.example.Tea-4711.scope", "unconfined org.example.Tea"),
    ("0::\(user)/app.slice/app-org.example.Tea-4711.scope", "unconfined org.example.Tea"),
    (#"0::\#(user)/app-suzu-org.example.Tea\x2dPot-ab12.scope"#, "unconfined org.example.Tea-Pot"),
    ("0::\(user)/app.slice/app-org.example.Tea@autostart.service", "unconfined org.example.Tea"),
    ("0::\(user)/app.slice/app-kde-org.example.Tea@1f.service/x", "unconfined org.example.Tea"),
    ("0::\(user)/app.slice/app-org.example.Tea.service", "unconfined org.example.Tea"),
    ("1:name=systemd:/app-org.example.Tea-1.scope\n2:pids:/x", "unconfined org.example.Tea"),
    ("2:pids:/app-org.example.Tea-1.scope", "unconfined -"), ("0::/session-1.scope", "unconfined -"),
    (#"0::/app-..\x2f..\x2fetc-1.scope"#, "unconfined -"), (#"0::/app-a\x0ab-1.scope"#, "unconfined -"),
    (#"0::/app-a\x00b-1.scope"#, "unconfined -"), (#"0::/app-a\x+1b-1.scope"#, "unconfined -"),
    (#"0::/app-a\x2"#, "unconfined -"), (#"0::/app-a\x2-1.scope"#, "unconfined -"), ("0::/app-1.scope", "unconfined -"),
    ("0::/app--1.scope", "unconfined -"), ("0::/app-.service", "unconfined -"), ("", "unconfined -"),
    ("nonsense", "unconfined -"),
  ])
  func `Unit names identify a Snap and hint at an app`(groups: String, expected: String) async throws {
    let processes = try FakeProcesses()
    try processes.write(groups + "\n", "\(processes.process)/cgroup")
    #expect(await processes.identity() == expected)
  }

  // MARK: What cannot be told

  @Test func `An unreadable process makes the caller unknown`() async throws {
    let cases: [(String, (FakeProcesses) throws -> Void)] = [
      ("no process", { try FileManager.default.removeItem(atPath: $0.folder.path($0.process)) }),
      ("no root", { try FileManager.default.removeItem(atPath: $0.folder.path($0.process + "/root")) }),
      ("root is a file", { try $0.link("sandbox/usr", $0.process + "/root") }),
      ("another root", { try $0.link("sandbox", $0.process + "/root") }),
      ("no root of ours", { try FileManager.default.removeItem(atPath: $0.folder.path("proc/self/root")) }),
      ("no groups", { try FileManager.default.removeItem(atPath: $0.folder.path($0.process + "/cgroup")) }),
      (
        "groups are a pipe",
        {
          try FileManager.default.removeItem(atPath: $0.folder.path($0.process + "/cgroup"))
          mkfifo($0.folder.path($0.process + "/cgroup"), 0o600)
        }
      ),
      ("no program", { try FileManager.default.removeItem(atPath: $0.folder.path($0.process + "/exe")) }),
      ("a proxy", { try $0.link(program: "/usr/bin/xdg-dbus-proxy") }),
      ("a proxy before its update", { try $0.link(program: "/usr/bin/xdg-dbus-proxy (deleted)") }),
    ]
    for (what, change) in cases {
      let processes = try FakeProcesses()
      #expect(await processes.identity() == "unconfined -")
      try change(processes)
      #expect(await processes.identity() == "unknown -", "\(what)")
    }
  }

  // Such a caller once counted as a stranger for as long as the center ran.
  @Test func `A caller is undetermined while descriptors are short, and identified later`() async throws {
    await #expect(processExitsWith: .success) {
      let ours = Credentials(userID: getuid(), processID: UInt32(getpid()))
      let identification = CallerIdentification()
      #expect(CallerStand.text(await identification.identify(ours) { true }).hasPrefix("unconfined "))
      var taken: [Int32] = []
      var usual = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &usual)
      var few = rlimit(rlim_cur: 64, rlim_max: usual.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
      while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
      // Each step gets one step farther: the handle of the process, its folder, its root, its files.
      var identities: [CallerIdentity] = []
      for _ in 0..<5 {
        identities.append(await identification.identify(ours) { true })
        if let descriptor = taken.popLast() { close(descriptor) }
      }
      #expect(identities.prefix(3).allSatisfy { $0 == .undetermined })
      #expect(identities.allSatisfy { $0 != .unknown })
      for descriptor in taken { close(descriptor) }
      #expect(CallerStand.text(await identification.identify(ours) { true }).hasPrefix("unconfined "))
      #expect(await identification.identify(ours) { nil } == .undetermined)
    }
  }

  @Test func `A process of another user, or none, is unknown`() async throws {
    let own = UInt32(getpid())
    let identification = CallerIdentification()
    let none: [Credentials] = [
      Credentials(userID: getuid() + 1, processID: own), Credentials(userID: nil, processID: own),
      Credentials(userID: getuid(), processID: nil), Credentials(userID: getuid(), processID: 0),
      Credentials(userID: getuid(), processID: .max), Credentials(userID: getuid(), processID: 1 << 30),
      Credentials(userID: getuid() + 1, processID: own, securityLabel: "snap.a.b"),
    ]
    for credentials in none { #expect(await identification.identify(credentials) { true } == .unknown) }
    let ours = Credentials(userID: getuid(), processID: own)
    #expect(CallerStand.text(await identification.identify(ours) { true }).hasPrefix("unconfined "))
    // The connection is closed meanwhile, and another process may have got the number.
    #expect(await identification.identify(ours) { false } == .unknown)
  }

  // MARK: A descriptor of the process

  private static func descriptor(of processID: Int32) throws -> UnixFD {
    typealias Open = @convention(c) (Int32, UInt32) -> Int32
    let symbol = try #require(dlsym(nil, "pidfd_open"), "a C library without pidfd_open")
    return UnixFD(owning: unsafeBitCast(symbol, to: Open.self)(processID, 0))
  }

  @Test func `A process descriptor takes precedence over a process number`() async throws {
    // A sleep is meant: a program that lasts.
    let program = try RunningProgram("sleep", ["1000"], environment: ["PATH": "/usr/bin:/bin"])
    let descriptor = try Self.descriptor(of: program.processID)
    // The number belongs to another process, which is alive.
    let credentials = Credentials(userID: getuid(), processID: UInt32(getpid()), processFD: descriptor)
    let identification = CallerIdentification()
    let alive = await identification.identify(credentials) {
      Issue.record("nothing needs to be asked")
      return false
    }
    #expect(CallerStand.text(alive).hasPrefix("unconfined "))
    program.kill()
    #expect(await identification.identify(credentials) { true } == .unknown)
    let nonsense = UnixFD(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    let other = Credentials(userID: getuid(), processID: UInt32(getpid()), processFD: nonsense)
    #expect(await identification.identify(other) { true } == .unknown)
  }

  @Test func `Identification leaves no descriptor open`() async throws {
    await #expect(processExitsWith: .success) {
      let own = Credentials(userID: getuid(), processID: UInt32(getpid()))
      let identification = CallerIdentification()
      func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      _ = await identification.identify(own) { true }
      let before = try open()
      for answer in [true, false] { for _ in 0..<50 { _ = await identification.identify(own) { answer } } }
      // The process has a few other descriptors that come and go.
      #expect(try open() < before + 10)
    }
  }
}
