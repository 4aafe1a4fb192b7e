// SPDX-License-Identifier: Apache-2.0
import Foundation
internal import TestStage

/// A small file system in memory; needs root.
public final class SmallDisk: Sendable {
  /// The mount point.
  public let path: String
  private let folder: TemporaryFolder

  /// Whether this process may mount one.
  public static let isPossible: Bool = (try? SmallDisk(size: "1m")) != nil

  /// Mounts an empty one; `size` in the format of mount.
  public init(size: String) throws {
    folder = try TemporaryFolder()
    path = folder.path("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
  }

  deinit { try? Self.run("umount", ["-l", path]) }

  /// Changes the mount options.
  public func remount(_ options: String) throws { try Self.run("mount", ["-o", "remount,\(options)", path]) }

  /// Fills the disk.
  public func fill() throws {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure("cannot fill the disk") }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 0x55, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
  }

  /// Frees the space taken by ``fill()``.
  public func empty() { unlink(path + "/filler") }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let done = try RunningProgram.run(program, arguments, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
    guard done.status == 0 else { throw TestFailure("\(program): \(done.errors)") }
  }
}
