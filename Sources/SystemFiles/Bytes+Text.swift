// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Appends the characters of a text, in UTF-8.
  package mutating func append(charactersOf text: String) {
    // Never nil for a native Swift string; others are copied byte by byte.
    if text.utf8.withContiguousStorageIfAvailable({ append(contentsOf: $0) }) == nil { append(contentsOf: text.utf8) }
  }

  /// Appends the decimal digits of a number, without a `String` for it.
  package mutating func append(digitsOf number: Int64) {
    // From the last one on; no number has more than 20, its sign included.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, first) = (number.magnitude, digits.count)
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        first -= 1
        digits[first] = UInt8(ascii: "-")
      }
      append(contentsOf: digits[first...])
    }
  }
}
