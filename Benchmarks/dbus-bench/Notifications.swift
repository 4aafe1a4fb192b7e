// SPDX-License-Identifier: Apache-2.0
import DBus

/// The interface of notification servers, as far as it is measured.
enum Notifications {
  static let path: ObjectPath = "/org/freedesktop/Notifications"
  static let interface: InterfaceName = "org.freedesktop.Notifications"
  static let notify = MethodDescription(
    "Notify", in: ("app_name", String.self), ("replaces_id", UInt32.self), ("app_icon", String.self),
    ("summary", String.self), ("body", String.self), ("actions", [String].self), ("hints", [String: Value].self),
    ("expire_timeout", Int32.self), out: ("id", UInt32.self))
}
