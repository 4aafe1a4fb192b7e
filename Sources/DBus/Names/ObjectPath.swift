// SPDX-License-Identifier: Apache-2.0

/// The path of an object of a peer: `/dev/suzu/Center`.
public struct ObjectPath: CheckedName {
  /// The path as text.
  public let text: String

  /// Creates a path from checked text.
  public init(unchecked text: String) { self.text = text }

  /// The rules of [object
  /// paths](https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-marshaling-object-path).
  public static func isValid(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "/") else { return false }
    if text.utf8.count == 1 { return true }
    var isAtStart = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "/") {
        if isAtStart { return false }
        isAtStart = true
      } else if byte.isNameLetter || byte.isNameDigit {
        isAtStart = false
      } else {
        return false
      }
    }
    return !isAtStart
  }

  /// `/`
  public static let root: ObjectPath = "/"

  /// Whether the path is `ancestor` or below it.
  public func isWithin(_ ancestor: ObjectPath) -> Bool {
    self == ancestor || ancestor == .root || text.hasPrefix(ancestor.text + "/")
  }

  /// The first element of the path below `ancestor`; nil if the path is not below it.
  func child(of ancestor: ObjectPath) -> Substring? {
    guard self != ancestor, isWithin(ancestor) else { return nil }
    let below = text.dropFirst(ancestor == .root ? 1 : ancestor.text.count + 1)
    return below.prefix { $0 != "/" }
  }
}
