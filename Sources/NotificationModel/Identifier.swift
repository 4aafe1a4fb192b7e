// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A name chosen by others (an app, the id of a request, a category or an action), compared by its bytes.
///
/// `String` compares by Unicode's canonical equivalence: 'é' as one code point equals 'é' as two. The store, the bus
/// and file names compare bytes, so a set or dictionary of `String` would merge two different names.
public struct Identifier: Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
  /// The name.
  public let text: String

  /// Creates an identifier from a name.
  public init(_ text: String) { self.text = text }
  /// Creates an identifier from a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// Whether both have the same bytes.
  public static func == (left: Identifier, right: Identifier) -> Bool { left.text.isIdentical(to: right.text) }

  /// Compares the bytes.
  public static func < (left: Identifier, right: Identifier) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Compares the bytes.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// Whether both have the same bytes; `==` also accepts canonically equivalent texts.
  package func isIdentical(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        // Only an empty text has no address.
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
        return memcmp(mine, theirs, utf8.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Hashes the bytes, and a terminator.
  package func hashBytes(into hasher: inout Hasher) {
    let isContiguous: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(UInt8(0xff))
  }
}
