// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The buttons of a request after `suzu edit`: a button with a known id keeps what it does, unless it gets something else
/// to do, and so does the click on the notification itself.
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

  private static let effects = ["run", "url", "launch", "snooze"]
  private static let click = PlainValue.text(Action.defaultID)

  private static func list(_ value: PlainValue?) -> [Words]? {
    guard case .list(let values)? = value else { return nil }
    return values.compactMap { if case .dictionary(let words) = $0 { words } else { nil } }
  }

  func apply(to request: inout [String: PlainValue]) {
    guard new != nil || hasNewURL else { return }
    let (oldClick, oldButtons) = (old.first { $0["id"] == Self.click }, old.filter { $0["id"] != Self.click })
    let newClick = new?.first { $0["id"] == Self.click }
    let newButtons = new?.filter { $0["id"] != Self.click } ?? []
    // The flags of the click alone leave the buttons.
    var actions = newButtons.isEmpty ? oldButtons : newButtons.map(merged)
    if let newClick {
      actions.append(merged(newClick))
      // A click does one thing.
      if !hasNewURL, Self.hasEffect(newClick) { request["url"] = nil }
    } else if let oldClick, !hasNewURL {
      actions.append(oldClick)
    }
    request["actions"] = actions.isEmpty ? nil : .list(actions.map { .dictionary($0) })
  }

  private func merged(_ action: Words) -> Words {
    guard var words = old.first(where: { $0["id"] == action["id"] }) else { return action }
    if Self.hasEffect(action) { for key in Self.effects { words[key] = nil } }
    return words.merging(action) { $1 }
  }

  private static func hasEffect(_ action: Words) -> Bool { effects.contains { action[$0] != nil } }
}
