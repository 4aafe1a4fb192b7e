// SPDX-License-Identifier: Apache-2.0

/// The name of a set of methods, signals and properties: `dev.suzu.Center1`.
public struct InterfaceName: CheckedName {
  /// The name as text.
  public let text: String

  /// Creates a name from checked text.
  public init(unchecked text: String) { self.text = text }

  /// The rules of [interface
  /// names](https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names-interface).
  public static func isValid(_ text: String) -> Bool {
    text.utf8.count <= longestName && isDotted(text[...].utf8)
  }
}

/// The name of an error: `org.freedesktop.DBus.Error.UnknownMethod`. The rules are those of interface names.
public struct ErrorName: CheckedName {
  /// The name as text.
  public let text: String

  /// Creates a name from checked text.
  public init(unchecked text: String) { self.text = text }

  /// The rules of interface names.
  public static func isValid(_ text: String) -> Bool { InterfaceName.isValid(text) }
}

/// The name of a method, signal or property within its interface: `Notify`.
public struct MemberName: CheckedName {
  /// The name as text.
  public let text: String

  /// Creates a name from checked text.
  public init(unchecked text: String) { self.text = text }

  /// One element, no dot, no leading digit.
  public static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= longestName, !first.isNameDigit else { return false }
    return text.utf8.allSatisfy { $0.isNameLetter || $0.isNameDigit }
  }
}
