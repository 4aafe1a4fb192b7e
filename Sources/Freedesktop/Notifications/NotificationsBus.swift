// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The bus names of [the specification](https://specifications.freedesktop.org/notification/latest/).
enum NotificationsBus {
  static let name: BusName = "org.freedesktop.Notifications"
  static let path: ObjectPath = "/org/freedesktop/Notifications"
  static let interface: InterfaceName = "org.freedesktop.Notifications"
}
