// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The file of the last ``IntentNote`` or ``PushNote``. It has always the same size, so that a note needs no space on
/// the disk.
final class IntentFile {
  private let descriptor: Int32
  /// The bytes of the note that is in the file.
  private var length = 0
  /// Whether it has a note whose commit has not been made: another one must not take its place.
  private(set) var isNoted = false
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

  /// The bytes of the note of an earlier run; nil if there is none.
  static func read(_ path: String) -> [UInt8]? {
    StoreFiles.read(path, count: size).flatMap { NoteForm.texts(in: $0) == nil ? nil : $0 }
  }

  /// Replaces the note; returns whether that could be done. It is in the kernel's memory then, not on the disk.
  func write(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= Self.size else { return false }
    length = max(length, bytes.count)
    isNoted = pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    return isNoted
  }

  /// Overwrites the note, because what happened is private.
  func erase() {
    isNoted = false
    let zeros = [UInt8](repeating: 0, count: length == 0 ? Self.size : length)
    if pwrite(descriptor, zeros, zeros.count, 0) == zeros.count { length = 0 }
  }
}
