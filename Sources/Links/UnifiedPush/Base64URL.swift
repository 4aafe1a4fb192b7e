// SPDX-License-Identifier: Apache-2.0

/// The encoding of keys and endpoints on the web:
/// [RFC 4648](https://www.rfc-editor.org/rfc/rfc4648#section-5), without padding.
package enum Base64URL {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The text for bytes.
  package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        result.append(letters[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { result.append(letters[Int(bits << UInt32(6 - count) & 63)]) }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes of a text; nil if another text would have the same bytes, or none has them.
  package static func decoded(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in text.utf8 {
      guard let value = value(letter) else { return nil }
      (bits, count) = (bits << 6 | value, count + 6)
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    // A whole letter too many, or bits that say nothing.
    guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    return result
  }

  private static func value(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
