// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// An interactive shell on a terminal, in which a test types; `suzu` is in its `PATH`.
struct TypedShell: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case bash, zsh, fish

    var isInstalled: Bool { RunningProgram.path(of: rawValue) != nil }

    /// Without the files of the user that runs the test.
    fileprivate var command: String {
      switch self {
      case .bash: "bash --norc --noprofile -i"
      case .zsh: "zsh -f -i"
      case .fish: "fish --no-config -i"
      }
    }
  }

  static let canMakeTerminals = FileManager.default.fileExists(atPath: "/dev/pts/ptmx")

  private let program: RunningProgram

  init(_ kind: Kind, in session: Session, variables: [String: String] = [:]) throws {
    var environment = session.environment.merging(variables) { $1 }
    environment["PATH"] = "\(Session.programs):\(environment["PATH"] ?? "/usr/bin:/bin")"
    environment["TERM"] = "dumb"
    environment["PS1"] = "> "
    try FileManager.default.createDirectory(
      atPath: session.folder.path("home"), withIntermediateDirectories: true)
    // `script` makes the terminal, and passes on what is typed.
    program = try RunningProgram(
      "/usr/bin/script", ["-qfec", "stty -echo; exec \(kind.command)", "/dev/null"], environment: environment)
  }

  /// Types a line.
  func type(_ line: String) { program.write(line + "\n") }

  /// Types characters, such as Ctrl-C.
  func press(_ characters: String) { program.write(characters) }

  /// The lines on the terminal up to one that contains `text`; nil after a limit.
  func readLines(until text: String, within seconds: Double = 15) -> [String]? {
    program.readLines(until: text, within: seconds)
  }
}
