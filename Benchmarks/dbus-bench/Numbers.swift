// SPDX-License-Identifier: Apache-2.0
import DBus

/// What `Benchmarks/server.c` has besides a notification server: a property, and signals on request.
enum Numbers {
  static let path: ObjectPath = "/dev/suzu/Bench"
  static let interface: InterfaceName = "dev.suzu.Bench1"
  static let number = PropertyDescription("Number", UInt32.self)
  static let ticked = SignalDescription("Ticked", ("number", UInt32.self), ("text", String.self))
  static let emit = MethodDescription("Emit", in: ("count", UInt32.self))
}
