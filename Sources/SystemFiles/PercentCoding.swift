// SPDX-License-Identifier: Apache-2.0

/// The percent-encoding of [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
package enum PercentCoding {
  /// The text with everything encoded but letters, digits, `-._~`, and the ASCII characters in `kept`.
  package static func encoded(_ text: String, keeping kept: String = "") -> String {
    var encoded = ""
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.utf8.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }

  /// How many bytes ``encoded(_:keeping:)`` returns if it keeps nothing else.
  package static func encodedLength(_ text: String) -> Int {
    text.utf8.reduce(0) { $0 + (isUnreserved($1) ? 1 : 3) }
  }

  /// The decoded bytes; nil if a percent sign is not followed by two hexadecimal digits. Decodes once: twice would give
  /// another text.
  package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The decoded text; nil as well if it is not UTF-8 or contains a null character, which ends every path.
  package static func decodedText(_ text: some StringProtocol) -> String? {
    guard let bytes = decoded(text), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
