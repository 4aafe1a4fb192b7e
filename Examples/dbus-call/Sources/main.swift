// SPDX-License-Identifier: Apache-2.0
import DBus

// Shows a notification with any notification server, and prints what the user does with it.

let bus = try await Connection.session()
let server = RemoteObject(
  "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications")

let (name, _, version, _) = try await bus.call(
  "GetServerInformation", of: server, returning: String.self, String.self, String.self, String.self)
print("\(name) \(version) shows it")

let closed = SignalDescription("NotificationClosed", ("id", UInt32.self), ("reason", UInt32.self))
let ends = try await bus.signals(closed, of: server)
let id = try await bus.call(
  "Notify", of: server, "dbus-call", UInt32(0), "", "Hello", "from Swift", ["default", "Greet back"], [String: Value](),
  Int32(-1), returning: UInt32.self)
for try await (number, reason) in ends where number == id {
  print("closed, reason \(reason)")
  break
}
