// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

extension CommandError {
  /// An error with the current errno's text.
  static func notWritten(_ path: String) -> CommandError { notWritten(path, "\(Errno.current)") }

  /// An error with a reason.
  static func notWritten(_ path: String, _ reason: String) -> CommandError {
    CommandError(message: "\(path): \(reason)", status: EX_CANTCREAT)
  }
}
