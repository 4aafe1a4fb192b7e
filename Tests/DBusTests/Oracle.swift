// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// The names and signatures that libdbus itself accepts.
enum Oracle {
  static func isObjectPath(_ text: String) -> Bool { dbus_validate_path(text, nil) != 0 }
  static func isBusName(_ text: String) -> Bool { dbus_validate_bus_name(text, nil) != 0 }
  static func isInterface(_ text: String) -> Bool { dbus_validate_interface(text, nil) != 0 }
  static func isMember(_ text: String) -> Bool { dbus_validate_member(text, nil) != 0 }
  static func isErrorName(_ text: String) -> Bool { dbus_validate_error_name(text, nil) != 0 }
  static func isSignature(_ text: String) -> Bool { dbus_signature_validate(text, nil) != 0 }
}

/// A deterministic random generator (SplitMix64), so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func text(of pieces: [String], upTo longest: Int) -> String {
    (0..<Int.random(in: 0...longest, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }
}
