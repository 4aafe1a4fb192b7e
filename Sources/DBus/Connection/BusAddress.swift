// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// Where a bus listens.
public struct BusAddress: Hashable, Sendable, CustomStringConvertible {
  /// As the specification writes it: `unix:path=/run/user/1000/bus`.
  public let text: String

  /// An address that somebody else worked out; several, separated by `;`, are tried in order.
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

  /// The system's bus.
  public static func system() throws(BusError) -> BusAddress {
    try BusAddress(EnvironmentVariable.value(of: "DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket")
  }

  /// The same place, whichever bus is there: one that comes back has another identity.
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
