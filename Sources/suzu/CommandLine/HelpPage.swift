// SPDX-License-Identifier: Apache-2.0

/// Help text wrapped for a terminal of any width; nothing is cut.
struct HelpPage {
  private let columns: Int
  private var lines: [String] = []

  /// - Parameter columns: the width; nil for no wrapping.
  init(columns: Int?) { self.columns = columns.map { max($0, 10) } ?? .max }

  var text: String { lines.joined(separator: "\n") }

  mutating func addBlank() { lines.append("") }

  mutating func add(_ line: String) { add(line, indent: 0, hanging: 2) }

  /// Adds a paragraph: its lines stay as they are if they fit, and are rewrapped otherwise.
  mutating func add(paragraph: [String]) {
    guard paragraph.contains(where: { DisplayWidth.of($0) > columns }) else {
      lines += paragraph
      return
    }
    lines += WordWrap.lines(of: paragraph.joined(separator: " "), columns: columns)
  }

  /// Adds an example. One that is too long goes on behind a backslash, so that a shell takes all of its lines as one
  /// command, and the remark in parentheses gets a line of its own.
  mutating func add(example: String) {
    let remark = example.firstMatch(of: /\ {2,}(\(.*\))$/)
    let command = remark.map { String(example[..<$0.range.lowerBound]) } ?? example
    guard columns != .max, DisplayWidth.of(example) + 2 > columns,
      let lines = ExampleWrap(columns: columns).lines(of: command)
    else {
      return add(example, indent: 2, hanging: 6)
    }
    self.lines += lines
    if let remark { add(String(remark.1), indent: 6, hanging: 6) }
  }

  /// Adds rows of two columns; the second moves below the first if there is no room.
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
