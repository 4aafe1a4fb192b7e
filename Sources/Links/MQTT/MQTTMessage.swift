// SPDX-License-Identifier: Apache-2.0

/// A message of MQTT 5, as it is sent.
package struct MQTTMessage: Hashable, Sendable {
  /// The topic that it was published to.
  package let topic: String
  /// The number with which it is acknowledged; nil if it is sent at most once.
  package var number: UInt16?
  /// Whether the server has sent it before.
  package var isRepeated: Bool
  /// Whether the server keeps it for later subscribers: the message is the state of its topic.
  package let isRetained: Bool
  package let properties: MQTTProperties
  package let payload: [UInt8]

  package init(
    topic: String, number: UInt16? = nil, isRepeated: Bool = false, isRetained: Bool = false,
    _ properties: MQTTProperties = MQTTProperties(), _ payload: [UInt8]
  ) {
    (self.topic, self.number, self.isRepeated, self.isRetained) = (topic, number, isRepeated, isRetained)
    (self.properties, self.payload) = (properties, payload)
  }

  /// Whether it is an empty message that removes the one that the server keeps for its topic.
  package var isTombstone: Bool { isRetained && payload.isEmpty }

  /// The id of the notification that shows the state of a topic.
  package static func sequence(of topic: String) -> String {
    let isShort = topic.utf8.count <= 120 && topic.unicodeScalars.allSatisfy { $0.value > 31 && $0.value != 127 }
    return "topic/" + (isShort ? topic : "~" + MQTTDigest(topic.utf8).text)
  }

  /// The key of a user property that marks a message of `suzu link test`: no link passes it on.
  package static let testKey = "suzu-link-test"

  /// The message of a test.
  package static func test(_ client: String, to filter: String) -> MQTTMessage {
    var properties = MQTTProperties()
    properties.words = [MQTTProperties.Word(testKey, client)]
    properties.expiry = 60
    return MQTTMessage(topic: MQTTTopic.example(of: filter), number: 2, properties, Array("A test of suzu link".utf8))
  }

  /// Tells messages of one number apart, and states of one topic.
  package var digest: MQTTDigest {
    var digest = MQTTDigest(topic.utf8)
    digest.add(payload)
    for word in properties.words {
      digest.add(word.key.utf8)
      digest.add(word.value.utf8)
    }
    return digest
  }

  /// The sender's own id, if it has the form of one.
  package var ownID: String? { word("id").flatMap { NtfyEvent.isID($0) ? $0 : nil } }

  /// The first word with a key.
  package func word(_ key: String) -> String? { properties.words.first { $0.key == key }?.value }

  /// The message without its transport; nil if it is not text.
  ///
  /// - Parameters:
  ///   - id: the id of the message, unless the sender has given one.
  ///   - now: in Unix seconds.
  package func content(id: String, now: Int64) -> LinkMessage? {
    guard let text = String(validating: payload, as: UTF8.self) else { return nil }
    var content = LinkMessage(ownID ?? id, text: text)
    content.answerPlace = ownID.map { LinkAnswer.topic(of: $0, below: topic) }
    if isRetained { content.sequence = Self.sequence(of: topic) }
    content.title = word("title").flatMap { $0.isEmpty ? nil : $0 }
    content.priority = word("priority").flatMap { Int($0) }.flatMap { (1...5).contains($0) ? $0 : nil } ?? 3
    content.tags = Array(
      properties.words.filter { $0.key == "tag" && $0.value.utf8.count <= LinkMessage.longestTag }
        .map(\.value).prefix(LinkMessage.mostTags))
    content.url = LinkMessage.page(word("click"))
    content.expires = properties.expiry.map { now + Int64($0) }
    return content
  }
}

/// A hash that is the same in every run (FNV-1a). Wrong guesses do no harm beyond what the sender can do anyway.
package struct MQTTDigest: Hashable, Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init(_ bytes: some Sequence<UInt8>) { add(bytes) }
  package init(value: UInt64) { self.value = value }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // The end of a part, which no byte is.
    value = (value ^ 0x100) &* 0x100_0000_01b3
  }

  /// In hexadecimal digits.
  package var text: String { String(value, radix: 16) }
  package init?(_ text: String) {
    guard let value = UInt64(text, radix: 16) else { return nil }
    self.value = value
  }
}
