// SPDX-License-Identifier: Apache-2.0

/// The name of a peer: a unique name (`:1.42`) of one connection, or a well-known one (`dev.suzu.Center`).
public struct BusName: CheckedName {
  /// The name as text.
  public let text: String

  /// Creates a name from checked text.
  public init(unchecked text: String) { self.text = text }

  /// The rules of [Bus names](https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-bus).
  public static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= longestName else { return false }
    if text.utf8.first == UInt8(ascii: ":") {
      return isDotted(text.dropFirst().utf8, digitsMayLead: true, hyphensAllowed: true)
    }
    return isDotted(text[...].utf8, hyphensAllowed: true)
  }

  /// Whether the bus assigned the name to one connection; it never reuses such a name.
  public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }

  /// The bus itself.
  public static let bus: BusName = "org.freedesktop.DBus"
}
