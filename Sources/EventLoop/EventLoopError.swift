// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A system call that the loop needs was refused.
public struct EventLoopError: Error, Equatable, CustomStringConvertible {
  /// The system call, as in its manual page.
  public let call: String
  /// What it left in `errno`.
  public let code: Int32

  init(_ call: String, _ code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  /// One line for a log or a terminal.
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
