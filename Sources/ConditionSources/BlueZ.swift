// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel
internal import Scheduling

/// The names of [BlueZ](https://www.bluez.org/) on the bus.
enum BlueZ {
  static let name: BusName = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let objectManager: InterfaceName = "org.freedesktop.DBus.ObjectManager"
  static let getManagedObjects = MethodDescription(
    "GetManagedObjects", out: ("objects", [ObjectPath: [String: [String: Value]]].self))
  static let interfacesAdded = SignalDescription(
    "InterfacesAdded", ("object", ObjectPath.self), ("interfaces", [String: [String: Value]].self))
}

/// What the ways to find beacons are asked for, and where they report it.
struct BeaconNews {
  /// The beacons that are looked for.
  let subjects: () -> Set<Condition.Subject>
  /// Reports that something begins to look for a beacon.
  let begun: (Condition.Subject) -> Void
  /// Reports that a beacon is near, or gone, or that this is not known.
  let observed: (Condition.Subject, Observation) -> Void
}
