// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The name of a link, which is that of its file without `.json`.
package struct LinkName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The name.
  package let text: String

  /// Creates a name; it must be one of a file that is neither hidden nor in another folder.
  package init(_ text: String) throws(RequestError) {
    guard text.isLinkName else { throw RequestError("", "must be \(Self.form)") }
    self.text = text
  }

  /// The rule, for errors.
  package static let form = String.linkNameForm

  /// In the order of the bytes.
  package static func < (left: Self, right: Self) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
  /// The name.
  package var description: String { text }
}
