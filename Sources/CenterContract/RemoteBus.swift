// SPDX-License-Identifier: Apache-2.0

package import DBus

/// The center for a program that passes on the requests of another machine, as in `dbus/dev.suzu.Remote1.xml`, which
/// documents the methods. Each call names the machine, and has its rights only.
package enum RemoteBus {
  package static let path: ObjectPath = "/dev/suzu/Remote"
  package static let interface: InterfaceName = "dev.suzu.Remote1"
  package static let center = RemoteObject(CenterBus.name, path, interface)

  package static let notify = MethodDescription(
    "Notify", in: ("host", String.self), ("request", Properties.self), out: ("id", String.self))
  package static let ask = MethodDescription(
    "Ask", in: ("host", String.self), ("request", Properties.self), out: ("id", String.self))
  package static let cancel = MethodDescription(
    "Cancel", in: ("host", String.self), ("ids", [String].self), out: ("count", UInt32.self))
  package static let dismiss = MethodDescription(
    "Dismiss", in: ("host", String.self), ("ids", [String].self), out: ("count", UInt32.self))
  package static let pending = list("Pending")
  package static let delivered = list("Delivered")
  package static let watch = MethodDescription("Watch", in: ("host", String.self))

  private static func list(_ name: MemberName) -> CenterMethods.Listing {
    MethodDescription(
      name, in: ("host", String.self), ("options", [String: Value].self),
      out: ("requests", [Properties].self), ("next", String.self))
  }
}
