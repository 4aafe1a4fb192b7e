// SPDX-License-Identifier: Apache-2.0

/// Escapes texts for the dialog programs, so that no character has a special meaning.
enum DialogText {
  /// For a title, a button or a row: one line, no longer than a screen is wide.
  static func line(_ text: String) -> String {
    shortened(String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 })), to: 200)
  }

  /// For the text above: keeps lines. An argument may have 128 KiB, and a dialog should fit on the screen.
  static func paragraph(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0 == "\n" || !isControl($0) ? $0 : " " }
    return shortened(String(String.UnicodeScalarView(scalars)), to: 2000)
  }

  /// For programs that read markup.
  static func escapingMarkup(_ text: String) -> String {
    replacing(text) {
      switch $0 {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }

  /// For programs that read C escapes.
  static func escapingBackslashes(_ text: String) -> String { replacing(text) { $0 == "\\" ? "\\\\" : nil } }

  /// Replaces the characters for which there is a replacement.
  static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
    }
  }

  private static func shortened(_ text: String, to length: Int) -> String {
    // By scalars, because a character may consist of any number of them.
    let scalars = text.unicodeScalars
    return scalars.count > length ? String(scalars.prefix(length - 1)) + "…" : text
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
  }
}
