// SPDX-License-Identifier: Apache-2.0

/// Lines of help, made to fit a terminal: nothing is lost in a narrow one, it only gets longer.
struct HelpPage {
  private let columns: Int
  private var lines: [String] = []

  /// - Parameter columns: nil where nobody looks: then nothing is broken.
  init(columns: Int?) { self.columns = columns.map { max($0, 10) } ?? .max }

  var text: String { lines.joined(separator: "\n") }

  mutating func addBlank() { lines.append("") }

  mutating func add(_ line: String) { add(line, indent: 0, hanging: 2) }

  /// Lines that belong together, and can be broken elsewhere.
  mutating func add(paragraph: [String]) {
    guard paragraph.contains(where: { DisplayWidth.of($0) > columns }) else {
      lines += paragraph
      return
    }
    lines += WordWrap.lines(of: paragraph.joined(separator: " "), columns: columns)
  }

  /// What can be typed, which is broken at blanks as a shell would do.
  mutating func add(example: String) { add(example, indent: 2, hanging: 6) }

  /// Two columns; where there is no room for the second, it goes below.
  mutating func add(_ rows: [(form: String, text: String)], aligned width: Int) {
    let start = width + 4
    let isBeside = columns == .max || columns - start >= 30
    for (form, text) in rows {
      guard isBeside else {
        add(form, indent: 2, hanging: 4)
        add(text, indent: 6, hanging: 6)
        continue
      }
      let left = "  " + form + String(repeating: " ", count: start - 2 - form.count)
      for (index, part) in broken(text, columns == .max ? .max : columns - start).enumerated() {
        lines.append((index == 0 ? left : String(repeating: " ", count: start)) + part)
      }
    }
  }

  private mutating func add(_ text: String, indent: Int, hanging: Int) {
    let first = String(repeating: " ", count: indent)
    if columns == .max || DisplayWidth.of(text) + indent <= columns { return lines.append(first + text) }
    let parts = broken(text, max(4, columns - hanging))
    for (index, part) in parts.enumerated() {
      lines.append((index == 0 ? first : String(repeating: " ", count: hanging)) + part)
    }
  }

  private func broken(_ text: String, _ columns: Int) -> [String] {
    columns == .max ? [text] : WordWrap.lines(of: text, columns: columns)
  }
}
