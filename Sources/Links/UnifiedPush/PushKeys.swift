// SPDX-License-Identifier: Apache-2.0

/// The secrets of a link over UnifiedPush, which are in one line: the private key of P-256, the secret that
/// authenticates its senders, and the token by which its distributor knows it.
package struct PushKeys: Hashable, Sendable {
  package let privateKey: [UInt8]
  package let authentication: [UInt8]
  /// A UUID of version 4, as the specification suggests.
  package let token: String

  private static let (keySize, authenticationSize, tokenSize) = (32, 16, 16)

  /// Reads the line.
  package init(_ text: String) throws(SecretError) {
    guard let bytes = Base64URL.decoded(text), let keys = PushKeys(bytes) else {
      throw SecretError("the keys of the link must be 64 random bytes in base64url; remove it, and add it again")
    }
    self = keys
  }

  private init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.keySize + Self.authenticationSize + Self.tokenSize else { return nil }
    privateKey = Array(bytes[..<Self.keySize])
    authentication = Array(bytes[Self.keySize...].prefix(Self.authenticationSize))
    token = Self.uuid(Array(bytes.suffix(Self.tokenSize)))
  }

  private static func uuid(_ random: [UInt8]) -> String {
    var bytes = random
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text
  }

  /// New keys, as the line.
  ///
  /// - Parameter generator: a secure one, unless for a test.
  package static func line(using generator: inout some RandomNumberGenerator) -> String {
    while true {
      let bytes = (0..<keySize + authenticationSize + tokenSize).map { _ in UInt8.random(in: 0...255, using: &generator)
      }
      // The order of the curve begins with these bytes: of 2^32 keys, one is not taken that could be.
      if bytes[..<4] != [0xFF, 0xFF, 0xFF, 0xFF], bytes[..<keySize].contains(where: { $0 != 0 }) {
        return Base64URL.encoded(bytes)
      }
    }
  }
}
