// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Suzu

/// One line for the user, and the exit status that goes with it (sysexits.h).
struct CommandError: Error, Equatable {
  let message: String
  let status: Int32

  /// The command line itself is wrong.
  static func usage(_ message: String) -> CommandError { CommandError(message: message, status: EX_USAGE) }
  /// What was given is wrong.
  static func data(_ message: String) -> CommandError { CommandError(message: message, status: EX_DATAERR) }
  /// Something that is needed is not there.
  static func unavailable(_ message: String) -> CommandError { CommandError(message: message, status: EX_UNAVAILABLE) }
}

extension CommandError {
  /// With the verb's name, and for what is wrong with the command line, where to look.
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
