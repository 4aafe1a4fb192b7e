// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Replaces a file atomically: after a crash or a loss of power it has either its old content or all of the new.
package struct AtomicFile: Hashable, Sendable {
  private let path: String

  /// The file at a path, which need not exist; if a link is there, its target is replaced.
  package init(_ path: String) { self.path = path }

  /// Writes the content. A new file is private to the user; a replaced one keeps its permissions, and its group if the
  /// user may set that.
  package func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
    let target = Self.resolved(path)
    let old = try? FileStatus(target)
    guard old.map({ $0.kind == .regular }) ?? true else { throw .notRegular }
    // Beside the target, because only a rename within one file system is atomic.
    let temporary = "\(target).\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    do throws(Errno) {
      let descriptor = try Descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      do throws(Errno) {
        try descriptor.write(bytes)
        if let old { try Self.keepPermissions(of: old, on: descriptor) }
        guard fsync(descriptor.number) == 0, rename(temporary, target) == 0 else { throw Errno.current }
      } catch {
        unlink(temporary)
        throw error
      }
      try Folder.parent(of: target).sync()
    } catch {
      throw .system(error)
    }
  }

  private static func keepPermissions(of old: FileStatus, on descriptor: borrowing Descriptor) throws(Errno) {
    var permissions = old.permissions & 0o777
    // Another group must not get what the old one was given.
    if fchown(descriptor.number, old.owner, old.group) != 0,
      fchown(descriptor.number, uid_t.max, old.group) != 0
    {
      permissions &= 0o707
    }
    guard fchmod(descriptor.number, permissions) == 0 else { throw .current }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
