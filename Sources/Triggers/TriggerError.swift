// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// Why a time, a date or a repetition cannot be taken.
public struct TriggerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What to switch on; new codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It cannot be read, or says two things at once.
    public static let invalid = Code(rawValue: "invalid")
    /// It can be read, and will never be: 31 February.
    public static let impossible = Code(rawValue: "impossible")
    /// It would be more often than once a second.
    public static let tooDense = Code(rawValue: "tooDense")
    /// It may come, but finding out when takes too many steps.
    public static let tooLong = Code(rawValue: "tooLong")
    /// It has been.
    public static let inThePast = Code(rawValue: "inThePast")
  }

  /// What is wrong, for programs.
  public let code: Code
  /// What is wrong, for a person; one line.
  public let problem: String
  /// The word of the request that it is about: `every`, `until`; empty where a text was read by itself.
  public internal(set) var key: String
  /// Where in the text it is, from 1; nil where the text as a whole is meant.
  public let column: Int?
  /// How it could be said instead.
  public let example: String?

  init(_ code: Code, _ problem: String, key: String = "", column: Int? = nil, example: String? = nil) {
    self.code = code
    self.problem = problem
    self.key = key
    self.column = column
    self.example = example
  }

  /// What kept the time zone of a request from being read.
  public init(_ error: ZoneError) {
    self.init(.invalid, "\(error.subject.inQuotes): \(error.reason)", key: "zone", example: "Europe/Paris")
  }

  /// A request that would not be the same when it is read again.
  public static let unreadable = TriggerError(
    .invalid, "the request would change when stored; change its times, numbers or texts")

  /// One line: what, where, and what would be right.
  public var description: String {
    (key.isEmpty ? "" : "'\(key)': ") + problem + (column.map { " (column \($0))" } ?? "")
      + (example.map { "; for example '\($0)'" } ?? "")
  }

  /// The same, with the word of the request that it is about.
  public func about(_ key: String) -> TriggerError {
    var error = self
    error.key = key
    return error
  }
}

extension String {
  /// For the middle of a sentence: short, and on one line whatever is in it.
  var inQuotes: String {
    let start = unicodeScalars.prefix(40)
    let shown = start.map { $0.value >= 32 && $0.value != 127 && $0.isASCII ? String($0) : $0.escaped(asASCII: true) }
    return "'\(shown.joined())\(start.endIndex < unicodeScalars.endIndex ? "…" : "")'"
  }
}
