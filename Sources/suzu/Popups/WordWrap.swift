// SPDX-License-Identifier: Apache-2.0

/// Wraps text at spaces, between wide characters (CJK has no spaces), and inside a word only if the word is longer than
/// a line.
struct WordWrap {
  private let columns: Int
  private let most: Int
  private var lines: [String] = []
  private var line = ""
  private var lineWidth = 0
  private var word = ""
  private var wordWidth = 0
  /// Pending spaces before the word; dropped at a break.
  private var gap = 0

  /// Wraps into at most `most` lines; the rest is not processed.
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
    // Skip characters wider than the whole line.
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
