// SPDX-License-Identifier: Apache-2.0

/// Colour, where there is a terminal that has it and nobody minds: `NO_COLOR` and `TERM=dumb` are heard.
struct Ink {
  let isColoured: Bool

  static let none = Ink(isColoured: false)
  /// For standard output.
  static var output: Ink { Ink(isColoured: TerminalTraits.current.hasColour) }

  func bold(_ text: String) -> String { paint(text, "1") }
  func green(_ text: String) -> String { paint(text, "32") }
  func yellow(_ text: String) -> String { paint(text, "33") }
  func red(_ text: String) -> String { paint(text, "1;31") }

  private func paint(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
