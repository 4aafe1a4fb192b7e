// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A real OpenSSH server for this user on 127.0.0.1, with its own keys and configuration. Its `/run` is empty, so that
/// no bus of the machine is found.
final class LoopbackSSH: Sendable {
  let folder: TemporaryFolder
  private let server: RunningProgram
  private let port: Int

  static let isPossible =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || Bubblewrap.isPossible && RunningProgram.path(of: "ssh") != nil && access(program, X_OK) == 0

  private static let program = "/usr/sbin/sshd"
  private static let environment = ["PATH": "/usr/bin:/bin:/usr/sbin", "HOME": "/nonexistent"]

  /// - Parameter losesSilentLinks: whether the server gives a client up that does not answer for some seconds.
  init(losesSilentLinks: Bool = false) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    for key in ["host", "client"] {
      let made = try RunningProgram.run(
        "ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", folder.path(key)], environment: Self.environment)
      guard made.status == 0 else { throw TestFailure("ssh-keygen: \(made.errors)") }
    }
    let port = try Self.freePort()
    self.port = port
    try folder.write(folder.read("client.pub") ?? "", to: "authorized_keys")
    try folder.write("[127.0.0.1]:\(port) " + (folder.read("host.pub") ?? ""), to: "known_hosts")
    try folder.write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(folder.path("host"))
      AuthorizedKeysFile \(folder.path("authorized_keys"))
      PidFile none
      UsePAM no
      StrictModes no
      PermitRootLogin prohibit-password
      PasswordAuthentication no
      AcceptEnv SUZU_*
      StreamLocalBindUnlink yes
      ClientAliveInterval \(losesSilentLinks ? 1 : 0)
      """, to: "sshd_config")
    server = try RunningProgram(
      "bwrap",
      ["--dev-bind", "/", "/", "--tmpfs", "/run", "--dir", "/run/sshd"] + (getuid() == 0 ? ["--cap-add", "ALL"] : [])
        + ["--", Self.program, "-D", "-e", "-f", folder.path("sshd_config")], environment: Self.environment)
    guard server.readErrors(until: "Server listening") != nil else { throw TestFailure("sshd: \(server.errors)") }
  }

  /// Only this machine's kernel gives ports, and only for an open socket.
  private static func freePort() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isBound else { throw TestFailure("no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// The words of an ssh command to this server.
  func words(_ more: [String]) -> [String] {
    [
      "-F", "/dev/null", "-p", "\(port)", "-i", folder.path("client"), "-o", "IdentitiesOnly=yes", "-o",
      "BatchMode=yes",
      "-o", "UserKnownHostsFile=\(folder.path("known_hosts"))", "-o", "ServerAliveInterval=5",
    ] + more
  }

  static let address = "127.0.0.1"

  /// The command line for `suzu` on the other side, where nothing of this machine's desktop is known.
  static func suzu(_ line: String, _ variables: String = "") -> String {
    "env HOME=/nonexistent DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere/bus \(variables) '\(Session.programs)/suzu' \(line)"
  }
}
