// SPDX-License-Identifier: Apache-2.0

/// Computes the bytes that update the screen from the last frame to a new one.
struct TerminalPainter {
  private let theme: PopupTheme
  /// The current content of the terminal; nil if unknown.
  private var shown: (lines: [StyledLine], columns: Int, cursor: PopupFrame.Position?)?

  init(theme: PopupTheme) { self.theme = theme }

  /// Forgets the content after another program wrote to the screen: the next frame is drawn whole.
  mutating func forget() { shown = nil }

  /// The bytes for `frame`; empty if nothing changed. They are one write inside a synchronised update
  /// (https://github.com/contour-terminal/vt-extensions), so that terminals never show half a frame.
  mutating func bytes(for frame: PopupFrame, columns: Int) -> [UInt8] {
    var output = ""
    let before = shown.flatMap { $0.columns == columns && $0.lines.count == frame.lines.count ? $0.lines : nil }
    if before == nil { output += "\u{1B}[0m\u{1B}[H\u{1B}[2J" }
    for (row, line) in frame.lines.enumerated() where before.map({ $0[row] != line }) ?? !line.runs.isEmpty {
      output += "\u{1B}[\(row + 1);1H" + text(of: line, columns: columns)
    }
    if output.isEmpty, let shown, shown.cursor == frame.cursor { return [] }
    shown = (frame.lines, columns, frame.cursor)
    // Hide the cursor while drawing.
    output = "\u{1B}[?2026h\u{1B}[?25l" + output
    if let cursor = frame.cursor { output += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
    return Array((output + "\u{1B}[?2026l").utf8)
  }

  private func text(of line: StyledLine, columns: Int) -> String {
    // If the terminal may use other widths, place borders by column number, and clear the old line first.
    let isCertain = line.text.allSatisfy { DisplayWidth.of($0) == 1 }
    var output = isCertain ? "" : "\u{1B}[K"
    var current: String?
    for run in line.runs {
      if let column = run.column, !isCertain { output += "\u{1B}[\(column + 1)G" }
      let attributes = theme.attributes(of: run.role)
      if attributes != current {
        output += current == nil ? "" : "\u{1B}[0m"
        if let attributes { output += "\u{1B}[\(attributes)m" }
        current = attributes
      }
      output += run.text
    }
    if current != nil { output += "\u{1B}[0m" }
    // At the right edge the cursor is *on* the last character: erasing from there would remove it.
    if line.width < columns { output += (isCertain ? "" : "\u{1B}[\(line.width + 1)G") + "\u{1B}[K" }
    return output
  }
}
