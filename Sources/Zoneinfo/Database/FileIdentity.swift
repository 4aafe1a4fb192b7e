// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// Identifies one state of a file without reading it: if two identities differ, the file has changed.
public struct FileIdentity: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// The target, if the path is a symbolic link.
  let linkTarget: String?
  /// The state of the file at the end of all links; nil if there is none.
  public let state: State?

  /// A replaced file has another number, a file written in place another time.
  public struct State: Hashable, Sendable {
    let device, inode: UInt64
    let size, seconds, nanoseconds: Int64

    init(_ status: FileStatus) {
      (device, inode, size) = (status.device, status.inode, status.size)
      (seconds, nanoseconds) = (status.seconds, status.nanoseconds)
    }
  }

  /// The current identity, also for a missing file.
  public init(path: String) {
    self.path = path
    linkTarget = Self.linkTarget(of: path)
    state = (try? FileStatus(path)).map(State.init)
  }

  /// The paths on the way to the file: the given path and, while it is a symbolic link, its target.
  public static func trail(from path: String) -> [String] {
    var trail = [path]
    // The kernel follows as many links.
    while trail.count <= 40, let target = linkTarget(of: trail[trail.count - 1]) {
      let folder = trail[trail.count - 1].split(separator: "/").dropLast()
      trail.append(target.hasPrefix("/") ? target : "/" + (folder + [target[...]]).joined(separator: "/"))
    }
    return trail
  }

  private static func linkTarget(of path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let length = readlink(path, start, buffer.count)
      guard length > 0 else { return nil }
      return String(decoding: buffer[..<length].lazy.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
  }
}
