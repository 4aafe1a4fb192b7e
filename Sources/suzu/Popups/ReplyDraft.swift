// SPDX-License-Identifier: Apache-2.0

/// A reply being typed.
struct ReplyDraft: Equatable {
  let id: UInt32
  private(set) var text = ""
  /// The position in characters.
  private(set) var cursor = 0

  static let longest = 4000

  init(id: UInt32) { self.id = id }

  var beforeCursor: Substring { text.prefix(cursor) }
  var afterCursor: Substring { text.dropFirst(cursor) }

  /// Inserts typed or pasted text, without line breaks and control characters.
  mutating func insert(_ raw: String) {
    // Keep a typed space, which the sanitizer would trim at the end.
    let clean = raw == " " ? raw : PrintableText.line(raw, atMost: Self.longest)
    guard text.count + clean.count <= Self.longest else { return }
    let before = beforeCursor + clean
    let after = afterCursor
    // Count again: a combining mark joins the character before it.
    cursor = before.count
    text = String(before + after)
    cursor = min(cursor, text.count)
  }

  mutating func edit(_ key: TerminalKey) {
    switch key {
    case .left: cursor = max(cursor - 1, 0)
    case .right: cursor = min(cursor + 1, text.count)
    case .home: cursor = 0
    case .end: cursor = text.count
    case .backspace: erase(from: cursor - 1)
    case .delete: text = String(beforeCursor + afterCursor.dropFirst())
    case .control("u"): erase(from: 0)
    case .control("w"): erase(from: startOfWord)
    case .control("a"): cursor = 0
    case .control("e"): cursor = text.count
    default: break
    }
  }

  private var startOfWord: Int {
    let rest = beforeCursor.reversed().drop { $0 == " " }.drop { $0 != " " }
    return rest.count
  }

  private mutating func erase(from start: Int) {
    guard start >= 0 else { return }
    let after = afterCursor
    text = String(text.prefix(start) + after)
    cursor = min(start, text.count)
  }
}
