// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the command where no variable names the user's bus: cron, system services, SSH, sudo.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(2)))
struct AnywhereTests {
  /// Runs `suzu` where `/run/user` contains only `links`, with only `variables` in its environment.
  private static func suzu(
    _ arguments: [String], in session: Session, links: [String: String], _ variables: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    var words = ["--dev-bind", "/", "/", "--tmpfs", "/run"]
    for (user, path) in links {
      words += ["--perms", "0755", "--dir", "/run/user/" + user, "--symlink", path, "/run/user/\(user)/bus"]
    }
    return try RunningProgram.run(
      "bwrap", words + ["--", Session.programs + "/suzu"] + arguments,
      environment: ["PATH": "/usr/bin:/bin", "HOME": session.folder.path("home")].merging(variables) { $1 })
  }

  private static let isPossible = Bubblewrap.isPossible

  @Test(.enabled(if: isPossible, "bubblewrap is not installed, or may not make namespaces"))
  func `A cron job without session variables finds the user's bus`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let sent = try Self.suzu(
      ["notify", "From cron"], in: session, links: ["\(getuid())": session.folder.path("bus")])
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(popups.readLine() == "#1 From cron")
  }

  @Test(.enabled(if: isPossible, "bubblewrap is not installed, or may not make namespaces"))
  func `A bus that dbus-launch started is found by its session file, unless it has ended`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    func note(_ name: String, _ address: String, _ process: Int32) throws {
      try session.folder.write(
        "# This file allows processes to find it.\nDBUS_SESSION_BUS_ADDRESS='\(address)'\nDBUS_SESSION_BUS_PID=\(process)\n",
        to: "home/.dbus/session-bus/\(name)")
    }
    try note("machine-0", session.bus.address, session.bus.processID)
    // A newer file, of a bus that has ended: no process has such a high number.
    try note("machine-1", "unix:path=/nowhere", 1 << 30)
    let sent = try Self.suzu(["notify", "Over X"], in: session, links: [:])
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(popups.readLine() == "#1 Over X")
    try note("machine-0", session.bus.address, 1 << 30)
    let lost = try Self.suzu(["notify", "x"], in: session, links: [:])
    #expect(lost.status == 69)
    #expect(lost.errors.hasPrefix("suzu: notify: no session bus: "), "\(lost.errors)")
    #expect(lost.errors.contains("--user NAME") == (getuid() == 0))
  }

  @Test(.enabled(if: isPossible && getuid() == 0, "only root can use the bus of another user"))
  func `Root reaches the bus of the user given by --user or sudo`() throws {
    // Another user's bus refuses root like any other user.
    let folder = try TemporaryFolder()
    let name = "nobody"
    let other = try #require(getpwnam(name)?.pointee)
    try FileManager.default.createDirectory(atPath: folder.path("theirs"), withIntermediateDirectories: false)
    #expect(chown(folder.path("theirs"), other.pw_uid, other.pw_gid) == 0 && chmod(folder.path(""), 0o755) == 0)
    let bus = try RunningProgram(
      "setpriv",
      [
        "--reuid", "\(other.pw_uid)", "--regid", "\(other.pw_gid)", "--clear-groups", "dbus-daemon", "--session",
        "--nofork", "--nopidfile", "--address=unix:path=\(folder.path("theirs/bus"))", "--print-address=1",
      ], environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_DATA_DIRS": "/nonexistent"])
    #expect(bus.readLine(within: 10) != nil, "\(bus.errors)")
    defer { bus.kill() }
    let session = try Session(hasCenter: false)
    let links = ["\(other.pw_uid)": folder.path("theirs/bus")]
    for (arguments, variables) in [
      (["list", "--user", name], [:]), (["--user=\(name)", "list"], [:]),
      (["list", "--user", "\(other.pw_uid)"], [:]),
      (["list"], ["SUDO_UID": "\(other.pw_uid)"]),
    ] as [([String], [String: String])] {
      let asked = try Self.suzu(arguments, in: session, links: links, variables)
      // The bus accepted the connection, and no center runs there.
      #expect(asked.status == 69, "\(arguments)")
      #expect(asked.errors.hasPrefix("suzu: list: ") && asked.errors.contains("center"), "\(asked.errors)")
      #expect(!asked.errors.contains("no session bus"), "\(asked.errors)")
    }
    // Once, the center could not identify a program that had changed its user.
    try FileManager.default.createDirectory(atPath: folder.path("theirs/home"), withIntermediateDirectories: false)
    #expect(chown(folder.path("theirs/home"), other.pw_uid, other.pw_gid) == 0)
    let asOther = ["--reuid", "\(other.pw_uid)", "--regid", "\(other.pw_gid)", "--clear-groups"]
    let environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path("theirs/home"),
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + folder.path("theirs/bus"),
    ]
    let center = try RunningProgram("setpriv", asOther + [Session.programs + "/suzud"], environment: environment)
    defer { center.kill() }
    let waited = try RunningProgram.run(
      "setpriv", asOther + ["gdbus", "wait", "--session", "--timeout", "20", "dev.suzu.Center"],
      environment: environment)
    #expect(waited.status == 0, "\(waited.errors) \(center.errors)")
    for (arguments, variables) in [
      (["--user", name], [:]), ([], ["SUDO_UID": "\(other.pw_uid)"]),
    ] as [([String], [String: String])] {
      let sent = try Self.suzu(
        ["notify", "From root", "--id", "root", "--in", "1h"] + arguments, in: session, links: links, variables)
      #expect(sent.status == 0 && sent.output == "root\n", "\(sent.errors)")
    }
    center.kill()
    // The user's session is the matter, not a variable of ours.
    let absent = try Self.suzu(["list", "--user", name], in: session, links: [:])
    #expect(absent.status == 69)
    #expect(
      absent.errors
        == "suzu: list: the user 'nobody' has no session: there is no /run/user/\(other.pw_uid)/bus; log in as "
        + "that user, or run 'loginctl enable-linger nobody'\n",
      "\(absent.errors)")
    let refused = try Self.suzu(
      ["list"], in: session, links: links, ["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + folder.path("theirs/bus")])
    #expect(refused.status == 69 && !refused.errors.contains("the center"), "\(refused.errors)")
  }

  @Test func `An unknown or missing user gives an error of one line`() throws {
    let session = try Session(hasCenter: false)
    for (arguments, status, errors) in [
      (["list", "--user", "no such user"], 67, "suzu: there is no user 'no such user'\n"),
      (["list", "--user"], 64, "suzu: '--user' needs a value: --user NAME\n"),
    ] as [([String], Int32, String)] {
      let asked = try RunningProgram.run(Session.programs + "/suzu", arguments, environment: session.environment)
      #expect(asked.status == status && asked.errors == errors, "\(asked)")
    }
  }
}
