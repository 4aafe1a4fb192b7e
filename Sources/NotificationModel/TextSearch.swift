// SPDX-License-Identifier: Apache-2.0

/// A search for a text in the id, title, subtitle and body of rows, whatever the case of its letters.
///
/// The time grows with the length of the texts alone: both may come from a program that wants to make it long.
package struct TextSearch: Sendable {
  /// The longest text to search for, in bytes.
  package static let longest = 1024

  private let pattern: [UInt8]
  /// Knuth, Morris and Pratt: how much of the pattern still fits if the next byte does not.
  private let shorter: [Int]

  /// Returns nil for an empty text, which is in every row.
  package init?(_ text: String) {
    pattern = Array(text.lowercased().utf8)
    if pattern.isEmpty { return nil }
    var shorter = [0]
    for byte in pattern.dropFirst() {
      var length = shorter[shorter.count - 1]
      while length > 0, pattern[length] != byte { length = shorter[length - 1] }
      shorter.append(pattern[length] == byte ? length + 1 : 0)
    }
    self.shorter = shorter
  }

  /// Whether the text is in one of the row's texts.
  package func finds(_ row: ListedRequest) -> Bool {
    [row.id, row.title].contains(where: finds)
      || ["subtitle", "body"].contains { key in
        if case .text(let text)? = row.words[key] { finds(text) } else { false }
      }
  }

  /// Whether the text is in another.
  package func finds(_ text: String) -> Bool {
    var length = 0
    for byte in text.lowercased().utf8 {
      while length > 0, pattern[length] != byte { length = shorter[length - 1] }
      if pattern[length] == byte { length += 1 }
      if length == pattern.count { return true }
    }
    return false
  }
}
