// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The name of a link, which is that of its file without `.json`.
package struct LinkName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The name.
  package let text: String

  /// Creates a name; it must be one of a file that is neither hidden nor in another folder.
  package init(_ text: String) throws(RequestError) {
    let isName =
      (1...64).contains(text.utf8.count) && text.first != "." && text.first != "-"
      && text.utf8.allSatisfy { Self.isAllowed($0) }
    guard isName else { throw RequestError("", "must be \(Self.form)") }
    self.text = text
  }

  /// The rule, for errors.
  package static let form = "1 to 64 letters, digits, dots, dashes and underscores, such as 'home'"

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// In the order of the bytes.
  package static func < (left: Self, right: Self) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
  /// The name.
  package var description: String { text }
}
