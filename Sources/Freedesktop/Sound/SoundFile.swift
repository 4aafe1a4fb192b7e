// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file that may be played: regular and of limited size. A pipe would block a player for ever, and a device has no
/// end.
struct SoundFile {
  /// The maximum size in bytes.
  static let largest: Int64 = 50 << 20

  /// Absolute, so that no player takes it for an option.
  let path: String
  /// The extension, in lower case.
  let kind: String

  /// Nil if the file may not be played.
  init?(_ path: String) {
    guard path.hasPrefix("/"), !path.utf8.contains(0), let size = Self.size(path), size <= Self.largest else {
      return nil
    }
    guard access(path, R_OK) == 0 else { return nil }
    self.path = path
    let name = path.split(separator: "/").last ?? ""
    kind = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// Whether a regular file is there.
  static func exists(_ path: String) -> Bool { size(path) != nil }

  private static func size(_ path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  /// The text of a small file; nil if it is larger than `limit`.
  static func text(_ path: String, upTo limit: Int) -> String? {
    // Non-blocking: the path may have become a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }
}
