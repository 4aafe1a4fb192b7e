// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import Freedesktop

extension ServerState {
  /// Identifies the server in the store; the bus id is part of it, since unique names start over with every bus.
  var storedName: String { "\(bus) \(owner.text)" }
}
