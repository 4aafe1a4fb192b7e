// SPDX-License-Identifier: Apache-2.0

/// A text with the small markup of notification servers, made safe to display: bold, italic and underlined stay, every
/// other tag is removed and leaves its text, and everything else is plain text.
///
/// The markup that is sent is generated from what was parsed, so that nothing unbalanced or unknown reaches a server.
struct Markup {
  private enum Piece {
    case text(String)
    case begin(Style)
    case end(Style)
  }

  private enum Style: String {
    case bold = "b"
    case italic = "i"
    case underlined = "u"
  }

  private var pieces: [Piece] = []

  init(_ source: String) {
    var open: [Style] = []
    let limit = DisplayText.longestText
    let isLong = source.utf8.count > limit
    let bounded = isLong ? String(decoding: source.utf8.prefix(limit), as: UTF8.self) + "…" : source
    var rest = bounded[...]
    var text = ""
    func flush(_ pieces: inout [Piece]) {
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
    }
    while let character = rest.first {
      if character == "<", let tag = Self.tag(in: rest) {
        rest = rest[tag.end...]
        if tag.name == "br" { text += "\n" }
        guard let style = Style(rawValue: tag.name) else { continue }
        flush(&pieces)
        if !tag.isEnd {
          open.append(style)
          pieces.append(.begin(style))
        } else if let index = open.lastIndex(of: style) {
          // Inner tags that are still open end with it.
          for inner in open[index...].reversed() { pieces.append(.end(inner)) }
          open.removeSubrange(index...)
        }
      } else if character == "&", let entity = Self.entity(in: rest) {
        text.unicodeScalars.append(entity.scalar)
        rest = rest[entity.end...]
      } else {
        text.append(character)
        rest.removeFirst()
      }
    }
    flush(&pieces)
    for style in open.reversed() { pieces.append(.end(style)) }
  }

  /// The text without tags, for servers without markup.
  var plain: String {
    pieces.reduce(into: "") { text, piece in
      if case .text(let part) = piece { text += part }
    }
  }

  /// The text with escaped markup, for servers that read it.
  var escaped: String {
    pieces.reduce(into: "") { text, piece in
      switch piece {
      case .text(let part): text += DisplayText.escaped(DisplayText.text(part))
      case .begin(let style): text += "<\(style.rawValue)>"
      case .end(let style): text += "</\(style.rawValue)>"
      }
    }
  }

  // MARK: Reading

  /// A longer tag is treated as text.
  private static let longestTag = 2048

  /// Parses `<name …>`, `</name>` or `<name/>`; returns nil if it is only a character.
  private static func tag(in text: Substring) -> (name: String, isEnd: Bool, end: Substring.Index)? {
    var inside = text.dropFirst()
    let isEnd = inside.first == "/"
    if isEnd { inside.removeFirst() }
    let name = inside.prefix { $0.isASCII && $0.isLetter }
    guard !name.isEmpty, name.count <= 16 else { return nil }
    inside = inside[name.endIndex...]
    guard let next = inside.first, next == ">" || next == "/" || next.isWhitespace else { return nil }
    // A quoted value may contain the character that ends a tag.
    var quote: Character?
    for index in inside.prefix(longestTag).indices {
      let character = inside[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == ">" {
        return (name.lowercased(), isEnd, inside.index(after: index))
      } else if character == "<" {
        return nil
      }
    }
    return nil
  }

  private static let names: [Substring: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
  ]

  /// Parses `&amp;`, `&#65;` or `&#x41;`.
  private static func entity(in text: Substring) -> (scalar: Unicode.Scalar, end: Substring.Index)? {
    let inside = text.dropFirst().prefix(10)
    guard let semicolon = inside.firstIndex(of: ";") else { return nil }
    let name = inside[..<semicolon]
    let end = inside.index(after: semicolon)
    if let scalar = names[name] { return (scalar, end) }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let isHex = digits.first == "x" || digits.first == "X"
    let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { ($0, end) }
  }
}
