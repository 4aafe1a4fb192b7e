// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The file of the last ``IntentNote`` or ``PushNote``. It has always the same size, so that a note needs no space.
///
/// A file in memory is mapped: a note is there without a system call. A write to a disk takes 10 to 20 µs, also if it is
/// not synced, and the notification waits for it. A file on a disk is not mapped, because the kernel would end the center
/// if the disk failed.
final class IntentFile {
  private let file: Descriptor
  /// The content, if the file is in memory.
  private let content: UnsafeMutableRawPointer?
  /// The bytes of the note that is in the file.
  private var length = 0
  /// Whether it has a note whose commit has not been made: another one must not take its place.
  private(set) var isNoted = false
  static let size = 4096

  /// Opens or creates the file; a note that is in it stays.
  init(_ path: String) throws(StoreError) {
    do throws(Errno) {
      file = try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      if try FileStatus(file).size != Self.size {
        let zeros = [UInt8](repeating: 0, count: Self.size)
        guard pwrite(file.number, zeros, zeros.count, 0) == zeros.count else { throw .current }
      }
    } catch {
      throw StoreError("open", path, error.rawValue)
    }
    content = file.isInMemory ? Self.map(file) : nil
  }

  deinit {
    if let content { munmap(content, Self.size) }
  }

  /// The bytes of the note of an earlier run; nil if there is none.
  static func read(_ path: String) -> [UInt8]? {
    StoreFiles.read(path, count: size).flatMap { NoteForm.texts(in: $0) == nil ? nil : $0 }
  }

  /// Replaces the note; returns whether that could be done. It is in the kernel's memory then, not on the disk.
  func write(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= Self.size else { return false }
    length = max(length, bytes.count)
    isNoted = put(bytes)
    return isNoted
  }

  /// Overwrites the note, because what happened is private.
  func erase() {
    isNoted = false
    if put([UInt8](repeating: 0, count: length == 0 ? Self.size : length)) { length = 0 }
  }

  private func put(_ bytes: [UInt8]) -> Bool {
    guard let content else { return pwrite(file.number, bytes, bytes.count, 0) == bytes.count }
    bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: content, count: Self.size).copyMemory(from: $0) }
    return true
  }

  private static func map(_ file: borrowing Descriptor) -> UnsafeMutableRawPointer? {
    let place = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
    return place == MAP_FAILED ? nil : place
  }
}
