// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The one owner of a descriptor that the loop opened.
struct Descriptor: ~Copyable {
  let number: Int32

  /// Runs `open` and owns what it returns; `call` names it in the error.
  init(opening call: String, _ open: () -> Int32) throws(EventLoopError) {
    let number = open()
    guard number >= 0 else { throw EventLoopError(call) }
    self.number = number
  }

  deinit {
    close(number)
  }
}
