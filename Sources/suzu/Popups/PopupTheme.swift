// SPDX-License-Identifier: Apache-2.0

/// Characters and colours for a terminal.
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
      // Square and double corners are the only ones that Linux console fonts have as well.
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

  /// Replaces characters that this terminal cannot show. Widths are kept, so that the layout still fits.
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

  /// The SGR parameters of a role (ECMA-48 8.3.117); nil for none. Uses only the eight standard colours, which every
  /// theme makes readable, and weights, which are no colours (https://no-color.org).
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
