// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Glibc

/// An error message of one line, with its exit status (sysexits.h).
struct CommandError: Error, Equatable {
  let message: String
  let status: Int32

  /// A flag or word is unknown, missing or one too many. A value that is wrong is ``data``.
  static func usage(_ message: String) -> CommandError { CommandError(message: message, status: EX_USAGE) }
  /// A value is invalid: of a flag, of a word or in a file; or there is no such request.
  static func data(_ message: String) -> CommandError { CommandError(message: message, status: EX_DATAERR) }
  /// A needed service, program or file is missing.
  static func unavailable(_ message: String) -> CommandError { CommandError(message: message, status: EX_UNAVAILABLE) }
}

extension CommandError {
  /// Adds the verb's name, and for usage errors a hint to its help. notify-send has one status for all mistakes.
  func about(_ verb: Verb) -> CommandError {
    let hint = status == EX_USAGE ? "; see 'suzu \(verb.name) --help'" : ""
    let isMistake = status == EX_USAGE || status == EX_DATAERR
    let status = isMistake && verb.name == NotifyCommand.notifySendName ? 1 : status
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
