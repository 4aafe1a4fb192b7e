// SPDX-License-Identifier: Apache-2.0

/// Sanitizes untrusted text: the result cannot control a terminal or hide its direction.
///
/// Removes escape sequences (whole, so that no `[31m` remains), C0 and C1 control characters, bidi embeddings,
/// overrides and isolates (U+202A–202E, U+2066–2069; https://trojansource.codes), soft hyphens, which only some
/// terminals draw, and all but eight marks on one character.
enum PrintableText {
  /// Makes one line: breaks and tabs become spaces, and runs of spaces one.
  static func line(_ raw: String, atMost limit: Int) -> String {
    if isHarmlessLine(raw, atMost: limit) { return raw }
    var line = ""
    for character in clean(raw, atMost: limit) {
      if character != " " && character != "\n" {
        line.append(character)
      } else if !line.isEmpty && line.last != " " {
        line.append(" ")
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// A fast path for plain ASCII without blanks to collapse.
  private static func isHarmlessLine(_ raw: String, atMost limit: Int) -> Bool {
    guard raw.utf8.count <= limit else { return false }
    var last = UInt8(ascii: " ")
    for byte in raw.utf8 {
      guard 0x20..<0x7F ~= byte, byte != UInt8(ascii: " ") || last != byte else { return false }
      last = byte
    }
    return last != UInt8(ascii: " ") || raw.isEmpty
  }

  /// Makes several lines separated by `\n`; none at the end is empty.
  static func block(_ raw: String, atMost limit: Int) -> String {
    var block = clean(raw, atMost: limit)
    while let last = block.last, last == "\n" || last == " " { block.removeLast() }
    while block.first == "\n" { block.removeFirst() }
    return block
  }

  private static func clean(_ raw: String, atMost limit: Int) -> String {
    // Cut before removing escapes, so that a text of escapes alone costs no more than another.
    var scalars = raw.unicodeScalars.prefix(limit)
    var result = String.UnicodeScalarView()
    var marks = 0
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x1B:
        if let introducer = scalars.first, let end = endOfSequence(introducer, scalars.dropFirst()) {
          scalars = scalars[end...]
        }
      case 0x9B:
        if let end = endOfControlSequence(scalars) { scalars = scalars[end...] }
      case 0x0D:
        if scalars.first != "\n" { result.append("\n") }
      case 0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029: result.append("\n")
      case 0x09: result.append(" ")
      case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB, 0xFEFF: break
      default:
        marks = DisplayWidth.of(scalar) == 0 ? marks + 1 : 0
        if marks <= 8 { result.append(scalar) }
      }
    }
    if raw.unicodeScalars.dropFirst(limit).first != nil { result.append("…") }
    return String(result)
  }

  private typealias Rest = Substring.UnicodeScalarView

  /// The end of the sequence that begins with ESC and `introducer`; nil if it is none or has no end.
  private static func endOfSequence(_ introducer: Unicode.Scalar, _ rest: Rest) -> Rest.Index? {
    switch introducer {
    case "[": return endOfControlSequence(rest)
    case "]", "P", "X", "^", "_": return endOfString(rest)
    case "\u{20}"..."\u{2F}":
      let final = rest.firstIndex { !("\u{20}"..."\u{2F}" ~= $0) }
      return final.map { rest.index(after: $0) }
    case "\u{30}"..."\u{7E}": return rest.startIndex
    default: return nil
    }
  }

  private static func endOfControlSequence(_ rest: Rest) -> Rest.Index? {
    guard let final = rest.firstIndex(where: { !("\u{20}"..."\u{3F}" ~= $0) }) else { return rest.endIndex }
    return "\u{40}"..."\u{7E}" ~= rest[final] ? rest.index(after: final) : final
  }

  private static func endOfString(_ rest: Rest) -> Rest.Index? {
    guard let end = rest.firstIndex(where: { $0 == "\u{07}" || $0 == "\u{1B}" || $0 == "\u{9C}" }) else { return nil }
    let next = rest.index(after: end)
    // ESC \ ends a string; any other escape also ends it and begins a sequence of its own.
    if rest[end] == "\u{1B}" { return rest[next...].first == "\\" ? rest.index(after: next) : end }
    return next
  }
}
