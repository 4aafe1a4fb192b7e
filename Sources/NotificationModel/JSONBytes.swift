// SPDX-License-Identifier: Apache-2.0

/// Finds the bytes that mean something inside a JSON string. Eight at a time, because texts may be long.
enum JSONBytes {
  /// Where literal characters that begin at `start` end: at a quote, a backslash, a control character, `other`, or the
  /// end.
  static func end(
    ofLiteralAt start: Int, in bytes: UnsafeRawBufferPointer, before other: UInt8 = UInt8(ascii: "\"")
  ) -> Int {
    var index = start
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      var special = (word &- 32 &* everyByte) & ~word  // below 32
      special |= zeros(in: word ^ UInt64(UInt8(ascii: "\"")) &* everyByte)
      special |= zeros(in: word ^ UInt64(UInt8(ascii: "\\")) &* everyByte)
      special |= zeros(in: word ^ UInt64(other) &* everyByte)
      if special & (0x80 &* everyByte) != 0 { break }
      index += 8
    }
    while index < bytes.count, isLiteral(bytes[index]), bytes[index] != other { index += 1 }
    return index
  }

  private static func isLiteral(_ byte: UInt8) -> Bool {
    byte >= 32 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static let everyByte: UInt64 = 0x0101_0101_0101_0101

  /// Sets the highest bit of a byte if that or a lower byte is zero; all are clear if none is.
  private static func zeros(in word: UInt64) -> UInt64 { (word &- everyByte) & ~word }
}
