// SPDX-License-Identifier: Apache-2.0

/// A name that others chose (an app, the id of a request, a category or an action), compared by its bytes.
///
/// `String` compares by Unicode's canonical equivalence: 'é' in one code point equals 'é' in two. The store, the bus and
/// file names compare bytes, so a set or dictionary of `String` would take two names of theirs for one.
public struct Identifier: Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
  /// The name.
  public let text: String

  /// From a name.
  public init(_ text: String) { self.text = text }
  /// From a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// Whether both have the same bytes.
  public static func == (left: Identifier, right: Identifier) -> Bool { left.text.isIdentical(to: right.text) }

  /// In the order of their bytes.
  public static func < (left: Identifier, right: Identifier) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// By its bytes.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// Whether both are the same bytes; `==` also takes texts for equal that Unicode's normalisation makes equal.
  public func isIdentical(to other: String) -> Bool {
    // What differs for Unicode differs in its bytes, and that comparison is fast.
    self == other && utf8.elementsEqual(other.utf8)
  }

  /// Feeds the bytes, and what tells where they end.
  public func hashBytes(into hasher: inout Hasher) {
    let isContiguous: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(UInt8(0xff))
  }
}
