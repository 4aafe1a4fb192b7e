// SPDX-License-Identifier: Apache-2.0

extension PopupBoard {
  /// The effect of a key.
  enum Reaction: Equatable {
    case events([PopupEvent])
    case redraw
    case quit
  }

  /// Handles `key`; ``PopupFrame/help(for:columns:theme:)`` shows the keys to the user.
  mutating func press(_ key: TerminalKey, at now: Duration) -> Reaction {
    touch(at: now)
    if draft != nil { return answer(key, at: now) }
    switch key {
    case .text("q"), .control("c"), .control("d"): return .quit
    case .control("l"): return .redraw
    case .up, .text("k"), .wheelUp: moveSelection(by: -1)
    case .down, .text("j"), .wheelDown: moveSelection(by: 1)
    case .tab: cycleSelection(by: 1)
    case .backTab: cycleSelection(by: -1)
    case .home, .pageUp: moveSelection(by: -entries.count)
    case .end, .pageDown: moveSelection(by: entries.count)
    // Closing all needs no settled selection.
    case .text("D"): return .events(dismissAll())
    default:
      guard let id = selection, isSettled(at: now) else { break }
      return .events(act(key, on: id))
    }
    return .events([])
  }

  private mutating func act(_ key: TerminalKey, on id: UInt32) -> [PopupEvent] {
    switch key {
    case .enter: return open(id)
    case .escape, .text("d"), .text("x"): return dismiss(id)
    case .text("r"): beginReply(to: id)
    case .text(let scalar):
      guard let button = self[id]?.button(digit: scalar) else { break }
      return invoke(button, of: id)
    default: break
    }
    return []
  }

  private mutating func answer(_ key: TerminalKey, at now: Duration) -> Reaction {
    switch key {
    case .escape, .control("c"), .control("d"): endReply(at: now)
    case .control("l"): return .redraw
    case .enter:
      guard let draft, draft.text.contains(where: { $0 != " " }) else { break }
      return .events(reply(draft.text, to: draft.id, at: now))
    case .text(let scalar): editReply { $0.insert(String(scalar)) }
    case .paste(let text): editReply { $0.insert(text) }
    default: editReply { $0.edit(key) }
    }
    return .events([])
  }

  /// Handles a click on `element` of popup `id`, according to the visible frame.
  mutating func click(_ element: PopupFrame.Element, of id: UInt32, at now: Duration) -> [PopupEvent] {
    touch(at: now)
    guard let popup = self[id] else { return [] }
    // A click elsewhere must not discard the reply being typed.
    if let draft, draft.id != id || element == .body || element == .reply { return [] }
    switch element {
    case .close: return dismiss(id)
    case .body: return open(id)
    case .reply: beginReply(to: id)
    case .button(let index):
      guard popup.buttons.indices.contains(index) else { break }
      return invoke(popup.buttons[index], of: id)
    }
    return []
  }
}

extension Popup {
  /// The buttons 1 to 9, and 0 for the tenth.
  func button(digit: Unicode.Scalar) -> Action? {
    guard "0"..."9" ~= digit else { return nil }
    let index = digit == "0" ? 9 : Int(digit.value) - 0x31
    return buttons.indices.contains(index) ? buttons[index] : nil
  }
}
