// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// What a sender needs, in the form that the programs of web-push servers take: that of `PushSubscription.toJSON()` of
/// browsers.
package struct PushSubscription: Hashable, Sendable {
  private let endpoint: String
  private let publicKey: String
  private let authentication: [UInt8]

  /// - Parameter publicKey: that of the link, in base64url.
  package init(endpoint: String, publicKey: String, _ keys: PushKeys) {
    (self.endpoint, self.publicKey, authentication) = (endpoint, publicKey, keys.authentication)
  }

  /// The object.
  package var plain: PlainValue {
    .dictionary([
      "endpoint": .text(endpoint),
      "keys": .dictionary(["p256dh": .text(publicKey), "auth": .text(Base64URL.encoded(authentication))]),
    ])
  }

  /// The longest address that a distributor may give.
  package static let longestEndpoint = 1000

  /// Whether a distributor may give this address: a page of the web, which senders post to.
  package static func isEndpoint(_ text: String) -> Bool {
    text.utf8.count <= longestEndpoint && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
      && ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
  }

  /// Checks the public key of a sender, as [RFC 8292](https://www.rfc-editor.org/rfc/rfc8292#section-3.2) has it.
  package static func checked(vapid text: String) throws(RequestError) -> String {
    guard let bytes = Base64URL.decoded(text), bytes.count == EncryptedMessage.keySize, bytes[0] == 4 else {
      throw RequestError("", "must be the public key of a sender: 87 letters of base64url, beginning with 'B'")
    }
    return text
  }
}
