// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The buttons of a request after `suzu edit`: a button with a known id keeps what it does, unless it gets something
/// else to do, and so does the click on the notification itself.
struct EditedActions {
  private typealias Words = [String: PlainValue]

  private let old: [Words]
  /// Nil if the buttons do not change.
  private let new: [Words]?
  /// Whether the click gets a URL.
  private let hasNewURL: Bool

  init(_ request: [String: PlainValue], _ changes: [String: PlainValue]) {
    old = Self.list(request["actions"]) ?? []
    new = Self.list(changes["actions"])
    hasNewURL = changes["url"] != nil
  }

  private static let effects = ["run", "url", "launch", "http", "snooze"]
  private static let click = PlainValue.text(Action.defaultID)

  private static func list(_ value: PlainValue?) -> [Words]? {
    guard case .list(let values)? = value else { return nil }
    return values.compactMap { if case .dictionary(let words) = $0 { words } else { nil } }
  }

  /// Throws if a flag names a button that the request does not have.
  func apply(to request: inout [String: PlainValue]) throws(CommandError) {
    guard new != nil || hasNewURL else { return }
    let (oldClick, oldButtons) = (old.first { $0["id"] == Self.click }, old.filter { $0["id"] != Self.click })
    let newClick = new?.first { $0["id"] == Self.click }
    let newButtons = new?.filter { $0["id"] != Self.click } ?? []
    // Only --action gives titles, and replaces all buttons.
    let replaces = newButtons.contains { $0["title"] != nil }
    var actions = replaces ? newButtons.map(merged) : try changed(oldButtons, by: newButtons)
    if let newClick {
      actions.append(merged(newClick))
      // A click does one thing.
      if !hasNewURL, Self.hasEffect(newClick) { request["url"] = nil }
    } else if let oldClick, !hasNewURL {
      actions.append(oldClick)
    }
    request["actions"] = actions.isEmpty ? nil : .list(actions.map { .dictionary($0) })
  }

  private func changed(_ buttons: [Words], by changes: [Words]) throws(CommandError) -> [Words] {
    for change in changes where !buttons.contains(where: { $0["id"] == change["id"] }) {
      let ids: [String] = buttons.compactMap { if case .text(let id)? = $0["id"] { id } else { nil } }
      let known = ids.map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
      guard case .text(let id)? = change["id"] else { continue }
      throw .usage(
        "no button has the id '\(PrintableText.line(id, atMost: 60))'; "
          + (ids.isEmpty ? "the request has no buttons: add --action ID=TITLE" : "the request has \(known)"))
    }
    return buttons.map { button in changes.first { $0["id"] == button["id"] }.map(merged) ?? button }
  }

  private func merged(_ action: Words) -> Words {
    guard var words = old.first(where: { $0["id"] == action["id"] }) else { return action }
    if Self.hasEffect(action) { for key in Self.effects { words[key] = nil } }
    return words.merging(action) { $1 }
  }

  private static func hasEffect(_ action: Words) -> Bool { effects.contains { action[$0] != nil } }
}
