// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Reads a file whole, or not at all.
enum RegularFile {
  /// The file's bytes; nil if there is no such file.
  static func read(_ path: String, limit: Int) throws(DesktopEntryError) -> [UInt8]? {
    // Non-blocking, because the path may be a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      let (code, error) = (errno, failure(path))
      // A file inside an inaccessible folder, such as another user's, also counts as missing.
      var status = stat()
      if code == ENOENT || code == ENOTDIR || lstat(path, &status) != 0 { return nil }
      throw error
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DesktopEntryError(.unreadable, "not a regular file", path: path)
    }
    var bytes: [UInt8] = []
    // One byte more than the size, to detect the end at once; the file may grow meanwhile.
    var room = min(Int(status.st_size), limit) + 1
    while true {
      let before = bytes.count
      let count = append(room, from: descriptor, to: &bytes)
      if count < 0 { throw failure(path) }
      guard bytes.count <= limit else {
        throw DesktopEntryError(.tooLarge, "longer than \(limit) bytes", path: path)
      }
      if bytes.count - before < room { return bytes }
      room = min(4096, limit + 1 - bytes.count)
    }
  }

  private static func append(_ room: Int, from descriptor: Int32, to bytes: inout [UInt8]) -> Int {
    var count = 0
    bytes += [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      count = Glibc.read(descriptor, buffer.baseAddress, room)
      filled = max(count, 0)
    }
    return count
  }

  private static func failure(_ path: String) -> DesktopEntryError {
    DesktopEntryError(.unreadable, String(cString: strerror(errno)), path: path)
  }
}
