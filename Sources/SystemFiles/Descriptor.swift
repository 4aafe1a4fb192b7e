// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The one owner of an open file descriptor, which its end closes.
package struct Descriptor: ~Copyable {
  /// The number, valid as long as this value.
  package let number: Int32

  /// Takes over a descriptor that a system call returned; throws the call's error if the number is negative.
  package init(owning number: Int32) throws(Errno) {
    guard number >= 0 else { throw .current }
    self.number = number
  }

  /// Opens a path; a program that this one starts does not inherit the descriptor.
  package init(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(Errno) {
    try self.init(owning: open(path, flags | O_CLOEXEC, mode))
  }

  /// Opens a path relative to a folder.
  package init(_ path: String, in folder: borrowing Descriptor, _ flags: Int32) throws(Errno) {
    try self.init(path, inFolder: folder.number, flags)
  }

  init(_ path: String, inFolder folder: Int32, _ flags: Int32) throws(Errno) {
    try self.init(owning: openat(folder, path, flags | O_CLOEXEC))
  }

  /// The `O_PATH` flag, which Glibc's module leaves out: opening so has no effect on a device, and no pipe blocks it.
  package static let pathOnly: Int32 = 0o10_000_000

  /// A path to the open file, whatever became of the one it was opened by.
  package var path: String { "/proc/self/fd/\(number)" }

  /// Whether the file is only in memory (tmpfs), where no disk can fail.
  package var isInMemory: Bool { linux_is_in_memory(number) }

  deinit { close(number) }

  /// Reads up to `count` bytes; fewer if the file ends, or a pipe has no more at the moment.
  package borrowing func read(_ count: Int) throws(Errno) -> [UInt8] {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      repeat { result = Glibc.read(number, buffer.baseAddress, count) } while result < 0 && errno == EINTR
      filled = max(result, 0)
    }
    if result < 0 { throw .current }
    return bytes
  }

  /// Writes all of `bytes`.
  package borrowing func write(_ bytes: some Sequence<UInt8>) throws(Errno) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .current }
      rest.removeFirst(count)
    }
  }

  /// Makes the kernel begin to write the file's changes to the disk. Only ``sync()`` tells whether that worked.
  package borrowing func startWriting() { _ = linux_start_writing(number) }

  /// Waits until the file's contents are on the disk; returns whether they are.
  package borrowing func sync() -> Bool { fdatasync(number) == 0 }
}
