// SPDX-License-Identifier: Apache-2.0

/// Somebody on the bus: a unique name (`:1.42`), given for one connection, or a well-known one (`dev.suzu.Center`).
public struct BusName: CheckedName {
  /// The name as text.
  public let text: String

  /// For text that was checked before.
  public init(unchecked text: String) { self.text = text }

  /// The rules of [Bus names](https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-bus).
  public static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= longestName else { return false }
    if text.utf8.first == UInt8(ascii: ":") {
      return isDotted(text.dropFirst().utf8, digitsMayLead: true, hyphensAllowed: true)
    }
    return isDotted(text[...].utf8, hyphensAllowed: true)
  }

  /// Whether the bus made it up for one connection; such a name is never given twice.
  public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }

  /// The bus itself.
  public static let bus: BusName = "org.freedesktop.DBus"
}
