// SPDX-License-Identifier: Apache-2.0

/// Breaks a command line between its words, so that a shell reads the lines as the same command.
struct ExampleWrap {
  let columns: Int

  private static let indent = "  "
  private static let hanging = "      "
  private static let continuation = " \\"

  /// The lines, indented; nil if a word is too long for one.
  func lines(of command: String) -> [String]? {
    var lines: [String] = []
    var line = Self.indent
    var isStart = true
    for word in Self.words(of: command) {
      if !isStart, DisplayWidth.of(line + " " + word + Self.continuation) > columns {
        lines.append(line + Self.continuation)
        (line, isStart) = (Self.hanging, true)
      }
      line += (isStart ? "" : " ") + word
      isStart = false
      if DisplayWidth.of(line + Self.continuation) > columns { return nil }
    }
    return lines + [line]
  }

  /// The words with their quotes: blanks in quotes, or behind a backslash, divide none.
  private static func words(of command: String) -> [String] {
    var words = [""]
    var quote: Character?
    var isEscaped = false
    for character in command {
      if character == " ", quote == nil, !isEscaped {
        words.append("")
        continue
      }
      words[words.count - 1].append(character)
      if isEscaped {
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
