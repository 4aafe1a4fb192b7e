// SPDX-License-Identifier: Apache-2.0

/// Why a desktop entry cannot be used.
public struct DesktopEntryError: Error, Hashable, CustomStringConvertible {
  /// What to switch on; new codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is a file, but the system does not let us read it, or it is none.
    public static let unreadable = Code(rawValue: "unreadable")
    /// Nobody writes entries of that size.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The file does not have the form of a desktop entry.
    public static let malformed = Code(rawValue: "malformed")
    /// The command line breaks the rules for such lines.
    public static let invalidExec = Code(rawValue: "invalidExec")
    /// What is to be opened is none of the things that the program takes.
    public static let notOpenable = Code(rawValue: "notOpenable")
  }

  /// What went wrong.
  public let code: Code
  /// The file that it went wrong with; empty for bytes that came from nowhere in particular.
  public let path: String
  /// What is wrong with it.
  public let reason: String

  /// One line for a log or a terminal.
  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  init(_ code: Code, _ reason: String, path: String = "") {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// The same, with the file that it is about.
  func of(_ path: String) -> DesktopEntryError { DesktopEntryError(code, reason, path: path) }
}
