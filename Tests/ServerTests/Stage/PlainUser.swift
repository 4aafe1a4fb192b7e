// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport

/// Somebody who is not root: compositors refuse to be run by it, and tests may be. The buses of tests let everybody in.
enum PlainUser {
  private static let name = "nobody"
  private static let words =
    geteuid() == 0 ? ["setpriv", "--reuid", name, "--regid", "nogroup", "--clear-groups"] : []

  /// Starts a program as a plain user: as who we are, unless that is root.
  static func start(_ program: String, _ arguments: [String], environment: [String: String]) throws -> RunningProgram {
    let all = words + [program] + arguments
    return try RunningProgram(all[0], Array(all.dropFirst()), environment: environment)
  }

  /// Makes a folder of that user's below one of ours, which it may then pass through but not read. Returns its path.
  static func makeFolder(_ name: String, in folder: TemporaryFolder) throws -> String {
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

  /// Lets that user come through a folder of ours to what it knows the name of, such as a bus's socket.
  static func letPass(_ folder: TemporaryFolder) throws {
    guard geteuid() == 0 else { return }
    guard chmod(folder.url.path, 0o711) == 0 else {
      throw TestFailure("\(folder.url.path): \(String(cString: strerror(errno)))")
    }
  }
}
