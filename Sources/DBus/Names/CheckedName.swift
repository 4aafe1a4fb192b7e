// SPDX-License-Identifier: Apache-2.0

/// A string that obeys one of the bus's rules for names from its construction on.
///
/// Text from outside goes through the failable initialiser. A literal in source code that breaks the rule traps,
/// because it is a programming mistake that the first run shows.
public protocol CheckedName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral, Comparable
where StringLiteralType == String {
  /// Whether `text` obeys the rule.
  static func isValid(_ text: String) -> Bool
  /// The name as text.
  var text: String { get }
  /// Creates a name from text that libdbus or the bus has checked already.
  init(unchecked text: String)
}

extension CheckedName {
  /// Creates a name; returns nil if `text` breaks the rule.
  public init?(_ text: String) {
    guard Self.isValid(text) else { return nil }
    self.init(unchecked: text)
  }

  /// Creates a name from a literal, which must obey the rule.
  public init(stringLiteral text: String) {
    precondition(Self.isValid(text), "not a valid \(Self.self): '\(text)'")
    self.init(unchecked: text)
  }

  /// The name as text.
  public var description: String { text }

  /// Compares the texts.
  public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// The longest name of any kind that the specification allows.
let longestName = 255

extension UInt8 {
  var isNameLetter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
  }

  var isNameDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

/// Whether `text` consists of at least two elements separated by dots, each non-empty and of allowed bytes.
func isDotted(
  _ text: Substring.UTF8View, digitsMayLead: Bool = false, hyphensAllowed: Bool = false
) -> Bool {
  var elements = 1
  var isAtStart = true
  for byte in text {
    if byte == UInt8(ascii: ".") {
      if isAtStart { return false }
      elements += 1
      isAtStart = true
      continue
    }
    let isAllowed =
      byte.isNameLetter || (byte.isNameDigit && (digitsMayLead || !isAtStart))
      || (hyphensAllowed && byte == UInt8(ascii: "-"))
    if !isAllowed { return false }
    isAtStart = false
  }
  return elements >= 2 && !isAtStart
}
