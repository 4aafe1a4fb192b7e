// SPDX-License-Identifier: Apache-2.0

/// Colours for terminals that support them, unless `NO_COLOR` or `TERM=dumb` is set.
struct Ink {
  let isColoured: Bool

  static let none = Ink(isColoured: false)
  /// The colours of standard output.
  static var output: Ink { Ink(isColoured: TerminalTraits.current.hasColour) }

  func bold(_ text: String) -> String { paint(text, "1") }
  func green(_ text: String) -> String { paint(text, "32") }
  func yellow(_ text: String) -> String { paint(text, "33") }
  func red(_ text: String) -> String { paint(text, "1;31") }

  private func paint(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
