// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests what a message of Web Push is before it is decrypted, and the texts of keys.
@Suite struct WebPushTests {
  /// A message of the least length, with a text of one byte.
  private static func message(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
    var bytes = [UInt8](1...16) + [0, 0, 16, 0, 65, 4] + [UInt8](repeating: 7, count: 64)
    bytes += [UInt8](100...117)
    change(&bytes)
    return bytes
  }

  @Test func `A message has a salt, a key and a record`() throws {
    let message = try #require(EncryptedMessage(Self.message()))
    #expect(message.salt == Array(1...16) && message.senderKey == [4] + [UInt8](repeating: 7, count: 64))
    #expect(message.record == Array(100...117))
    #expect(message.id == Base64URL.encoded(Array(1...16) + Array(102...117)) && message.id.utf8.count == 43)
  }

  @Test func `Another message has another id`() throws {
    let id = try #require(EncryptedMessage(Self.message())).id
    for index in [0, 15, 86 + 17] {
      let other = try #require(EncryptedMessage(Self.message { $0[index] ^= 1 }))
      #expect(other.id != id)
    }
  }

  @Test func `What is no message is refused`() {
    #expect(EncryptedMessage([]) == nil)
    // Without a record for the end of the text and the tag.
    #expect(EncryptedMessage(Self.message { $0.removeLast(2) }) == nil)
    #expect(EncryptedMessage(Self.message { $0[20] = 64 }) == nil)
    // A compressed key.
    #expect(EncryptedMessage(Self.message { $0[21] = 2 }) == nil)
    // Records of 17 bytes: there would be two.
    #expect(EncryptedMessage(Self.message { $0.replaceSubrange(16..<20, with: [0, 0, 0, 17]) }) == nil)
    #expect(EncryptedMessage(Self.message { $0.replaceSubrange(16..<20, with: [0, 0, 0, 18]) }) != nil)
    #expect(EncryptedMessage(Self.message { $0 += [UInt8](repeating: 1, count: 4096 - 104) }) != nil)
    #expect(EncryptedMessage(Self.message { $0 += [UInt8](repeating: 1, count: 4097 - 104) }) == nil)
  }

  @Test func `Padding is removed, and needs its mark`() {
    #expect(EncryptedMessage.text(of: Array("tea".utf8) + [2]) == Array("tea".utf8))
    #expect(EncryptedMessage.text(of: Array("tea".utf8) + [2, 0, 0, 0]) == Array("tea".utf8))
    #expect(EncryptedMessage.text(of: [2]) == [])
    // Another record would follow.
    #expect(EncryptedMessage.text(of: Array("tea".utf8) + [1]) == nil)
    #expect(EncryptedMessage.text(of: [0, 0]) == nil && EncryptedMessage.text(of: []) == nil)
  }

  @Test func `Base64url is read back as it was`() {
    var numbers = SeededNumbers(seed: 4)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      #expect(Base64URL.decoded(Base64URL.encoded(bytes)) == bytes)
    }
    #expect(Base64URL.encoded([0xFB, 0xFF]) == "-_8" && Base64URL.encoded([]) == "")
  }

  @Test(arguments: ["A", "AAAAA", "-_9", "AA==", "AA\n", "A+", "A/", "é"])
  func `Anything else is not base64url`(text: String) { #expect(Base64URL.decoded(text) == nil) }

  @Test(arguments: ["", "AAAA", String(repeating: "A", count: 85), String(repeating: "A", count: 87)])
  func `Keys of another length are refused`(text: String) {
    let error = #expect(throws: SecretError.self) { try PushKeys(text) }
    #expect(error?.description.contains(text.isEmpty ? "64 random bytes" : text) == text.isEmpty)
  }

  @Test func `An address is one of the web, of a limited length`() {
    for text in ["https://a.example/x?y=z", "http://192.168.1.2/up", "https://a/" + String(repeating: "x", count: 990)]
    {
      #expect(PushSubscription.isEndpoint(text), "\(text)")
    }
    for text in [
      "", "https://", "ftp://a", "file:///x", "https://a b", "https://ä", "https://a\n",
      "https://a/" + String(repeating: "x", count: 991),
    ] {
      #expect(!PushSubscription.isEndpoint(text), "\(text)")
    }
  }
}
