// SPDX-License-Identifier: Apache-2.0

/// Checks of what is new. A stored request was accepted by an earlier version, and is read without them: else it would
/// be lost with an update.
extension NotificationRequest {
  /// Throws if the app cannot be that of a desktop entry, or if the texts would leave the popup empty.
  public func checkAsNew() throws(RequestError) {
    try AppID.checkAsNew(app.text)
    if content.title.hasVisibleCharacter { return }
    // The body is the headline then. Without any character, the request itself is invalid.
    if content.body?.hasVisibleCharacter != true { throw Self.blank }
  }

  /// The error for a title that cannot be seen, without a body that can.
  public static let blank = RequestError(
    "title", "must not be blank: a notification without any text cannot be shown")
}

extension AppID {
  /// Throws if the text cannot be the id of a desktop entry: `suzu import` refuses such an app, too.
  public static func checkAsNew(_ text: String) throws(RequestError) {
    if text.isEmpty || text.utf8.contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }) {
      throw RequestError(key, "must be a desktop-entry id such as 'org.gnome.Calendar'")
    }
  }
}

extension String {
  /// Whether a display draws any of its characters: not only blanks, control characters, and what has no width.
  package var hasVisibleCharacter: Bool { unicodeScalars.contains(where: \.isVisible) }
}

extension Unicode.Scalar {
  fileprivate var isVisible: Bool {
    if isASCII { return 0x21..<0x7f ~= value }
    // The Braille pattern without dots is a symbol to Unicode.
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || value == 0x2800 { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
    default: true
    }
  }
}
