// SPDX-License-Identifier: Apache-2.0

/// A message of Web Push as it comes: [RFC 8291](https://www.rfc-editor.org/rfc/rfc8291#section-4), which allows one
/// record of [RFC 8188](https://www.rfc-editor.org/rfc/rfc8188#section-2.1).
package struct EncryptedMessage: Hashable, Sendable {
  /// A random one for each message.
  package let salt: [UInt8]
  /// The public key that the sender has made for this message.
  package let senderKey: [UInt8]
  /// The record, with its tag.
  package let record: [UInt8]

  /// The longest message, which all push servers must accept.
  package static let longest = 4096
  /// A public key of P-256, uncompressed.
  package static let keySize = 65
  static let saltSize = 16
  static let tagSize = 16

  /// Reads a message; nil if it is not encrypted in this way.
  package init?(_ bytes: [UInt8]) {
    let head = Self.saltSize + 5 + Self.keySize
    // One byte behind the text, and the tag.
    guard (head + 1 + Self.tagSize...Self.longest).contains(bytes.count) else { return nil }
    let size = bytes[Self.saltSize..<Self.saltSize + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard bytes[Self.saltSize + 4] == UInt8(Self.keySize), bytes[Self.saltSize + 5] == 4,
      // All of it is in one record.
      size > Self.tagSize + 1, bytes.count - head <= size
    else { return nil }
    salt = Array(bytes[..<Self.saltSize])
    senderKey = Array(bytes[Self.saltSize + 5..<head])
    record = Array(bytes[head...])
  }

  /// The id of the message: it comes again with the same bytes, and no other has them. What a distributor calls it may
  /// be empty.
  package var id: String { Base64URL.encoded(salt + record.suffix(Self.tagSize)) }

  /// The text of a record that was decrypted, without its padding; nil if more records would follow.
  package static func text(of record: [UInt8]) -> [UInt8]? {
    guard let end = record.lastIndex(where: { $0 != 0 }), record[end] == 2 else { return nil }
    return Array(record[..<end])
  }
}
