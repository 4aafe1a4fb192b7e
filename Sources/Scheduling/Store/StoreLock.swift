// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The right to open the store, held by one process at a time; the kernel releases it when the process ends.
///
/// SQLite's own lock would do, but only after its busy timeout; this one answers immediately and names the holder.
struct StoreLock: ~Copyable {
  private let descriptor: Int32

  init(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("open", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = errno == EWOULDBLOCK ? Self.taken(descriptor, path) : StoreError("flock", path)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    // For users who look for the process, and for a center that asks it to quit.
    if ftruncate(descriptor, 0) == 0 { try? StoreFiles.write(Array("\(getpid())\n".utf8), to: descriptor, path) }
  }

  private static func taken(_ descriptor: Int32, _ path: String) -> StoreError {
    StoreError(.alreadyOpen, "'\(path)' is locked by process \(noted(descriptor))")
  }

  private static func noted(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 10 }, as: UTF8.self)
  }

  /// The process that holds the lock; nil if there is none, or if it has not written its id yet.
  static func holder(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    // If we get the lock, it was free; closing the descriptor releases it.
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? nil : Int32(noted(descriptor))
  }

  deinit { close(descriptor) }
}
