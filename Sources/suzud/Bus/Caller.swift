// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// A program on the bus, identified by its unique name. This is all that the rest of the center knows of the bus.
struct Caller: Hashable, Comparable, Sendable {
  let name: BusName

  init(_ name: BusName) { self.name = name }

  /// The caller with this name; nil if no caller can have it.
  init?(named text: String) {
    guard let name = BusName(text), name.isUnique else { return nil }
    self.name = name
  }

  var text: String { name.text }

  static func < (left: Caller, right: Caller) -> Bool { left.name < right.name }
}
