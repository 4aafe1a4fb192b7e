// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

extension Descriptor {
  /// Runs `open` and owns what it returns; `call` names it in the error.
  init(opening call: String, _ open: () -> Int32) throws(EventLoopError) {
    do throws(Errno) { try self.init(owning: open()) } catch { throw EventLoopError(call, error.rawValue) }
  }
}
