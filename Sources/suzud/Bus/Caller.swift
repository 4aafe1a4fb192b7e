// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// A program on the bus, identified by its unique name. This is all that the rest of the center knows of the bus.
struct Caller: Hashable, Comparable, Sendable {
  let name: BusName

  init(_ name: BusName) { self.name = name }

  static func < (left: Caller, right: Caller) -> Bool { left.name < right.name }
}
