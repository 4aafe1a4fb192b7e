// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
package import TestStage

/// Runs programs as a user without privileges: compositors refuse to run as root, and tests may run as root. The test
/// buses accept every user.
package enum PlainUser {
  private static let name = "nobody"
  private static let words =
    geteuid() == 0 ? ["setpriv", "--reuid", name, "--regid", "nogroup", "--clear-groups"] : []

  /// Starts a program as the current user, or as a plain user if that is root.
  package static func start(_ program: String, _ arguments: [String], environment: [String: String]) throws
    -> RunningProgram
  {
    let all = words + [program] + arguments
    return try RunningProgram(all[0], Array(all.dropFirst()), environment: environment)
  }

  /// Makes a folder owned by that user inside one of ours, which it may pass through but not read. Returns its path.
  package static func makeFolder(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard geteuid() == 0 else { return path }
    guard let user = getpwnam(Self.name) else { throw TestFailure("there is no user '\(Self.name)'") }
    guard chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
      throw TestFailure("\(path): \(String(cString: strerror(errno)))")
    }
    try letPass(folder)
    return path
  }

  /// Lets that user pass through a folder to known names such as a bus's socket.
  package static func letPass(_ folder: TemporaryFolder) throws {
    guard geteuid() == 0 else { return }
    guard chmod(folder.url.path, 0o711) == 0 else {
      throw TestFailure("\(folder.url.path): \(String(cString: strerror(errno)))")
    }
  }
}
