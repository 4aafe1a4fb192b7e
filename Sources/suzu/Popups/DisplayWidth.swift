// SPDX-License-Identifier: Apache-2.0

/// The number of terminal columns that a text takes.
enum DisplayWidth {
  /// East Asian Width W and F from Unicode 16's EastAsianWidth.txt (https://www.unicode.org/reports/tr11/) in as few
  /// ranges as possible: unassigned gaps inside a block count as wide, and characters that are wide only as emoji are
  /// left to `isEmojiPresentation`.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
    0x3250...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
  ]

  static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value ? 0 : 1 }
    switch scalar.value {
    // Hangul vowels and finals join the initial before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    // A flag consists of two of these.
    case 0x1F1E6...0x1F1FF: return 1
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// An emoji sequence takes two columns; other characters take the sum of their scalars.
  static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    var sum = 0
    for scalar in character.unicodeScalars {
      if scalar.value == 0xFE0F || (scalar.value > 0x2000 && scalar.properties.isEmojiPresentation) { return 2 }
      sum += of(scalar)
    }
    return sum
  }

  static func of(_ text: some StringProtocol) -> Int {
    // A fast path for most text.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }
}

extension StringProtocol {
  /// The text if it fits into `columns`, otherwise its beginning and `mark`.
  func fitted(to columns: Int, mark: String) -> String {
    if DisplayWidth.of(self) <= columns { return String(self) }
    let markWidth = DisplayWidth.of(mark)
    guard columns >= markWidth else { return prefix(columns: columns) }
    return prefix(columns: columns - markWidth) + mark
  }

  func prefix(columns: Int) -> String {
    var result = ""
    var used = 0
    for character in self {
      used += DisplayWidth.of(character)
      if used > columns { break }
      result.append(character)
    }
    return result
  }

  /// The end of the text that fits.
  func suffix(columns: Int) -> String {
    var kept = 0
    var used = 0
    for character in reversed() {
      used += DisplayWidth.of(character)
      if used > columns { break }
      kept += 1
    }
    return String(suffix(kept))
  }
}
