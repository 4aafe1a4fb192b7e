// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Owns a descriptor that the loop opened.
struct Descriptor: ~Copyable {
  let number: Int32

  /// Calls `open` and owns the returned descriptor; `call` is its name in the error.
  init(opening call: String, _ open: () -> Int32) throws(EventLoopError) {
    let number = open()
    guard number >= 0 else { throw EventLoopError(call) }
    self.number = number
  }

  deinit {
    close(number)
  }
}
