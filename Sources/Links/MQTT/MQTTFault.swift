// SPDX-License-Identifier: Apache-2.0

/// Why the bytes of a server are no valid packets of MQTT; the reason is sent to the server.
package struct MQTTFault: Error, Hashable, Sendable {
  /// The code of MQTT 5, section 2.4.
  package let reason: UInt8

  /// The bytes do not have the form of a packet.
  package static let malformed = MQTTFault(reason: 0x81)
  /// A packet that is not permitted, or not at this moment.
  package static let wrongPacket = MQTTFault(reason: 0x82)
  /// A packet that is too long and not a message.
  package static let tooLong = MQTTFault(reason: 0x95)
}
