// SPDX-License-Identifier: Apache-2.0

/// The properties of a packet that a link uses (MQTT 5, section 2.2.2). The others are only checked.
package struct MQTTProperties: Hashable, Sendable {
  /// User properties of the sender; a key may repeat.
  package struct Word: Hashable, Sendable {
    package let key: String
    package let value: String

    package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
  }

  /// The kinds of packets that have properties.
  enum Place { case connected, publish, acknowledged, disconnected }

  /// The numbers, by their identifiers.
  private(set) var numbers: [UInt8: UInt32] = [:]
  /// The user properties of the sender.
  package var words: [Word] = []

  /// No properties.
  package init() {}

  /// How many words of a sender are kept.
  static let mostWords = 64

  /// Identifiers that a link reads.
  enum Name {
    static let isText: UInt8 = 0x01
    static let expiry: UInt8 = 0x02
    static let keepAlive: UInt8 = 0x13
    static let word: UInt8 = 0x26
  }

  private static func mayHave(_ name: UInt8, _ place: Place) -> Bool {
    switch place {
    case .connected:
      [0x11, 0x12, 0x13, 0x15, 0x16, 0x1A, 0x1C, 0x1F, 0x21, 0x22, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A]
        .contains(name)
    // Not 0x23: a link permits no aliases of topics.
    case .publish: [0x01, 0x02, 0x03, 0x08, 0x09, 0x0B, 0x26].contains(name)
    case .acknowledged: [0x1F, 0x26].contains(name)
    case .disconnected: [0x1C, 0x1F, 0x26].contains(name)
    }
  }

  /// Reads the properties of a packet.
  init(_ packet: inout MQTTFields, _ place: Place) throws(MQTTFault) {
    var fields = MQTTFields(try packet.bytes(try packet.variable()))
    var seen: Set<UInt8> = []
    while !fields.isEmpty {
      let name = try fields.byte()
      guard Self.mayHave(name, place) else { throw .malformed }
      // These two may repeat.
      guard seen.insert(name).inserted || name == Name.word || name == 0x0B else { throw .wrongPacket }
      switch name {
      case 0x01, 0x24, 0x25, 0x28, 0x29, 0x2A: numbers[name] = UInt32(try fields.byte())
      case 0x13, 0x21, 0x22: numbers[name] = UInt32(try fields.short())
      case 0x02, 0x11, 0x27: numbers[name] = try fields.long()
      case 0x0B: _ = try fields.variable()
      case 0x09, 0x16: _ = try fields.data()
      case Name.word:
        let word = Word(try fields.text(), try fields.text())
        if words.count < Self.mostWords { words.append(word) }
      default: _ = try fields.text()
      }
    }
    if let isText = numbers[Name.isText] {
      guard isText <= 1 else { throw .malformed }
      if isText == 0 { numbers[Name.isText] = nil }
    }
  }

  /// After how many seconds a client must send a packet; nil if the server accepts the time that the client asked for.
  package var keepAlive: UInt16? { numbers[Name.keepAlive].map { UInt16(truncatingIfNeeded: $0) } }
  /// After how many seconds a message expires.
  package var expiry: UInt32? {
    get { numbers[Name.expiry] }
    set { numbers[Name.expiry] = newValue }
  }
  /// Whether the sender says that the message is text.
  package var isText: Bool { numbers[Name.isText] == 1 }
}
