// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// A program on the bus, by its unique name. The rest of the center needs to know no more of the bus than this.
struct Caller: Hashable, Comparable, Sendable {
  let name: BusName

  init(_ name: BusName) { self.name = name }

  static func < (left: Caller, right: Caller) -> Bool { left.name < right.name }
}
