// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing

@testable import Links
@testable import RunningLinks

/// Tests the decryption of messages with the example of RFC 8291, appendix A, and with what is no such message.
@Suite struct MessageCipherTests {
  private static let privateKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
  private static let publicKey =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  private static let authentication = "BTBZMqHH6r4Tts7J_aSIgg"
  private static let message =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    + "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"

  private static func keys(_ privateKey: String = privateKey, _ authentication: String = authentication) throws
    -> PushKeys
  {
    let bytes =
      try #require(Base64URL.decoded(privateKey)) + (try #require(Base64URL.decoded(authentication)))
    return try PushKeys(Base64URL.encoded(bytes + [UInt8](repeating: 7, count: 16)))
  }

  private static func bytes() throws -> [UInt8] { try #require(Base64URL.decoded(message)) }

  @Test func `The example of RFC 8291 is decrypted`() throws {
    let cipher = try MessageCipher(try Self.keys())
    #expect(Base64URL.encoded(cipher.publicKey) == Self.publicKey)
    let message = try #require(EncryptedMessage(try Self.bytes()))
    let text = try #require(cipher.open(message))
    #expect(String(decoding: text, as: UTF8.self) == "When I grow up, I want to be a watermelon")
  }

  @Test func `A message with any other bit is not decrypted`() throws {
    let cipher = try MessageCipher(try Self.keys())
    let bytes = try Self.bytes()
    // Of the size of a record, only what it permits counts.
    for index in bytes.indices where !(16..<20).contains(index) {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        #expect(EncryptedMessage(damaged).flatMap { cipher.open($0) } == nil, "bit \(bit) of byte \(index)")
      }
    }
  }

  @Test func `A message for another key or with another secret is not decrypted`() throws {
    let message = try #require(EncryptedMessage(try Self.bytes()))
    let otherKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    #expect(try MessageCipher(try Self.keys(otherKey)).open(message) == nil)
    #expect(try MessageCipher(try Self.keys(Self.privateKey, "BTBZMqHH6r4Tts7J_aSIgQ")).open(message) == nil)
  }

  @Test(arguments: [
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    // The order of the curve.
    "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE", "__________________________________________8",
  ])
  func `A number that is no key of the curve is refused`(privateKey: String) throws {
    let keys = try Self.keys(privateKey)
    let error = #expect(throws: SecretError.self) { try MessageCipher(keys) }
    #expect(error?.description.contains("not a P-256 key") == true)
  }

  @Test func `New keys are of the curve, and never the same`() throws {
    var generator = SystemRandomNumberGenerator()
    var seen: Set<[UInt8]> = []
    for _ in 0..<20 {
      let keys = try PushKeys(PushKeys.line(using: &generator))
      seen.insert(try MessageCipher(keys).publicKey)
      #expect(keys.token.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }
    #expect(seen.count == 20)
  }

  @Test(.enabled(if: WebPushSender.isPossible, "no packages of PyPI"), arguments: WebPushSender.allCases)
  func `What senders encrypt is decrypted, of any length`(sender: WebPushSender) throws {
    var generator = SystemRandomNumberGenerator()
    let keys = try PushKeys(PushKeys.line(using: &generator))
    let cipher = try MessageCipher(keys)
    let subscription = PushSubscription(
      endpoint: "https://push.example.com/x", publicKey: Base64URL.encoded(cipher.publicKey), keys)
    // The last is the longest that a push server must accept.
    for text in ["x", "Grüße 🎐", String(repeating: "y", count: 3993)] {
      let bytes = try sender.encrypt(text, for: subscription.plain.json)
      let message = try #require(EncryptedMessage(bytes), "\(bytes.count) bytes")
      #expect(cipher.open(message).map { String(decoding: $0, as: UTF8.self) } == text)
    }
  }
}
