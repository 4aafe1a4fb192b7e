// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The address of a bus.
public struct BusAddress: Hashable, Sendable, CustomStringConvertible {
  /// The text in the format of the specification: `unix:path=/run/user/1000/bus`.
  public let text: String

  /// Creates an address from text; several, separated by `;`, are tried in order.
  ///
  /// `autolaunch:` and `unixexec:` are refused: they start programs, and wait for them.
  public init(_ text: String) throws(BusError) {
    let isStartingPrograms = text.split(separator: ";").contains {
      $0.hasPrefix("autolaunch:") || $0.hasPrefix("unixexec:")
    }
    guard !text.isEmpty, !text.utf8.contains(0), text.contains(":"), !isStartingPrograms else {
      throw BusError(.noBus, "'\(text)' is not the address of a running bus")
    }
    self.text = text
  }

  /// The address of the system bus.
  public static func system() throws(BusError) -> BusAddress {
    try BusAddress(EnvironmentVariable.value(of: "DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket")
  }

  /// The address without the bus's identity, because a restarted bus has another one.
  var ofAnyBus: String {
    text.split(separator: ";").map { address in
      guard let colon = address.firstIndex(of: ":") else { return String(address) }
      let pairs = address[address.index(after: colon)...].split(separator: ",")
      return address[...colon] + pairs.filter { !$0.hasPrefix("guid=") }.joined(separator: ",")
    }.joined(separator: ";")
  }

  /// The address as text.
  public var description: String { text }
}
