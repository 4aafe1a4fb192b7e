// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The file of the last ``IntentNote``. It has always the same size, so that a note needs no space on the disk.
final class IntentFile {
  private let descriptor: Int32
  /// The bytes of the note that is in the file.
  private var length = 0
  static let size = 4096

  /// Opens or creates the file; a note that is in it stays.
  init(_ path: String) throws(StoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("open", path) }
    if StoreFiles.size(of: path) != Int64(Self.size) {
      try StoreFiles.write([UInt8](repeating: 0, count: Self.size), to: descriptor, path)
    }
  }

  deinit { close(descriptor) }

  /// The note of an earlier run; nil if there is none.
  static func read(_ path: String) -> IntentNote? {
    StoreFiles.read(path, count: size).flatMap { IntentNote($0) }
  }

  /// Replaces the note; returns whether that could be done. It is in the kernel's memory then, not on the disk.
  func write(_ note: IntentNote) -> Bool {
    let bytes = note.bytes
    guard bytes.count <= Self.size else { return false }
    length = max(length, bytes.count)
    return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
  }

  /// Overwrites the note, because what happened is private.
  func erase() {
    let zeros = [UInt8](repeating: 0, count: length == 0 ? Self.size : length)
    if pwrite(descriptor, zeros, zeros.count, 0) == zeros.count { length = 0 }
  }
}
