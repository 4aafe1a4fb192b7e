// SPDX-License-Identifier: Apache-2.0

/// Computes the bytes that update the screen from the last frame to a new one.
struct TerminalPainter {
  private let theme: PopupTheme
  /// The current content of the terminal; nil if unknown.
  private var shown: Shown?

  private struct Shown {
    let lines: [StyledLine]
    let columns: Int
    let cursor: PopupFrame.Position?
    let pictures: [PopupFrame.Picture]
  }

  init(theme: PopupTheme) { self.theme = theme }

  /// Forgets the content after another program wrote to the screen: the next frame is drawn whole.
  mutating func forget() { shown = nil }

  /// The bytes for `frame`; empty if nothing changed. They are one write inside a synchronised update
  /// (https://github.com/contour-terminal/vt-extensions), so that terminals never show half a frame.
  mutating func bytes(for frame: PopupFrame, columns: Int, pictures: inout PopupPictures) -> [UInt8] {
    var output: [UInt8] = []
    func add(_ text: String) { output += text.utf8 }
    let before = shown.flatMap { $0.columns == columns && $0.lines.count == frame.lines.count ? $0 : nil }
    if before == nil {
      add("\u{1B}[0m\u{1B}[H\u{1B}[2J")
      output += pictures.forget()
    }
    let old = before?.pictures ?? []
    let gone = old.filter { !frame.pictures.contains($0) }
    for picture in gone { output += pictures.erasing(picture.cells) }
    output += pictures.clearing()
    // Text over a picture that is one with it erases the picture.
    let erased = pictures.isOneWithText ? gone.map(\.rows) : []
    var painted: Set<Int> = []
    for (row, line) in frame.lines.enumerated() {
      let isChanged = before.map { $0.lines[row] != line } ?? !line.runs.isEmpty
      guard isChanged || erased.contains(where: { $0.contains(row) }) else { continue }
      add("\u{1B}[\(row + 1);1H" + text(of: line, columns: columns))
      painted.insert(row)
    }
    for picture in frame.pictures
    where !old.contains(picture) || pictures.isOneWithText && picture.rows.contains(where: painted.contains) {
      let bytes = pictures.drawing(picture.cells, of: picture.id)
      if bytes.isEmpty { continue }
      add("\u{1B}[\(picture.position.row + 1);\(picture.position.column + 1)H")
      output += bytes
    }
    pictures.keep(only: Set(frame.pictures.map(\.cells.number)))
    if output.isEmpty, let shown, shown.cursor == frame.cursor { return [] }
    shown = Shown(lines: frame.lines, columns: columns, cursor: frame.cursor, pictures: frame.pictures)
    // Hide the cursor while drawing.
    var update = Array("\u{1B}[?2026h\u{1B}[?25l".utf8) + output
    if let cursor = frame.cursor { update += Array("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h".utf8) }
    return update + Array("\u{1B}[?2026l".utf8)
  }

  /// The same without pictures.
  mutating func bytes(for frame: PopupFrame, columns: Int) -> [UInt8] {
    var none = PopupPictures()
    return bytes(for: frame, columns: columns, pictures: &none)
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
