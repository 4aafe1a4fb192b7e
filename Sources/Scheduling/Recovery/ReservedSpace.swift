// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A mebibyte that is held back: on a full disk, what must be written (that something was shown, cancelled, answered)
/// gets it, and new requests do not.
struct ReservedSpace {
  let path: String
  static let size: Int64 = 1 << 20
  /// Whether the space is held. The file is looked at only where that changes: each commit asks, and a click waits.
  private(set) var isHeld = false

  init(path: String) {
    self.path = path
  }

  /// Holds the space; `.full` where there is none.
  mutating func restore() throws(StoreError) {
    if isHeld { return }
    if StoreFiles.size(of: path) != Self.size { try allocate() }
    isHeld = true
  }

  private func allocate() throws(StoreError) {
    do {
      try StoreFiles.with(path, O_WRONLY | O_CREAT) { descriptor throws(StoreError) in
        let failure = posix_fallocate(descriptor, 0, off_t(Self.size))
        guard failure == 0 else { throw StoreError("fallocate", path, failure) }
      }
    } catch {
      try? StoreFiles.remove(path)  // half of it helps nobody
      throw error
    }
  }

  /// Gives it back; false: that was done before.
  mutating func free() -> Bool {
    isHeld = false
    return unlink(path) == 0
  }
}
