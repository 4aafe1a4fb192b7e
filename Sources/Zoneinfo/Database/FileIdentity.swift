// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// What tells one state of a file from another without reading it: compare two to learn whether there was a change.
public struct FileIdentity: Hashable, Sendable {
  /// The path that was looked at.
  public let path: String
  /// Where it points, if it is a symbolic link.
  let linkTarget: String?
  /// Of the file that is found there; nil if there is none.
  public let state: State?

  /// A replaced file has another number, one written in place another time.
  public struct State: Hashable, Sendable {
    let device, inode: UInt64
    let size, seconds, nanoseconds: Int64

    init(_ status: FileStatus) {
      (device, inode, size) = (status.device, status.inode, status.size)
      (seconds, nanoseconds) = (status.seconds, status.nanoseconds)
    }
  }

  /// As it is at the moment; also of a file that is not there.
  public init(path: String) {
    self.path = path
    linkTarget = Self.linkTarget(of: path)
    state = (try? FileStatus(path)).map(State.init)
  }

  /// The paths on the way to the file: the given one and, while it is a symbolic link, where it points.
  public static func trail(from path: String) -> [String] {
    var trail = [path]
    // As many as the kernel follows.
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
      return String(decoding: buffer[..<length].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
