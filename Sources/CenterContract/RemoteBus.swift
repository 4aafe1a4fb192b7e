// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DBus

/// The center for a program that passes on the requests of another machine, as in `dbus/dev.suzu.Remote1.xml`, which
/// documents the methods. Each call names the machine, and has its rights only.
public enum RemoteBus {
  public static let path: ObjectPath = "/dev/suzu/Remote"
  public static let interface: InterfaceName = "dev.suzu.Remote1"
  public static let center = RemoteObject(CenterBus.name, path, interface)

  public static let notify = MethodDescription(
    "Notify", in: ("host", String.self), ("request", Properties.self), out: ("id", String.self))
  public static let ask = MethodDescription(
    "Ask", in: ("host", String.self), ("request", Properties.self), out: ("id", String.self))
  public static let cancel = MethodDescription(
    "Cancel", in: ("host", String.self), ("ids", [String].self), out: ("count", UInt32.self))
  public static let dismiss = MethodDescription(
    "Dismiss", in: ("host", String.self), ("ids", [String].self), out: ("count", UInt32.self))
  public static let pending = list("Pending")
  public static let delivered = list("Delivered")
  public static let watch = MethodDescription("Watch", in: ("host", String.self))

  private static func list(_ name: MemberName) -> CenterMethods.Listing {
    MethodDescription(
      name, in: ("host", String.self), ("offset", UInt32.self), ("limit", UInt32.self),
      out: ("requests", [Properties].self))
  }
}
