// SPDX-License-Identifier: Apache-2.0
internal import CCrypto
internal import Links

/// Decrypts the messages to one link: [RFC 8291](https://www.rfc-editor.org/rfc/rfc8291#section-3), with `aes128gcm` of
/// [RFC 8188](https://www.rfc-editor.org/rfc/rfc8188).
struct MessageCipher {
  /// The public key of the link, which senders encrypt for.
  let publicKey: [UInt8]
  private let keys: PushKeys

  init(_ keys: PushKeys) throws(SecretError) {
    var point = [UInt8](repeating: 0, count: Int(crypto_point_size))
    guard crypto_public_key(keys.privateKey, &point) else {
      throw SecretError("the private key of the link is not a P-256 key; remove the link, and add it again")
    }
    (self.keys, publicKey) = (keys, point)
  }

  /// The text of a message; nil if it was encrypted for another key, or is damaged.
  func open(_ message: EncryptedMessage) -> [UInt8]? {
    var secret = [UInt8](repeating: 0, count: Int(crypto_hash_size))
    // It says no if the key of the sender is not on the curve.
    guard crypto_agree(keys.privateKey, publicKey, message.senderKey, &secret),
      let shared = Self.hash(keys.authentication, secret),
      let input = Self.hash(shared, Array("WebPush: info\0".utf8) + publicKey + message.senderKey + [1]),
      let random = Self.hash(message.salt, input),
      let key = Self.hash(random, Array("Content-Encoding: aes128gcm\0".utf8) + [1]),
      let nonce = Self.hash(random, Array("Content-Encoding: nonce\0".utf8) + [1])
    else { return nil }
    var record = [UInt8](repeating: 0, count: message.record.count - Int(crypto_tag_size))
    // Of the key, 16 bytes are used, and of the nonce 12.
    guard crypto_open(key, nonce, message.record, message.record.count, &record) else { return nil }
    return EncryptedMessage.text(of: record)
  }

  /// HMAC with SHA-256, which is both halves of HKDF as long as no more than 32 bytes are wanted.
  private static func hash(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]? {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_size))
    return crypto_hmac(key, key.count, bytes, bytes.count, &hash) ? hash : nil
  }
}
