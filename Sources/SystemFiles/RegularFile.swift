// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A regular file, open for reading.
///
/// Anything else at the path is refused: a pipe would block the reader, a device may act or never end. The open file is
/// checked, not the path, so that no other file can take its place afterwards.
package struct RegularFile: ~Copyable {
  private let descriptor: Descriptor
  /// The status when it was opened.
  package let status: FileStatus

  // Non-blocking, because the path may lead to a pipe; a terminal must not become the controlling one.
  private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY

  /// Opens the file that a path leads to.
  package init(_ path: String) throws(FileError) {
    try self.init(opening: { () throws(Errno) in try Descriptor(path, Self.flags) })
  }

  /// Opens a file by its name in a folder; a link is not followed.
  package init(_ name: String, in folder: borrowing Descriptor) throws(FileError) {
    let number = folder.number
    try self.init(opening: { () throws(Errno) in try Descriptor(name, inFolder: number, Self.flags | O_NOFOLLOW) })
  }

  private init(opening open: () throws(Errno) -> Descriptor) throws(FileError) {
    let descriptor = try Self.opened(open)
    let status = try Self.checked(descriptor)
    self.descriptor = descriptor
    self.status = status
  }

  private static func opened(_ open: () throws(Errno) -> Descriptor) throws(FileError) -> Descriptor {
    do throws(Errno) { return try open() } catch { throw .system(error) }
  }

  private static func checked(_ descriptor: borrowing Descriptor) throws(FileError) -> FileStatus {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(descriptor) } catch { throw .system(error) }
    guard status.kind == .regular else { throw .notRegular }
    return status
  }

  /// Reads from the start until `limit` bytes have come or the file ends.
  package consuming func read(atMost limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than its size finds the end at once. Files of /proc have no size, and a file may grow.
    var room = min(Int(status.size) + 1, limit)
    while room > 0 {
      do throws(Errno) {
        let piece = try descriptor.read(room)
        if piece.isEmpty { break }
        if bytes.isEmpty { bytes = piece } else { bytes += piece }
      } catch {
        throw .system(error)
      }
      room = min(4096, limit - bytes.count)
    }
    return bytes
  }

  /// Reads the whole file, or throws if it has more than `limit` bytes.
  package consuming func readWhole(limit: Int) throws(FileError) -> [UInt8] {
    guard status.size <= limit else { throw .tooLarge(limit: limit) }
    let bytes = try read(atMost: limit + 1)
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return bytes
  }

  /// Reads the whole file at a path, or throws if it has more than `limit` bytes.
  package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try RegularFile(path).readWhole(limit: limit)
  }
}
