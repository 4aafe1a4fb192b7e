// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// logind by python-dbusmock, with a session of this user on the screen. The bus of its test is also the system's.
struct MockLogind {
  private static let name = "org.freedesktop.login1"
  private static let manager = "/org/freedesktop/login1"
  private static let shown = manager + "/session/c1"
  private let session: Session
  let program: RunningProgram
  private var user: String { "\(Self.manager)/user/\(getuid())" }

  /// The session that a test of it needs.
  static func session(
    in folder: TemporaryFolder, variables: [String: String] = [:]
  ) throws -> Session {
    try Session(
      variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("bus")].merging(variables) { $1 }, in: folder)
  }

  init(in session: Session) throws {
    self.session = session
    program = try RunningProgram(
      "/usr/bin/python3", ["-m", "dbusmock", "--session", "--template", "logind"], environment: session.environment)
    #expect(try session.awaitOwner(of: Self.name))
    let uid = getuid()
    try call(Self.manager, "org.freedesktop.DBus.Mock.AddSession", "c1", "seat0", "\(uid)", "user", "true")
    // The template of 0.28 has none that works.
    try call(
      Self.manager, "org.freedesktop.DBus.Mock.AddMethod", Self.name + ".Manager", "GetUser", "u", "o",
      "ret = '\(Self.manager)/user/%i' % args[0]")
    try call(
      user, "org.freedesktop.DBus.Properties.Set", Self.name + ".User", "Display",
      "<('c1', objectpath '\(Self.shown)')>")
  }

  func end() { program.kill() }

  func setLocked(_ isLocked: Bool) throws { try call(Self.shown, Self.name + ".Session.SetLockedHint", "\(isLocked)") }

  /// Sets whether there was no input for an hour.
  func setIdle(_ isIdle: Bool) throws {
    let since = isIdle ? Int64((Date().timeIntervalSince1970 - 3600) * 1_000_000) : 0
    try call(
      user, "org.freedesktop.DBus.Mock.UpdateProperties", Self.name + ".User",
      "{'IdleHint': <\(isIdle)>, 'IdleSinceHint': <uint64 \(since)>}")
  }

  /// Sends the machine to sleep and wakes it.
  func suspend() throws {
    for isBeginning in [true, false] {
      try call(
        Self.manager, "org.freedesktop.DBus.Mock.EmitSignal", Self.name + ".Manager", "PrepareForSleep", "b",
        "[<\(isBeginning)>]")
    }
  }

  private func call(_ path: String, _ method: String, _ arguments: String...) throws {
    let called = try RunningProgram.run(
      "gdbus", ["call", "--session", "-d", Self.name, "-o", path, "-m", method] + arguments,
      environment: session.environment)
    #expect(called.status == 0, "\(method): \(called.errors)")
  }
}
