// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A reserved mebibyte: on a full disk, needed writes (that something was shown, cancelled or answered) use it, and new
/// requests do not.
struct ReservedSpace {
  let path: String
  static let size: Int64 = 1 << 20
  /// Whether the space is reserved. Cached, because each commit asks, and a click waits for it.
  private(set) var isHeld = false

  init(path: String) {
    self.path = path
  }

  /// For a store without a file, which no full disk concerns.
  static var needless: ReservedSpace {
    var space = ReservedSpace(path: "")
    space.isHeld = true
    return space
  }

  /// Reserves the space; throws `.full` if there is none.
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
      try? StoreFiles.remove(path)  // a part of it is of no use
      throw error
    }
  }

  /// Gives the space back; returns false if that was done before.
  mutating func free() -> Bool {
    isHeld = false
    return unlink(path) == 0
  }
}
