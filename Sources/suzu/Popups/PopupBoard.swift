// SPDX-License-Identifier: Apache-2.0

/// The state of the screen, independent of clock and terminal.
///
/// Times are passed in as durations since any fixed moment; events are returned to the caller. The newest popup comes
/// first and is selected while the user is idle. A new popup never takes the selection from an active user, and after a
/// selection moved by itself keys are ignored for a moment: a key must not hit a popup that has just moved under it.
struct PopupBoard {
  struct Entry: Equatable {
    fileprivate(set) var popup: Popup
    fileprivate(set) var deadline: Duration?
  }

  /// The entries, newest first.
  private(set) var entries: [Entry] = []
  private(set) var selection: UInt32?
  /// The reply being typed; its popup is selected and does not expire meanwhile.
  private(set) var draft: ReplyDraft?
  /// Until when action keys are ignored, because the selection has just moved by itself.
  private var settling: Duration = .zero

  /// When the user was last active; nil if never.
  private var touched: Duration?

  /// The limit of open popups, which bounds memory.
  static let most = 1000
  /// About the time in which a user does not notice a change.
  static let reactionTime: Duration = .milliseconds(300)
  /// After this long without input the user counts as idle.
  static let attention: Duration = .seconds(5)

  var selected: Popup? { selection.flatMap { self[$0] } }
  var newest: Popup? { entries.first?.popup }

  subscript(id: UInt32) -> Popup? { position(of: id).map { entries[$0].popup } }

  /// When ``expire(at:)`` must be called next; nil if no popup expires.
  var nextDeadline: Duration? {
    entries.lazy.filter { $0.popup.id != draft?.id }.compactMap(\.deadline).min()
  }

  private func position(of id: UInt32) -> Int? { entries.firstIndex { $0.popup.id == id } }

  // MARK: Sender

  /// Adds `popup` on top, or replaces the one with its id; its lifetime begins again. Beyond ``most`` the oldest one
  /// expires.
  @discardableResult mutating func show(_ popup: Popup, at now: Duration) -> [PopupEvent] {
    let entry = Entry(popup: popup, deadline: popup.lifetime.map { now + $0 })
    if let position = position(of: popup.id) {
      entries[position] = entry
      if draft?.id == popup.id && popup.reply == nil { draft = nil }
    } else {
      entries.insert(entry, at: 0)
      let isIdle = draft == nil && (touched.map { now - $0 >= Self.attention } ?? true)
      if selection == nil {
        selection = popup.id
      } else if isIdle {
        selection = popup.id
        settling = now + Self.reactionTime
      }
    }
    guard entries.count > Self.most, let oldest = entries.last(where: { $0.popup.id != draft?.id }) else { return [] }
    return remove(oldest.popup.id, .expired, unaskedAt: now)
  }

  /// Closes a popup for its sender; an unknown id is ignored.
  mutating func close(_ id: UInt32, at now: Duration) -> [PopupEvent] {
    remove(id, .withdrawn, unaskedAt: now)
  }

  /// Closes expired popups.
  mutating func expire(at now: Duration) -> [PopupEvent] {
    let due = entries.filter { $0.popup.id != draft?.id && ($0.deadline.map { $0 <= now } ?? false) }
    // Oldest first, as if they had expired one by one.
    return due.reversed().flatMap { remove($0.popup.id, .expired, unaskedAt: now) }
  }

  // MARK: User

  mutating func invoke(_ action: Popup.Action, of id: UInt32) -> [PopupEvent] {
    guard let popup = self[id] else { return [] }
    let invoked = PopupEvent.invoked(id, key: action.key)
    return popup.isResident ? [invoked] : [invoked] + dismiss(id)
  }

  /// A click on the notification itself: invokes its default action, or dismisses it.
  mutating func open(_ id: UInt32) -> [PopupEvent] {
    guard let click = self[id]?.click else { return dismiss(id) }
    return invoke(click, of: id)
  }

  mutating func reply(_ text: String, to id: UInt32, at now: Duration) -> [PopupEvent] {
    guard let popup = self[id], popup.reply != nil else { return [] }
    if draft?.id == id { endReply(at: now) }
    let replied = PopupEvent.replied(id, text: text)
    return popup.isResident ? [replied] : [replied] + dismiss(id)
  }

  mutating func dismiss(_ id: UInt32) -> [PopupEvent] {
    remove(id, .dismissed, unaskedAt: nil)
  }

  mutating func dismissAll() -> [PopupEvent] {
    entries.map(\.popup.id).flatMap { dismiss($0) }
  }

  mutating func select(_ id: UInt32) {
    guard draft == nil, self[id] != nil else { return }
    selection = id
    settling = .zero
  }

  /// Moves the selection by `steps` towards older popups; stops at either end.
  mutating func moveSelection(by steps: Int) {
    guard draft == nil, let position = selection.flatMap({ position(of: $0) }) else { return }
    selection = entries[min(max(position + steps, 0), entries.count - 1)].popup.id
  }

  /// Like ``moveSelection(by:)``, but wraps around.
  mutating func cycleSelection(by steps: Int) {
    guard draft == nil, let position = selection.flatMap({ position(of: $0) }) else { return }
    selection = entries[(position + steps + entries.count) % entries.count].popup.id
  }

  /// Records user activity.
  mutating func touch(at now: Duration) { touched = now }

  /// Whether input is meant for the currently selected popup.
  func isSettled(at now: Duration) -> Bool { now >= settling }

  // MARK: Replies

  mutating func beginReply(to id: UInt32) {
    guard draft == nil, self[id]?.reply != nil else { return }
    selection = id
    draft = ReplyDraft(id: id)
  }

  mutating func editReply(_ edit: (inout ReplyDraft) -> Void) {
    if draft != nil { edit(&draft!) }  // tested in the same line
  }

  /// Discards the reply and restarts the popup's lifetime.
  mutating func endReply(at now: Duration) {
    guard let id = draft?.id else { return }
    draft = nil
    if let position = position(of: id) {
      entries[position].deadline = entries[position].popup.lifetime.map { now + $0 }
    }
  }

  // MARK: Removal

  /// `now` is nil if the user closed the popup: then the selection moves as expected.
  private mutating func remove(_ id: UInt32, _ reason: PopupCloseReason, unaskedAt now: Duration?) -> [PopupEvent] {
    guard let position = position(of: id) else { return [] }
    entries.remove(at: position)
    if draft?.id == id { draft = nil }
    if selection == id {
      // Select the next older one; at the end, the one above.
      selection = entries.isEmpty ? nil : entries[min(position, entries.count - 1)].popup.id
      if let now, selection != nil { settling = now + Self.reactionTime }
    }
    return [.closed(id, reason)]
  }
}
