// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Appends the characters of a text, in UTF-8.
  package mutating func append(charactersOf text: String) {
    // Never nil for a native Swift string; others are copied byte by byte.
    if text.utf8.withContiguousStorageIfAvailable({ append(contentsOf: $0) }) == nil { append(contentsOf: text.utf8) }
  }

  /// Appends the decimal digits of a number, without a `String` for it.
  package mutating func append(digitsOf number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var unit: UInt64 = 1
    while rest / unit >= 10 { unit *= 10 }
    while unit > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
      rest %= unit
      unit /= 10
    }
  }
}
