// SPDX-License-Identifier: Apache-2.0

/// A strict parser for property lists, [XML](https://www.apple.com/DTDs/PropertyList-1.0.dtd) and binary: rejects
/// damaged lists and types that a request cannot hold (dates, data).
public enum PropertyListReader {
  /// Deeper than any valid request, and safe for the stack.
  static let deepestNesting = 64

  /// Whether the bytes begin like a property list.
  public static func recognizes(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    return text.first { !isBlank($0) } == UInt8(ascii: "<")
  }

  /// Parses a property list.
  public static func read(_ bytes: [UInt8]) throws(DocumentError) -> PlainValue {
    if bytes.starts(with: "bplist".utf8) { return try BinaryPropertyList.read(bytes) }
    return try XMLPropertyList.read(bytes)
  }

  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
}
