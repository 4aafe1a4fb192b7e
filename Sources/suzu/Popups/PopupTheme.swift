// SPDX-License-Identifier: Apache-2.0

/// How things look on the terminal at hand.
struct PopupTheme: Equatable, Sendable {
  struct Border: Equatable, Sendable {
    let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String
  }

  let hasColour: Bool
  let isUnicode: Bool
  let border: Border
  let selectedBorder: Border
  let close: String
  let ellipsis: String
  let barFull: String
  let barEmpty: String

  init(isUnicode: Bool, hasColour: Bool) {
    self.hasColour = hasColour
    self.isUnicode = isUnicode
    if isUnicode {
      // Square and double: the only corners that the fonts of the Linux console have as well.
      border = Border(
        topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", horizontal: "─", vertical: "│")
      selectedBorder = Border(
        topLeft: "╔", topRight: "╗", bottomLeft: "╚", bottomRight: "╝", horizontal: "═", vertical: "║")
      (close, ellipsis, barFull, barEmpty) = ("×", "…", "█", "░")
    } else {
      border = Border(topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-", vertical: "|")
      selectedBorder = Border(
        topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "=", vertical: "|")
      (close, ellipsis, barFull, barEmpty) = ("x", "~", "#", ".")
    }
  }

  /// The text as this terminal can show it. Widths are kept, so that what was laid out still fits.
  func shown(_ text: String) -> String {
    if isUnicode { return text }
    return text.reduce(into: "") { shown, character in
      if character.isASCII {
        shown.append(character)
      } else {
        shown += String(repeating: "?", count: DisplayWidth.of(character))
      }
    }
  }

  /// The parameters of SGR (ECMA-48 8.3.117); nil: as it is. Only the eight colours that every terminal theme has made
  /// readable, and weights, which are no colours (https://no-color.org).
  func attributes(of role: TextRole) -> String? {
    switch role {
    case .plain: nil
    case .title: "1"
    case .hint: hasColour ? "2" : nil
    case .accent: hasColour ? "36" : nil
    case .critical: hasColour ? "1;31" : "1"
    case .frame: hasColour ? "2" : nil
    case .selectedFrame: hasColour ? "36" : nil
    }
  }
}
