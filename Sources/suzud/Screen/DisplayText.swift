// SPDX-License-Identifier: Apache-2.0

/// Makes text from outside safe to display: removes characters that could control or deceive a display.
enum DisplayText {
  /// The longest headline and the longest text sent to a server, in bytes.
  static let longestLine = 1024
  static let longestText = 16384

  /// One line: a headline or a label.
  static func line(_ text: String) -> String {
    if isLine(text) { return text }
    let words = clean(bounded(text, to: longestLine)).split { $0 == "\n" || $0 == " " }
    return cut(words.joined(separator: " "), to: longestLine)
  }

  /// Several lines.
  static func text(_ text: String) -> String {
    cut(clean(bounded(text, to: longestText)), to: longestText)
  }

  /// Escapes the three markup characters, for servers that read markup.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
    else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether the text needs no change, which is nearly always so.
  private static func isLine(_ text: String) -> Bool {
    var last = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard isPlain(byte), byte != UInt8(ascii: " ") || byte != last else { return false }
      last = byte
    }
    return last != UInt8(ascii: " ") && text.utf8.count <= longestLine
  }

  private static func isPlain(_ byte: UInt8) -> Bool { 0x20..<0x7f ~= byte }

  /// The beginning of a text that is much longer than what is displayed of it, so that the rest costs no time.
  private static func bounded(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit * 4 else { return text }
    return String(decoding: text.utf8.prefix(limit * 4), as: UTF8.self)
  }

  private static func clean(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var result = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0d: result.append("\n")
      case 0x0a where wasReturn: break
      case 0x0a: result.append(scalar)
      case 0x2028, 0x2029: result.append("\n")  // a line's or paragraph's end, which Pango breaks at
      case 0x09: result.append(" ")
      case 0..<0x20, 0x7f..<0xa0: break  // control characters
      case 0x202a...0x202e, 0x2066...0x2069: break  // overrides of the writing direction: they make text read backwards
      default: result.append(scalar)
      }
      wasReturn = scalar.value == 0x0d
    }
    return String(result)
  }

  /// Cuts to `limit` bytes after a whole character, with an ellipsis.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    // Finding whole characters takes long; each plain byte is one. The byte behind the cut belongs to no character
    // before it either.
    if text.utf8.prefix(limit - 2).allSatisfy(isPlain) {
      return String(decoding: text.utf8.prefix(limit - 3), as: UTF8.self) + "…"
    }
    var result = ""
    var count = 3  // the ellipsis
    for character in text {
      count += character.utf8.count
      if count > limit { break }
      result.append(character)
    }
    return result + "…"
  }
}
