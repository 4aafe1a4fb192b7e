// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What the system knows about a file without reading it.
package struct FileStatus: Hashable, Sendable {
  /// The kind of a file.
  package enum Kind: Hashable, Sendable { case regular, folder, link, other }

  /// The kind.
  package let kind: Kind
  /// The size in bytes.
  package let size: Int64
  /// The permission bits, such as 0o644.
  package let permissions: UInt32
  /// The user id and group id of the owner.
  package let owner, group: UInt32
  /// Together the identity of a file as long as it exists.
  package let device, inode: UInt64
  /// How many names the file has.
  package let links: UInt64
  /// When the content last changed.
  package let seconds, nanoseconds: Int64

  /// The status of an open file.
  package init(_ descriptor: borrowing Descriptor) throws(Errno) {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw .current }
    self.init(status)
  }

  /// The status of the file at a path.
  package init(_ path: String, followingLinks: Bool = true) throws(Errno) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .current }
    self.init(status)
  }

  /// The status of a name in a folder; a link is not followed.
  package init(_ name: String, in folder: borrowing Descriptor) throws(Errno) {
    var status = stat()
    guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .current }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    size = Int64(status.st_size)
    permissions = UInt32(status.st_mode & 0o7777)
    (owner, group) = (status.st_uid, status.st_gid)
    links = UInt64(status.st_nlink)
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
  }

  /// Whether both describe the same file.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

  /// Whether the path leads to a folder.
  package static func isFolder(_ path: String) -> Bool { (try? FileStatus(path))?.kind == .folder }

  /// Whether the path leads to a regular file.
  package static func isRegularFile(_ path: String) -> Bool { (try? FileStatus(path))?.kind == .regular }
}
