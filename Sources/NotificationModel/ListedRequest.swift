// SPDX-License-Identifier: Apache-2.0

/// A request in a listing, or one of its dates, with its state and outcome. The center writes it, and clients read it.
///
/// Dates are RFC 3339 with an offset.
public struct ListedRequest: Hashable, Sendable {
  /// All values from the center, including ones that are newer than this library.
  public internal(set) var words: [String: PlainValue]

  /// A request's state; new states may come.
  public struct State: RawRepresentable, Hashable, Sendable {
    /// The state's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its date is in the future.
    public static let pending = State(rawValue: "pending")
    /// Its date has come, and the notification server has not accepted it yet.
    public static let due = State(rawValue: "due")
    /// The notification server accepted it.
    public static let delivered = State(rawValue: "delivered")
    /// It left the screen without an answer, and will be shown again.
    public static let unanswered = State(rawValue: "unanswered")
    /// The notification is closed.
    public static let closed = State(rawValue: "closed")
    /// It was too late to be shown.
    public static let expired = State(rawValue: "expired")
    /// Its date passed while it could not be shown, and it does not make up for missed dates.
    public static let skipped = State(rawValue: "skipped")
    /// It is part of a digest.
    public static let folded = State(rawValue: "folded")
    /// The notification server rejected it.
    public static let failed = State(rawValue: "failed")
  }

