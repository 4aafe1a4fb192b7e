// SPDX-License-Identifier: Apache-2.0

/// The version of a notification server, as far as it is numbers: `43.9`, `v4.3`, `1.12.2 (2025-03-05)`.
public struct ServerVersion: Comparable, Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// Without zeros at the end, so that 48 and 48.0 are equal.
  private let numbers: [Int]

  /// Returns nil for a text that does not begin with a number.
  public init?(_ text: String) {
    let digits = text.drop { $0 == "v" }.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    var numbers = digits.split(separator: ".").map { Int($0) ?? .max }
    guard !numbers.isEmpty else { return nil }
    while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  /// A version written in the code.
  public init(stringLiteral text: StaticString) {
    guard let version = Self(text.description) else { preconditionFailure("\(text) is not a version") }
    self = version
  }

  /// Compares number by number: 6.4 is older than 6.10.
  public static func < (one: Self, other: Self) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }

  /// The numbers with dots between them.
  public var description: String { numbers.map(String.init).joined(separator: ".") }
}
