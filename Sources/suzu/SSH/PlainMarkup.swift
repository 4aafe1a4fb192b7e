// SPDX-License-Identifier: Apache-2.0

/// Text with the small markup of notifications, without it: a terminal shows none.
enum PlainMarkup {
  private static let tags = ["b", "i", "u", "a", "img", "br"]
  private static let entities: [(name: String, text: String)] = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
  ]

  static func text(_ markup: String) -> String {
    var text = ""
    var rest = markup[...]
    while let next = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      text += rest[..<next]
      rest = rest[next...]
      if let end = endOfTag(rest) {
        rest = rest[end...]
      } else if let entity = entities.first(where: { rest.hasPrefix($0.name) }) {
        text += entity.text
        rest.removeFirst(entity.name.count)
      } else {
        text.append(rest.removeFirst())
      }
    }
    return text + rest
  }

  /// Where the tag ends that the text begins with; nil if it is none of the known ones.
  private static func endOfTag(_ text: Substring) -> Substring.Index? {
    guard text.first == "<", let close = text.prefix(2048).firstIndex(of: ">") else { return nil }
    let inside = text[text.index(after: text.startIndex)..<close].drop { $0 == "/" }
    guard tags.contains(inside.prefix { $0.isASCII && $0.isLetter }.lowercased()) else { return nil }
    return text.index(after: close)
  }
}
