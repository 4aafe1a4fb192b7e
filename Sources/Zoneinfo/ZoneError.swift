// SPDX-License-Identifier: Apache-2.0

/// Why a time zone could not be had.
public struct ZoneError: Error, Equatable, CustomStringConvertible {
  /// What to switch on; new codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text cannot be the name of a zone.
    public static let invalidName = Code(rawValue: "invalidName")
    /// There is no such zone, or no time zones at all.
    public static let notFound = Code(rawValue: "notFound")
    /// There is a file, but the system does not let us read it.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file is none of a time zone, or a damaged one.
    public static let damaged = Code(rawValue: "damaged")
    /// The text is no rule in the form of POSIX.
    public static let invalidRule = Code(rawValue: "invalidRule")
  }

  /// What went wrong.
  public let code: Code
  /// The name, path or text that it went wrong with; empty for bytes that came from nowhere in particular.
  public let subject: String
  /// What is wrong with it.
  public let reason: String

  /// One line for a log or a terminal.
  public var description: String { subject.isEmpty ? reason : "'\(subject)': \(reason)" }

  init(_ code: Code, _ subject: String = "", _ reason: String) {
    self.code = code
    self.subject = subject
    self.reason = reason
  }

  static func damaged(_ reason: String) -> ZoneError { ZoneError(.damaged, "", reason) }

  /// The same, with what it is about.
  func of(_ subject: String) -> ZoneError { ZoneError(code, subject, reason) }
}
