// SPDX-License-Identifier: Apache-2.0

/// The meaning of a text, from which the theme derives its look.
enum TextRole: Sendable {
  case plain, title, hint, accent, critical, frame, selectedFrame
}

/// One line of the screen.
struct StyledLine: Equatable, Sendable {
  struct Run: Equatable, Sendable {
    let text: String
    let role: TextRole
    /// A fixed column, so that borders stay straight even if the terminal uses other widths.
    let column: Int?
  }

  private(set) var runs: [Run] = []
  private(set) var width = 0

  mutating func add(_ text: some StringProtocol, _ role: TextRole = .plain) {
    if text.isEmpty { return }
    runs.append(Run(text: String(text), role: role, column: nil))
    width += DisplayWidth.of(text)
  }

  /// Fills with `filler` (one column wide) up to `column`, and puts `text` there.
  mutating func add(_ text: String, _ role: TextRole, at column: Int, filler: String = " ") {
    if column > width { add(String(repeating: filler, count: column - width), role) }
    runs.append(Run(text: text, role: role, column: column))
    width += DisplayWidth.of(text)
  }

  /// The text without styles.
  var text: String { runs.reduce(into: "") { $0 += $1.text } }

  /// The line cut to `columns`.
  func fitted(to columns: Int) -> StyledLine {
    if width <= columns { return self }
    var line = StyledLine()
    for run in runs where line.width < columns {
      line.add(run.text.prefix(columns: columns - line.width), run.role)
    }
    return line
  }
}
