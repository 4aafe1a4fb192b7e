// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A small file system in memory, for root.
public final class SmallDisk: Sendable {
  /// Where it is mounted.
  public let path: String
  private let folder: TemporaryFolder

  /// Whether we may mount one.
  public static let isPossible: Bool = (try? SmallDisk(size: "1m")) != nil

  /// An empty one; `size` as mount takes it.
  public init(size: String) throws {
    folder = try TemporaryFolder()
    path = folder.path("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
  }

  deinit { try? Self.run("umount", ["-l", path]) }

  /// Changes its options while it is in use.
  public func remount(_ options: String) throws { try Self.run("mount", ["-o", "remount,\(options)", path]) }

  /// Takes all the room that there is.
  public func fill() throws {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure("cannot fill the disk") }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 0x55, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
  }

  /// Gives back what ``fill()`` took.
  public func empty() { unlink(path + "/filler") }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let done = try RunningProgram.run(program, arguments, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
    guard done.status == 0 else { throw TestFailure("\(program): \(done.errors)") }
  }
}
