// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Suzu

/// An error message of one line, with its exit status (sysexits.h).
struct CommandError: Error, Equatable {
  let message: String
  let status: Int32

  /// The command line itself is wrong.
  static func usage(_ message: String) -> CommandError { CommandError(message: message, status: EX_USAGE) }
  /// The input is invalid.
  static func data(_ message: String) -> CommandError { CommandError(message: message, status: EX_DATAERR) }
  /// A needed service, program or file is missing.
  static func unavailable(_ message: String) -> CommandError { CommandError(message: message, status: EX_UNAVAILABLE) }
}

extension CommandError {
  /// Adds the verb's name, and for usage errors a hint to its help.
  func about(_ verb: Verb) -> CommandError {
    let hint = status == EX_USAGE ? "; see 'suzu \(verb.name) --help'" : ""
    return CommandError(message: "\(verb.name): \(message)\(hint)", status: status)
  }

  init(_ error: SuzuError) {
    let status: Int32 =
      switch error.code {
      case .invalidRequest, .notFound, .limitExceeded: EX_DATAERR
      case .accessDenied: EX_NOPERM
      default: EX_UNAVAILABLE
      }
    self.init(message: error.message, status: status)
  }
}
