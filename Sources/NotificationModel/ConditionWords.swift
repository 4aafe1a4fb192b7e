// SPDX-License-Identifier: Apache-2.0

/// The words of the line of a condition, read from its front. Errors name the column.
struct ConditionWords {
  /// A part between blanks, or in quotes.
  struct Word {
    let text: String
    let column: Int
    let isQuoted: Bool
  }

  /// Words with a meaning of their own; names that are equal to them need quotes.
  static let reserved: Set<String> = ["for", "changes", "from", "at"]
  /// Far longer than real conditions.
  static let longest = 4096

  private var words: ArraySlice<Word>
  /// The column behind the last word.
  private let end: Int

  init(_ line: String) throws(RequestError) {
    guard line.utf8.count <= Self.longest else {
      throw RequestError("", "must have at most \(Self.longest) bytes")
    }
    // A mark that combines with a blank or a quote before it must not hide that.
    let letters = Array(line.unicodeScalars)
    var words: [Word] = []
    var index = 0
    while index < letters.count {
      if letters[index].properties.isWhitespace {
        index += 1
        continue
      }
      let start = index
      let word = try Self.word(letters, &index)
      words.append(Word(text: word.text, column: start + 1, isQuoted: word.isQuoted))
    }
    self.words = words[...]
    end = letters.count + 1
  }

  /// Quotes may begin and end within a word, as in a shell: `arg0='a b'`.
  private static func word(
    _ letters: [Unicode.Scalar], _ index: inout Int
  ) throws(RequestError) -> (text: String, isQuoted: Bool) {
    var text = String.UnicodeScalarView()
    var isQuoted = false
    while index < letters.count, !letters[index].properties.isWhitespace {
      let letter = letters[index]
      guard letter == "'" || letter == "\"" else {
        text.append(letter)
        index += 1
        continue
      }
      isQuoted = true
      let start = index
      index += 1
      while true {
        guard index < letters.count else {
          throw RequestError("", "has an open quote (column \(start + 1)); close it with \(letter)")
        }
        if letters[index] == letter { break }
        if letter == "\"", letters[index] == "\\", index + 1 < letters.count { index += 1 }
        text.append(letters[index])
        index += 1
      }
      index += 1
    }
    return (String(text), isQuoted)
  }

  // MARK: Taking

  var isEmpty: Bool { words.isEmpty }
  var next: Word? { words.first }
  /// Where the next word is, or would be.
  var column: Int { words.first?.column ?? end }

  mutating func take() -> Word? { words.popFirst() }

  /// Takes the next word if it is this one, without quotes.
  mutating func take(_ text: String) -> Bool {
    guard let word = words.first, !word.isQuoted, word.text == text else { return false }
    words.removeFirst()
    return true
  }

  /// Takes a name.
  mutating func name(_ what: String, example: String) throws(RequestError) -> String {
    guard let word = words.first, word.isQuoted || word.text != "for" else { throw missing(what, example: example) }
    words.removeFirst()
    guard !word.text.isEmpty else { throw Self.error("has an empty name", at: word.column, example: example) }
    guard !word.text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
      throw Self.error("must not contain control characters", at: word.column)
    }
    return word.text
  }

  func missing(_ what: String, example: String) -> RequestError {
    Self.error("lacks \(what)", at: column, example: example)
  }

  /// The error for words that do not belong to the condition.
  func checkEnd(example: String) throws(RequestError) {
    guard let more = words.first else { return }
    throw Self.error(
      "has an unexpected \(more.text.quoted)", at: more.column, "put a name with blanks in quotes, as in \"\(example)\""
    )
  }

  static func error(_ problem: String, at column: Int, _ advice: String? = nil) -> RequestError {
    RequestError("", "\(problem) (column \(column))" + (advice.map { "; \($0)" } ?? ""))
  }

  static func error(_ problem: String, at column: Int, example: String) -> RequestError {
    error(problem, at: column, "for example \"\(example)\"")
  }
}
