// SPDX-License-Identifier: Apache-2.0

/// What is on the screen and what happens to it: a value that knows neither clock nor terminal.
///
/// Time is handed in, as a duration since any fixed moment; events are handed back, for the caller to tell. The newest
/// popup comes first, and is the selected one while nobody touches anything. It takes the selection from no user who
/// is at it, and for a moment after it did no key acts: who is about to press one must not hit what has just slipped
/// under it.
struct PopupBoard {
  struct Entry: Equatable {
    fileprivate(set) var popup: Popup
    fileprivate(set) var deadline: Duration?
  }

  /// The newest first.
  private(set) var entries: [Entry] = []
  private(set) var selection: UInt32?
  /// The answer that is being typed; its popup is the selected one, and does not expire meanwhile.
  private(set) var draft: ReplyDraft?
  /// Until when keys that act are ignored, because the selection has just moved by itself.
  private var settling: Duration = .zero

  /// When the user last did something; nil: not yet.
  private var touched: Duration?

  /// A server that nobody looks at must not grow for ever.
  static let most = 1000
  /// About the time in which nobody notices that something moved.
  static let reactionTime: Duration = .milliseconds(300)
  /// After so long without a key nobody is at it.
  static let attention: Duration = .seconds(5)

  var selected: Popup? { selection.flatMap { self[$0] } }
  var newest: Popup? { entries.first?.popup }

  subscript(id: UInt32) -> Popup? { position(of: id).map { entries[$0].popup } }

  /// When ``expire(at:)`` has something to do; nil: not before something else happens.
  var nextDeadline: Duration? {
    entries.lazy.filter { $0.popup.id != draft?.id }.compactMap(\.deadline).min()
  }

  private func position(of id: UInt32) -> Int? { entries.firstIndex { $0.popup.id == id } }

  // MARK: The sender's side

  /// Adds `popup` on top, or puts it in the place of the one with its id; its time begins anew either way.
  /// Beyond ``most`` the oldest has had its time.
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

  /// The sender calls its popup back; an id that is not open is no event.
  mutating func close(_ id: UInt32, at now: Duration) -> [PopupEvent] {
    remove(id, .withdrawn, unaskedAt: now)
  }

  /// Closes what has had its time.
  mutating func expire(at now: Duration) -> [PopupEvent] {
    let due = entries.filter { $0.popup.id != draft?.id && ($0.deadline.map { $0 <= now } ?? false) }
    // The oldest first, as they would have gone one by one.
    return due.reversed().flatMap { remove($0.popup.id, .expired, unaskedAt: now) }
  }

  // MARK: The user's side

  mutating func invoke(_ action: Popup.Action, of id: UInt32) -> [PopupEvent] {
    guard let popup = self[id] else { return [] }
    let invoked = PopupEvent.invoked(id, key: action.key)
    return popup.isResident ? [invoked] : [invoked] + dismiss(id)
  }

  /// A click on the notification itself: what it offers for that, else it goes.
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

  /// By `steps` towards the older ones; stops at either end.
  mutating func moveSelection(by steps: Int) {
    guard draft == nil, let position = selection.flatMap({ position(of: $0) }) else { return }
    selection = entries[min(max(position + steps, 0), entries.count - 1)].popup.id
  }

  /// As ``moveSelection(by:)``, but goes round.
  mutating func cycleSelection(by steps: Int) {
    guard draft == nil, let position = selection.flatMap({ position(of: $0) }) else { return }
    selection = entries[(position + steps + entries.count) % entries.count].popup.id
  }

  /// The user is at it.
  mutating func touch(at now: Duration) { touched = now }

  /// Whether what the user presses now is meant for the popup that is selected now.
  func isSettled(at now: Duration) -> Bool { now >= settling }

  // MARK: Answering

  mutating func beginReply(to id: UInt32) {
    guard draft == nil, self[id]?.reply != nil else { return }
    selection = id
    draft = ReplyDraft(id: id)
  }

  mutating func editReply(_ edit: (inout ReplyDraft) -> Void) {
    if draft != nil { edit(&draft!) }  // tested in the same line
  }

  /// Gives the answer up; the time of its popup, which had stood still, begins anew.
  mutating func endReply(at now: Duration) {
    guard let id = draft?.id else { return }
    draft = nil
    if let position = position(of: id) {
      entries[position].deadline = entries[position].popup.lifetime.map { now + $0 }
    }
  }

  // MARK: Leaving

  /// `now` is nil where the user asked for it: then the selection moves as expected.
  private mutating func remove(_ id: UInt32, _ reason: PopupCloseReason, unaskedAt now: Duration?) -> [PopupEvent] {
    guard let position = position(of: id) else { return [] }
    entries.remove(at: position)
    if draft?.id == id { draft = nil }
    if selection == id {
      // The next older one moves into its place; at the end, the one above.
      selection = entries.isEmpty ? nil : entries[min(position, entries.count - 1)].popup.id
      if let now, selection != nil { settling = now + Self.reactionTime }
    }
    return [.closed(id, reason)]
  }
}
