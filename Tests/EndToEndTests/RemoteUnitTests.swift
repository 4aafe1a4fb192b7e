// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the units `systemd/user/suzu-remote@.*.in`, which serve another machine.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct RemoteUnitTests {
  private static let service = InstalledUnit("user", "suzu-remote@.service")
  private static let socket = InstalledUnit("user", "suzu-remote@.socket")

  @Test(.enabled(if: InstalledUnit.canVerify, "no systemd-analyze here"), arguments: ["build", "db-2.example.org"])
  func `systemd accepts the units`(host: String) throws {
    #expect(try Self.service.complaints(of: host) == "")
    #expect(try Self.socket.complaints(of: host) == "")
    #expect(
      try Self.service.complaints(of: host) { $0.replacing("RestartSec=", with: "RestartSek=") }.contains(
        "RestartSek"))
    #expect(
      try Self.socket.complaints(of: host) { $0.replacing("ListenStream=", with: "ListenStreem=") }
        .contains("ListenStreem"))
  }

  /// A session whose runtime folder is that of its user.
  private static func session() throws -> Session {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("run/suzu"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try Session(variables: ["XDG_RUNTIME_DIR": folder.path("run")], in: folder)
  }

  private static func path(in session: Session) throws -> String {
    try socket.value("ListenStream", of: "build").replacing("%t", with: session.folder.path("run"))
  }

  private static func request(_ path: String, _ words: String...) throws -> (
    status: Int32, output: String, errors: String
  ) {
    try RunningProgram.run(
      Session.programs + "/suzu", words,
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "SUZU_HOME_SOCKET": path,
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus",
      ])
  }

  @Test func `The service serves at the path of the socket`() throws {
    let session = try Self.session()
    let words = try Self.service.command(of: "build")
    let server = try RunningProgram(words[0], Array(words.dropFirst()), environment: session.environment)
    #expect(server.readLine() == "serving 'build' at \(try Self.path(in: session))", "\(server.errors)")
    #expect(try Self.request(Self.path(in: session), "notify", "Built", "--in", "1h", "--id", "b").output == "b\n")
  }

  /// What systemd does for a socket unit, for one process.
  private static func listen(_ session: Session, _ options: [String], _ words: [String]) throws -> RunningProgram {
    let passed = ["HOME", "PATH", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "TZ"].flatMap { ["-E", $0] }
    let listener = try RunningProgram(
      "systemd-socket-activate", options + passed + words, environment: session.environment)
    _ = listener.readErrors(until: "Listening on")
    return listener
  }

  private static let canListen = RunningProgram.path(of: "systemd-socket-activate") != nil

  @Test(.enabled(if: canListen, "no systemd-socket-activate here"))
  func `The first call starts the service with the socket, which stays when it ends`() throws {
    let session = try Self.session()
    let path = try Self.path(in: session)
    let server = try Self.listen(session, ["-l", path], try Self.service.command(of: "build"))
    #expect(try session.suzu("list").output == "")
    let sent = try Self.request(path, "notify", "Built", "--in", "1h", "--id", "b")
    #expect(sent.status == 0 && sent.output == "b\n", "\(sent.errors) \(server.errors)")
    #expect(try session.suzu("list", "--json").output.contains("dev.suzu.Remote.build"))
    #expect(server.readLine() == "serving 'build' at \(path)")
    server.signal(SIGTERM)
    _ = server.waitForExit()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(
    .enabled(if: canListen, "no systemd-socket-activate here"),
    arguments: [
      (["-l", "a", "-l", "b"], "systemd passed 2 sockets, not one"),
      (["-d", "-l", "a"], "systemd passed no socket that listens for connections of this machine"),
    ])
  func `Another socket than one to listen at is refused`(options: [String], message: String) throws {
    let session = try Self.session()
    let options = options.map { $0.count == 1 ? session.folder.path($0) : $0 }
    let server = try Self.listen(session, options, try Self.service.command(of: "build"))
    let isDatagram = options.contains("-d")
    let knock = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_\(isDatagram ? "DGRAM" : "STREAM")); s.connect(sys.argv[1])
      s.send(b"x")
      """
    #expect(try session.run("python3", "-c", knock, session.folder.path("a")).status == 0)
    #expect(server.waitForExit() == 69)
    #expect(server.errors.hasSuffix("suzu: remote: \(message)\n"), "\(server.errors)")
  }

  // A variable that another process was meant to have is none of ours.
  @Test func `Variables for another process change nothing`() throws {
    let session = try Self.session()
    let words = try Self.service.command(of: "build")
    let server = try RunningProgram(
      words[0], Array(words.dropFirst()),
      environment: session.environment.merging(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) { $1 })
    #expect(server.readLine() == "serving 'build' at \(try Self.path(in: session))", "\(server.errors)")
  }
}
