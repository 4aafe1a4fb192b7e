// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The interface of [the specification](https://specifications.freedesktop.org/notification/latest/).
enum NotificationsBus {
  static let name: BusName = "org.freedesktop.Notifications"
  static let path: ObjectPath = "/org/freedesktop/Notifications"
  static let interface: InterfaceName = "org.freedesktop.Notifications"

  static let notify = MethodDescription(
    "Notify", in: ("app_name", String.self), ("replaces_id", UInt32.self), ("app_icon", String.self),
    ("summary", String.self), ("body", String.self), ("actions", [String].self), ("hints", [String: Value].self),
    ("expire_timeout", Int32.self), out: ("id", UInt32.self))
  static let closeNotification = MethodDescription("CloseNotification", in: ("id", UInt32.self))
  static let getCapabilities = MethodDescription("GetCapabilities", out: ("capabilities", [String].self))
  static let getServerInformation = MethodDescription(
    "GetServerInformation", out: ("name", String.self), ("vendor", String.self), ("version", String.self),
    ("spec_version", String.self))

  static let notificationClosed = SignalDescription(
    "NotificationClosed", ("id", UInt32.self), ("reason", UInt32.self))
  static let actionInvoked = SignalDescription("ActionInvoked", ("id", UInt32.self), ("action_key", String.self))
  static let activationToken = SignalDescription(
    "ActivationToken", ("id", UInt32.self), ("activation_token", String.self))
  static let notificationReplied = SignalDescription("NotificationReplied", ("id", UInt32.self), ("text", String.self))
}
