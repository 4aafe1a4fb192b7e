// SPDX-License-Identifier: Apache-2.0

/// Why the bytes of a server are no packets of MQTT: the reason that it is told.
package struct MQTTFault: Error, Hashable, Sendable {
  /// The code of MQTT 5, section 2.4.
  package let reason: UInt8

  /// The bytes do not have the form of a packet.
  package static let malformed = MQTTFault(reason: 0x81)
  /// A packet that may not come, or not now.
  package static let wrongPacket = MQTTFault(reason: 0x82)
  /// A packet that is too long, and is no message.
  package static let tooLong = MQTTFault(reason: 0x95)
}
