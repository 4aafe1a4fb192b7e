// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
public import Zoneinfo

/// An invalid time, date or repetition.
public struct TriggerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code, for `switch`; new codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It cannot be parsed, or is contradictory.
    public static let invalid = Code(rawValue: "invalid")
    /// It never occurs: 31 February.
    public static let impossible = Code(rawValue: "impossible")
    /// It repeats more than once a second.
    public static let tooDense = Code(rawValue: "tooDense")
    /// Finding the next date takes too many steps.
    public static let tooLong = Code(rawValue: "tooLong")
    /// It has passed.
    public static let inThePast = Code(rawValue: "inThePast")
  }

  /// The kind of problem.
  public let code: Code
  /// The problem in words, on one line.
  public let problem: String
  /// The key of the request: `every`, `until`; empty if a text was parsed by itself.
  public internal(set) var key: String
  /// The column in the text, from 1; nil if the whole text is meant.
  public let column: Int?
  /// A valid example.
  public let example: String?
  /// What to write instead, if that is known: it replaces the example.
  public let advice: String?

  init(
    _ code: Code, _ problem: String, key: String = "", column: Int? = nil, example: String? = nil,
    advice: String? = nil
  ) {
    self.code = code
    self.problem = problem
    self.key = key
    self.column = column
    self.example = example
    self.advice = advice
  }

  /// Converts an error about the time zone of a request.
  public init(_ error: ZoneError) {
    // A suggestion is example enough.
    let example = error.reason.hasSuffix("?") || error.reason.contains(", such as ") ? nil : "Europe/Paris"
    let isSentence = error.reason.hasPrefix("is ")
    self.init(
      .invalid, "\(error.subject.inQuotes)\(isSentence ? "" : ":") \(error.reason)", key: "zone", example: example)
  }

  /// The error for a request that would change when stored and read again.
  public static let unreadable = TriggerError(
    .invalid, "the request would change when stored; change its times, numbers or texts")

  /// The error for a condition that this center has no source for.
  public static func unknown(_ condition: Condition) -> TriggerError {
    TriggerError(
      .invalid, "this center cannot observe \(condition.subject.text.inQuotes)", key: "on",
      advice: "see 'suzu doctor' for what it observes")
  }

  /// The error for a condition that its source cannot observe at present.
  public static func refused(_ reason: String) -> TriggerError { TriggerError(.invalid, reason, key: "on") }

  /// One line: the problem, its place, and an example.
  public var description: String {
    (key.isEmpty ? "" : "'\(key)': ") + problem + (column.map { " (column \($0))" } ?? "")
      + ((advice ?? example.map { "for example '\($0)'" }).map { "; \($0)" } ?? "")
  }

  /// The same error without column 1, which says nothing in a text of one word.
  var withoutFirstColumn: TriggerError {
    column == 1 ? TriggerError(code, problem, key: key, example: example, advice: advice) : self
  }

  /// The same error with what to write instead.
  func advising(_ advice: String) -> TriggerError {
    TriggerError(code, problem, key: key, column: column, example: example, advice: advice)
  }

  /// The same error with another example.
  func with(example: String) -> TriggerError {
    TriggerError(code, problem, key: key, column: column, example: example, advice: advice)
  }

  /// The same error about a key of the request.
  public func about(_ key: String) -> TriggerError {
    var error = self
    error.key = key
    return error
  }
}

extension RequestRefusal {
  /// The refusal of a request because of its schedule.
  package init(_ error: TriggerError) {
    self.init(error.code == .inThePast ? .inThePast : .invalidRequest, error.description)
  }
}

extension String {
  /// The text in quotes, shortened to one line.
  var inQuotes: String {
    let start = unicodeScalars.prefix(40)
    let shown = start.map { scalar in
      let isPlain = scalar.isASCII ? scalar.value >= 32 && scalar.value != 127 : scalar.isLetterOrDigit
      return isPlain ? String(scalar) : scalar.escaped(asASCII: true)
    }
    return "'\(shown.joined())\(start.endIndex < unicodeScalars.endIndex ? "…" : "")'"
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter or a digit of any script.
  fileprivate var isLetterOrDigit: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: true
    default: false
    }
  }
}
