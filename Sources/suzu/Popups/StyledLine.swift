// SPDX-License-Identifier: Apache-2.0

/// What a piece of text is, for the theme to decide how it looks.
enum TextRole: Sendable {
  case plain, title, hint, accent, critical, frame, selectedFrame
}

/// One line of the screen.
struct StyledLine: Equatable, Sendable {
  struct Run: Equatable, Sendable {
    let text: String
    let role: TextRole
    /// Where it must begin whatever the terminal thinks of the widths before it: borders stay straight that way.
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

  /// What is seen, without looks.
  var text: String { runs.reduce(into: "") { $0 += $1.text } }

  /// The line cut down to `columns`.
  func fitted(to columns: Int) -> StyledLine {
    if width <= columns { return self }
    var line = StyledLine()
    for run in runs where line.width < columns {
      line.add(run.text.prefix(columns: columns - line.width), run.role)
    }
    return line
  }
}
