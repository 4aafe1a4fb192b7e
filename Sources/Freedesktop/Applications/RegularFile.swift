// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file that is read whole, or not at all.
enum RegularFile {
  /// Its bytes; nil where there is no such file.
  static func read(_ path: String, limit: Int) throws(DesktopEntryError) -> [UInt8]? {
    // Not blocking: somebody may have put a pipe there.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      let (code, error) = (errno, failure(path))
      // Neither is there what lies in a folder that is closed to us: somebody else's, in a list of folders.
      var status = stat()
      if code == ENOENT || code == ENOTDIR || lstat(path, &status) != 0 { return nil }
      throw error
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw DesktopEntryError(.unreadable, "not a file", path: path) }
    var bytes: [UInt8] = []
    // One more than it has, so that its end is seen at once; it may grow meanwhile.
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
