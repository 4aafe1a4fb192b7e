// SPDX-License-Identifier: Apache-2.0

/// The meaning of a server's reason codes (MQTT 5, section 2.4).
package struct MQTTReason: Hashable, Sendable {
  /// What happened, and what to do about it.
  package let problem: String
  /// Whether another attempt may succeed without a change of the settings.
  package let isTemporary: Bool

  private init(_ problem: String, passes isTemporary: Bool = false) {
    (self.problem, self.isTemporary) = (problem, isTemporary)
  }

  /// It does not let the link connect.
  package init(connecting code: UInt8, hasSecret: Bool) {
    let given = hasSecret ? "check the user and the password of the link" : "give the link a user and a password"
    switch code {
    case 0x01, 0x84: self.init("the server does not speak MQTT 5")
    case 0x85: self.init("the server does not accept the name that this desktop has chosen for itself")
    // Codes of the versions before 5, with which some servers answer.
    case 0x86, 0x04: self.init("the server denies access (bad user name or password); \(given)")
    case 0x87, 0x05: self.init("the server denies access (not authorized); \(given)")
    case 0x8A: self.init("the server has banned this desktop")
    case 0x8C: self.init("the server wants another kind of authentication")
    case 0x9C, 0x9D: self.init("the server has moved to another address; give the link that one")
    default: self.init(other: code)
    }
  }

  /// It does not let the link subscribe.
  package init(subscribing code: UInt8) {
    switch code {
    case 0x87: self.init("the server denies the topic (not authorized); check the rights of the user there")
    case 0x8F, 0xA2: self.init("the server does not accept this form of a topic")
    case 0x97: self.init("the server denies the topic: a quota is exceeded")
    case 0x00...0x02: self.init("the server took the topic")
    default: self.init(other: code)
    }
  }

  /// It has ended the connection.
  package init(disconnecting code: UInt8) {
    switch code {
    case 0x8D: self.init("the server has not heard from this desktop for too long", passes: true)
    case 0x8E:
      self.init("another program has connected with the state of this link; do not copy ~/.local/state", passes: true)
    case 0x87: self.init("the server denies access (not authorized); check the rights of the user there")
    case 0x00, 0x8B, 0x98: self.init("the server ended the connection", passes: true)
    default: self.init(other: code)
    }
  }

  private init(other code: UInt8) {
    let digits = (code < 16 ? "0x0" : "0x") + String(code, radix: 16, uppercase: true)
    switch code {
    case 0x88, 0x89, 0x03: self.init("the server is in trouble (MQTT \(digits))", passes: true)
    case 0x96, 0x97, 0x9F: self.init("the server gets too many requests (MQTT \(digits))", passes: true)
    case 0x80...0x83: self.init("the server ended the connection with an error (MQTT \(digits))", passes: true)
    default: self.init("the server refuses the connection (MQTT \(digits))")
    }
  }
}
