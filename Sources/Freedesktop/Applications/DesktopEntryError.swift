// SPDX-License-Identifier: Apache-2.0

/// Why a desktop entry cannot be used.
public struct DesktopEntryError: Error, Hashable, CustomStringConvertible {
  /// The code, for `switch`; new codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file exists but cannot be read, or is not a regular file.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file is too large for a desktop entry.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The file does not have the form of a desktop entry.
    public static let malformed = Code(rawValue: "malformed")
    /// The command line violates the specification.
    public static let invalidExec = Code(rawValue: "invalidExec")
    /// The program does not accept this kind of URL or file.
    public static let notOpenable = Code(rawValue: "notOpenable")
  }

  /// The error code.
  public let code: Code
  /// The file concerned; empty for entries parsed from bytes.
  public let path: String
  /// The reason in words.
  public let reason: String

  /// One line for a log or a terminal.
  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  init(_ code: Code, _ reason: String, path: String = "") {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// A copy of the error with the file's path.
  func of(_ path: String) -> DesktopEntryError { DesktopEntryError(code, reason, path: path) }
}
