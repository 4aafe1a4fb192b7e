// SPDX-License-Identifier: Apache-2.0

/// An answer while it is being typed.
struct ReplyDraft: Equatable {
  let id: UInt32
  private(set) var text = ""
  /// In characters from the start.
  private(set) var cursor = 0

  static let longest = 4000

  init(id: UInt32) { self.id = id }

  var beforeCursor: Substring { text.prefix(cursor) }
  var afterCursor: Substring { text.dropFirst(cursor) }

  /// Typed or pasted text; what could steer the terminal, and every line break, is taken out.
  mutating func insert(_ raw: String) {
    // A space that is typed at the end of the text is no ragged edge: keep what the cleaning of whole texts trims.
    let clean = raw == " " ? raw : PrintableText.line(raw, atMost: Self.longest)
    guard text.count + clean.count <= Self.longest else { return }
    let before = beforeCursor + clean
    let after = afterCursor
    // Counted anew: a combining mark joins the character before it.
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
