// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A failed system call that the loop needs.
public struct EventLoopError: Error, Equatable, CustomStringConvertible {
  /// The name of the system call.
  public let call: String
  /// The value of `errno`.
  public let code: Int32

  init(_ call: String, _ code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  /// One line for a log or a terminal.
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
