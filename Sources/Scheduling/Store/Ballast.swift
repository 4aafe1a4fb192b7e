// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A mebibyte that is held back: on a full disk, what must be written (that something was shown, cancelled, answered)
/// gets it, and new requests do not.
struct Ballast {
  let path: String
  static let size: Int64 = 1 << 20

  var isThere: Bool { StoreFiles.size(of: path) == Self.size }

  /// Holds the space; `.full` where there is none.
  func restore() throws(StoreError) {
    if isThere { return }
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
  func free() -> Bool { StoreFiles.size(of: path) != nil && unlink(path) == 0 }
}
