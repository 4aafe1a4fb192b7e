// SPDX-License-Identifier: Apache-2.0

/// The packets that a subscriber sends (MQTT 5, chapter 3).
package enum MQTTOutput {
  /// The client that connects, and the limits that the server must keep.
  package struct Connection {
    package var client: String
    package var login: String?
    package var password: String?
    /// After how many seconds without another packet the client sends one.
    package var keepAlive: UInt16 = 60
    /// Whether the session begins anew, and is forgotten at the end.
    package var isTrial = false
    /// How many messages may wait for their acknowledgment.
    package var mostPending: UInt16 = 64

    package init(client: String) { self.client = client }
  }

  /// How long the server keeps messages for a desktop that is off: as long as the center knows duplicates.
  package static let sessionExpiry: UInt32 = 7 * 86_400
  /// The longest packet that the server may send: a little more than any link accepts. The server drops longer ones.
  package static let longestPacket: UInt32 = 1_200_000

  /// The first byte of a server's answer.
  package static let answer: UInt8 = 0x20

  package static func connect(_ connection: Connection) -> [UInt8] {
    var properties: [UInt8] = [0x11] + bytes(connection.isTrial ? 0 : sessionExpiry)
    properties += [0x21] + bytes(connection.mostPending) + [0x27] + bytes(longestPacket)
    var flags: UInt8 = connection.isTrial ? 0x02 : 0
    var body = text("MQTT") + [5]
    var payload = text(connection.client)
    if let login = connection.login {
      flags |= 0x80
      payload += text(login)
    }
    if let password = connection.password {
      flags |= 0x40
      payload += text(password)
    }
    body += [flags] + bytes(connection.keepAlive) + MQTTLength.bytes(of: properties.count) + properties + payload
    return packet(0x10, body)
  }

  /// Subscribes to a filter, at least once for each message. What the server keeps comes only with a new subscription,
  /// and says that it is kept.
  package static func subscribe(_ filter: String, number: UInt16) -> [UInt8] {
    let options: UInt8 = 0x01 | 0x08 | 0x10
    return packet(0x82, bytes(number) + [0] + text(filter) + [options])
  }

  package static func publish(_ message: MQTTMessage) -> [UInt8] {
    var properties: [UInt8] = []
    if message.properties.isText { properties += [MQTTProperties.Name.isText, 1] }
    if let expiry = message.properties.expiry { properties += [MQTTProperties.Name.expiry] + bytes(expiry) }
    for word in message.properties.words {
      properties += [MQTTProperties.Name.word] + text(word.key) + text(word.value)
    }
    let flags: UInt8 =
      (message.isRepeated ? 0x08 : 0) | (message.number != nil ? 0x02 : 0) | (message.isRetained ? 0x01 : 0)
    let body = text(message.topic) + (message.number.map(bytes) ?? [])
    return packet(0x30 | flags, body + MQTTLength.bytes(of: properties.count) + properties + message.payload)
  }

  package static func acknowledge(_ number: UInt16) -> [UInt8] { packet(0x40, bytes(number)) }
  package static let ping: [UInt8] = [0xC0, 0]
  package static func disconnect(_ reason: UInt8 = 0) -> [UInt8] { packet(0xE0, reason == 0 ? [] : [reason]) }

  /// Ends the connection and the session.
  package static let farewell = packet(0xE0, [0, 5, 0x11, 0, 0, 0, 0])

  // MARK: Fields

  private static func packet(_ header: UInt8, _ body: [UInt8]) -> [UInt8] {
    [header] + MQTTLength.bytes(of: body.count) + body
  }
  private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
  private static func bytes(_ number: UInt32) -> [UInt8] {
    bytes(UInt16(number >> 16)) + bytes(UInt16(truncatingIfNeeded: number))
  }
  /// Everything that a link sends was checked to be shorter than 65,536 bytes.
  private static func text(_ text: String) -> [UInt8] {
    let content = Array(text.utf8.prefix(65_535))
    return bytes(UInt16(content.count)) + content
  }
}
