// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
    try BusAddress(environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket")
  }

  /// The address without the bus's identity, because a restarted bus has another one.
  var ofAnyBus: String {
    text.split(separator: ";").map { address in
      guard let colon = address.firstIndex(of: ":") else { return String(address) }
      let pairs = address[address.index(after: colon)...].split(separator: ",")
      return address[...colon] + pairs.filter { !$0.hasPrefix("guid=") }.joined(separator: ",")
    }.joined(separator: ";")
  }

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Escapes the bytes of a path that have a meaning in addresses.
  static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { result, byte in
      if byte.isNameLetter || byte.isNameDigit || "-/.\\*".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        result += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
  }

  /// The address as text.
  public var description: String { text }
}
