// SPDX-License-Identifier: Apache-2.0

/// Why a time zone is not available.
public struct ZoneError: Error, Equatable, CustomStringConvertible {
  /// The code, for `switch`; new codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text cannot be the name of a zone.
    public static let invalidName = Code(rawValue: "invalidName")
    /// There is no such zone, or no time zones at all.
    public static let notFound = Code(rawValue: "notFound")
    /// There is a file, but it cannot be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file is damaged, or not a time zone file.
    public static let damaged = Code(rawValue: "damaged")
    /// The text is not a POSIX rule.
    public static let invalidRule = Code(rawValue: "invalidRule")
  }

  /// The kind of problem.
  public let code: Code
  /// The name, path or text with the problem; empty for bytes without a source.
  public let subject: String
  /// The problem in words.
  public let reason: String

  /// One line for a log or a terminal.
  public var description: String { subject.isEmpty ? reason : "'\(subject)': \(reason)" }

  init(_ code: Code, _ subject: String = "", _ reason: String) {
    self.code = code
    self.subject = subject
    self.reason = reason
  }

  static func damaged(_ reason: String) -> ZoneError { ZoneError(.damaged, "", reason) }

  /// The same error about this subject.
  func of(_ subject: String) -> ZoneError { ZoneError(code, subject, reason) }
}
