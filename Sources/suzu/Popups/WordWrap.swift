// SPDX-License-Identifier: Apache-2.0

/// Breaks text into lines of a width: at spaces, between wide characters (CJK has no spaces), and in the middle of a
/// word only where the word alone is longer than a line.
struct WordWrap {
  private let columns: Int
  private let most: Int
  private var lines: [String] = []
  private var line = ""
  private var lineWidth = 0
  private var word = ""
  private var wordWidth = 0
  /// Spaces between the line and the word; they vanish at a break.
  private var gap = 0

  /// At most `most` lines; more is not even looked at.
  static func lines(of text: String, columns: Int, most: Int = .max) -> [String] {
    guard !text.isEmpty, most > 0 else { return [] }
    var wrap = WordWrap(columns: max(columns, 1), most: most)
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      wrap.add(paragraph)
      if wrap.isFull { break }
    }
    return Array(wrap.lines.prefix(most))
  }

  private init(columns: Int, most: Int) {
    self.columns = columns
    self.most = most
  }

  private var isFull: Bool { lines.count >= most }

  private mutating func add(_ paragraph: Substring) {
    for character in paragraph {
      let width = DisplayWidth.of(character)
      if character == " " {
        endWord()
        gap += 1
      } else if width == 2 {
        endWord()
        append(character, width)
        endWord()
      } else {
        append(character, width)
      }
      if isFull { return }
    }
    endWord()
    endLine()
  }

  private mutating func append(_ character: Character, _ width: Int) {
    // A character wider than the whole line has no place at all.
    guard width <= columns else { return }
    if wordWidth + width > columns { endWord() }
    word.append(character)
    wordWidth += width
  }

  private mutating func endWord() {
    guard !word.isEmpty else { return }
    if lineWidth + gap + wordWidth > columns {
      if lineWidth > 0 { endLine() }
      gap = min(gap, columns - wordWidth)
    }
    line += String(repeating: " ", count: gap) + word
    lineWidth += gap + wordWidth
    (word, wordWidth, gap) = ("", 0, 0)
  }

  private mutating func endLine() {
    lines.append(line)
    (line, lineWidth, gap) = ("", 0, 0)
  }
}