  /// What holds a request that is due, or has held it; new values may come.
  public struct Holder: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The user's quiet hours, or *Do not disturb* of the desktop.
    public static let quiet = Holder(rawValue: "quiet")
    /// The times of day at which the notifications of its app come.
    public static let delivery = Holder(rawValue: "deliver")
    /// The user was away.
    public static let away = Holder(rawValue: "away")
  }

  /// One time that a request was shown.
  public struct Showing: Hashable, Sendable {
    /// When that was.
    public let at: String
    /// How many steps of `escalate` had come.
    public let step: Int

    package init(at: String, step: Int) {
      self.at = at
      self.step = step
    }
  }

  /// Makes a value from one row of a listing.
  public init(_ words: [String: PlainValue]) { self.words = words }

  /// Makes a row. `request` has the keys of the request as it was made; nil if the reader may not see it.
  package init(app: String, id: String, request: [String: PlainValue]?, state: State) {
    words = request ?? ["app": .text(app)]
    words["id"] = .text(id)
    self[.state] = state.rawValue
  }

  /// The app that it belongs to.
  public var app: String { text("app") ?? NotificationRequest.defaultApp }
  /// The id within its app.
  public var id: String { text("id") ?? "" }
  /// Its headline.
  public var title: String { text("title") ?? "" }
  /// The current state.
  public package(set) var state: State {
    get { State(rawValue: self[.state] ?? "") }
    set { self[.state] = newValue.rawValue }
  }
  /// The next date of a pending request; nil if there is none.
  public package(set) var next: String? {
    get { self[.next] }
    set { self[.next] = newValue }
  }
  /// The date when it was, or is, to be shown.
  public package(set) var due: String? {
    get { self[.due] }
    set { self[.due] = newValue }
  }
  /// The number of earlier dates it stands for.
  public package(set) var missed: Int {
    get { if case .integer(let count) = words[ListingKey.missedDates.rawValue] { Int(clamping: count) } else { 0 } }
    set { words[ListingKey.missedDates.rawValue] = newValue > 0 ? .integer(Int64(newValue)) : nil }
  }
  /// When the center noticed that its date had come, if that was more than a minute late: it did not run, or the
  /// machine slept.
  public package(set) var noticed: String? {
    get { self[.noticed] }
    set { self[.noticed] = newValue }
  }
  /// When the notification server accepted it; nil if it did not.
  public package(set) var shown: String? {
    get { self[.shown] }
    set { self[.shown] = newValue }
  }
  /// When it is shown again, because it has not been answered; nil if it is not.
  public package(set) var again: String? {
    get { self[.again] }
    set { self[.again] = newValue }
  }
  /// How many times it was shown, if that was more than once.
  public package(set) var shownCount: Int {
    get { if case .integer(let count) = words[ListingKey.shownCount.rawValue] { Int(clamping: count) } else { 0 } }
    set { words[ListingKey.shownCount.rawValue] = newValue > 1 ? .integer(Int64(newValue)) : nil }
  }
  /// Its showings, if there was more than one: the first, and the last ones.
  public package(set) var showings: [Showing] {
    get {
      guard case .list(let values)? = words[ListingKey.showings.rawValue] else { return [] }
      return values.compactMap(Showing.init)
    }
    set { words[ListingKey.showings.rawValue] = newValue.count > 1 ? .list(newValue.map(\.plain)) : nil }
  }
  /// When it ended; nil if it has not.
  public package(set) var closed: String? {
    get { self[.closed] }
    set { self[.closed] = newValue }
  }
  /// Why it ended, such as `dismissed`; nil if it has not ended.
  public package(set) var reason: String? {
    get { self[.reason] }
    set { self[.reason] = newValue }
  }
  /// Until when it is held, or ``back``, ``quietOff`` or ``desktop``; nil if it is not held.
  public package(set) var held: String? {
    get { self[.held] }
    set { self[.held] = newValue }
  }
  /// What holds it, or has held it; nil if nothing has.
  public package(set) var heldBy: Holder? {
    get { self[.heldBy].map { Holder(rawValue: $0) } }
    set { self[.heldBy] = newValue?.rawValue }
  }
  /// Whether the condition that it waits for is true now; nil if that is not known, or has no meaning.
  public package(set) var holds: Bool? {
    get { if case .flag(let flag) = words[ListingKey.holds.rawValue] { flag } else { nil } }
    set { words[ListingKey.holds.rawValue] = newValue.map { .flag($0) } }
  }
  /// Why nothing is known about the condition that it waits for; nil if something is.
  public package(set) var obstacle: String? {
    get { self[.obstacle] }
    set { self[.obstacle] = newValue }
  }
  /// When the condition that it waits for was last met.
  public package(set) var met: String? {
    get { self[.met] }
    set { self[.met] = newValue }
  }
  /// How often that condition has been met since, within the pause between two notifications.
  public package(set) var folded: Int {
    get { if case .integer(let count) = words[ListingKey.folded.rawValue] { Int(clamping: count) } else { 0 } }
    set { words[ListingKey.folded.rawValue] = newValue > 0 ? .integer(Int64(newValue)) : nil }
  }
  /// What happened, if it waited for a condition: the values of `{event.KEY}`.
  public package(set) var event: [String: PlainValue] {
    get { if case .dictionary(let event) = words[ListingKey.event.rawValue] { event } else { [:] } }
    set { words[ListingKey.event.rawValue] = newValue.isEmpty ? nil : .dictionary(newValue) }
  }
  /// Why it came, came late or did not come, in a sentence; only `Center.reasons` tells it.
  public package(set) var why: String? {
    get { self[.why] }
    set { self[.why] = newValue }
  }
  /// How late it was shown, in seconds; nil if it was not shown. Only `Center.reasons` tells it.
  public package(set) var late: Int? {
    get { if case .integer(let late) = words[ListingKey.late.rawValue] { Int(clamping: late) } else { nil } }
    set { words[ListingKey.late.rawValue] = newValue.map { .integer(Int64($0)) } }
  }
  /// The id of the action that the user chose.
  public var action: String? { self[.action] }
  /// The text that the user typed.
  public var reply: String? { self[.reply] }
  /// What happened to the user's response.
  public var outcome: Outcome? { self[.outcome].map { Outcome($0) } }

  /// Adds the user's response.
  package mutating func add(action: String, reply: String?, outcome: String) {
    self[.action] = action
    self[.reply] = reply
    self[.outcome] = outcome
  }

  /// The request, with the values that this library knows.
  public func request() throws(RequestError) -> NotificationRequest {
    try NotificationRequest(
      ListingKey.request(in: words).filter { NotificationRequest.Key(rawValue: $0.key) != nil })
  }

  private subscript(key: ListingKey) -> String? {
    get { text(key.rawValue) }
    set { words[key.rawValue] = newValue.map { .text($0) } }
  }

  private func text(_ word: String) -> String? {
    if case .text(let text) = words[word] { text } else { nil }
  }
}

extension ListedRequest.Showing {
  fileprivate var plain: PlainValue {
    var words: [String: PlainValue] = ["at": .text(at)]
    if step > 0 { words["step"] = .integer(Int64(step)) }
    return .dictionary(words)
  }

  fileprivate init?(_ value: PlainValue) {
    guard case .dictionary(let words) = value, case .text(let at)? = words["at"] else { return nil }
    var step = 0
    if case .integer(let number)? = words["step"] { step = Int(clamping: number) }
    self.init(at: at, step: step)
  }
}
