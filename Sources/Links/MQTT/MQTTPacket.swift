// SPDX-License-Identifier: Apache-2.0

/// A packet that a server sends to a subscriber (MQTT 5, chapter 3).
package enum MQTTPacket: Hashable, Sendable {
  /// The answer to the connection: whether the server knows the subscriber and what it has not acknowledged.
  case connected(isResumed: Bool, reason: UInt8, MQTTProperties)
  case publish(MQTTMessage)
  /// A message whose content cannot be read. It is acknowledged, because the server would send it again for ever
  /// otherwise.
  case damaged(number: UInt16?)
  case acknowledged(number: UInt16, reason: UInt8)
  case subscribed(number: UInt16, reason: UInt8)
  case pong
  case disconnected(reason: UInt8)

  /// The upper half of the first byte.
  enum Kind {
    static let connected: UInt8 = 2
    static let publish: UInt8 = 3
    static let acknowledged: UInt8 = 4
    static let subscribed: UInt8 = 9
    static let pong: UInt8 = 13
    static let disconnected: UInt8 = 14
  }

  /// Reads a packet.
  package init(header: UInt8, body: [UInt8]) throws(MQTTFault) {
    var fields = MQTTFields(body[...])
    if header >> 4 == Kind.publish {
      self = try Self.publish(header, &fields)
      return
    }
    // The lower half is for messages only.
    guard header & 0x0F == 0 else { throw .malformed }
    switch header >> 4 {
    case Kind.connected: self = try Self.connected(&fields)
    case Kind.acknowledged:
      let number = try Self.number(&fields)
      let reason = fields.isEmpty ? 0 : try fields.byte()
      if !fields.isEmpty { _ = try MQTTProperties(&fields, .acknowledged) }
      self = .acknowledged(number: number, reason: reason)
    case Kind.subscribed:
      let number = try Self.number(&fields)
      _ = try MQTTProperties(&fields, .acknowledged)
      self = .subscribed(number: number, reason: try fields.byte())
    case Kind.pong: self = .pong
    case Kind.disconnected:
      let reason = fields.isEmpty ? 0 : try fields.byte()
      if !fields.isEmpty { _ = try MQTTProperties(&fields, .disconnected) }
      self = .disconnected(reason: reason)
    default: throw .wrongPacket
    }
    guard fields.isEmpty else { throw .malformed }
  }

  private static func number(_ fields: inout MQTTFields) throws(MQTTFault) -> UInt16 {
    let number = try fields.short()
    guard number != 0 else { throw .malformed }
    return number
  }

  private static func connected(_ fields: inout MQTTFields) throws(MQTTFault) -> MQTTPacket {
    let flags = try fields.byte()
    let reason = try fields.byte()
    // Older versions have no properties: such a server refuses the version that a link speaks.
    if fields.isEmpty { return .connected(isResumed: false, reason: max(reason, 1), MQTTProperties()) }
    guard flags <= 1, reason == 0 || flags == 0 else { throw .malformed }
    return .connected(isResumed: flags == 1, reason: reason, try MQTTProperties(&fields, .connected))
  }

  private static func publish(_ header: UInt8, _ fields: inout MQTTFields) throws(MQTTFault) -> MQTTPacket {
    let quality = header >> 1 & 0x03
    // A link asks for quality of service 1 at most, and a message of quality 0 is not sent again.
    guard quality <= 1, quality == 1 || header & 0x08 == 0 else { throw .wrongPacket }
    let topic = try fields.data()
    let number = quality == 1 ? try number(&fields) : nil
    do throws(MQTTFault) {
      let properties = try MQTTProperties(&fields, .publish)
      guard let name = String(validating: topic, as: UTF8.self), MQTTTopic.isName(name) else { throw .malformed }
      return .publish(
        MQTTMessage(
          topic: name, number: number, isRepeated: header & 0x08 != 0, isRetained: header & 0x01 != 0, properties,
          Array(fields.remainder())))
    } catch {
      // The fault may be that of the sender, not of the server.
      return .damaged(number: number)
    }
  }
}
