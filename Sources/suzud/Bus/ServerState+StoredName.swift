// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import Freedesktop

extension ServerState {
  /// The server as the store knows it: unique names begin anew with every bus.
  var storedName: String { "\(bus) \(owner.text)" }
}
