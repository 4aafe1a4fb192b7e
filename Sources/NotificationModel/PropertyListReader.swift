// SPDX-License-Identifier: Apache-2.0

/// Reads property lists, [XML](https://www.apple.com/DTDs/PropertyList-1.0.dtd) and binary, strictly: what a request cannot
/// hold (dates, data) and what is damaged is refused.
public enum PropertyListReader {
  /// Deeper than any request may be, and far from the end of the stack.
  static let deepestNesting = 64

  /// Whether it begins as one.
  public static func recognizes(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    return text.first { !isBlank($0) } == UInt8(ascii: "<")
  }

  /// The value that the list is.
  public static func read(_ bytes: [UInt8]) throws(DocumentError) -> PlainValue {
    if bytes.starts(with: "bplist".utf8) { return try BinaryPropertyList.read(bytes) }
    return try XMLPropertyList.read(bytes)
  }

  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
}
