// SPDX-License-Identifier: Apache-2.0
internal import CDBus
import TestSupport

/// The names and signatures that libdbus itself accepts.
enum Oracle {
  static func isObjectPath(_ text: String) -> Bool { dbus_validate_path(text, nil) != 0 }
  static func isBusName(_ text: String) -> Bool { dbus_validate_bus_name(text, nil) != 0 }
  static func isInterface(_ text: String) -> Bool { dbus_validate_interface(text, nil) != 0 }
  static func isMember(_ text: String) -> Bool { dbus_validate_member(text, nil) != 0 }
  static func isErrorName(_ text: String) -> Bool { dbus_validate_error_name(text, nil) != 0 }
  static func isSignature(_ text: String) -> Bool { dbus_signature_validate(text, nil) != 0 }
}

extension SeededNumbers {
  mutating func text(of pieces: [String], upTo longest: Int) -> String {
    (0..<Int.random(in: 0...longest, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }
}
