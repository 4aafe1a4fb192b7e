// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A request in a listing, with its state and outcome.
public struct Listed: Hashable, Sendable {
  /// All values from the center, including ones that are newer than this library.
  public let words: [String: PlainValue]

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

  /// Makes a value from one row of a listing.
  public init(_ words: [String: PlainValue]) { self.words = words }

  /// The app that it belongs to.
  public var app: String { text("app") ?? NotificationRequest.defaultApp }
  /// The id within its app.
  public var id: String { text("id") ?? "" }
  /// Its headline.
  public var title: String { text("title") ?? "" }
  /// The next date as RFC 3339 with an offset; nil if there is none.
  public var next: String? { text("next") }
  /// The date when it was, or is, to be shown.
  public var due: String? { text("due") }
  /// When the notification server accepted it, as RFC 3339; nil if it did not.
  public var shown: String? { text("shown") }
  /// Why it ended, such as `dismissed`; nil if it has not ended.
  public var reason: String? { text("reason") }
  /// The current state.
  public var state: State { State(rawValue: text("state") ?? "") }
  /// What happened to the user's response.
  public var outcome: Outcome? { text("outcome").map { Outcome($0) } }
  /// The number of earlier dates it stands for.
  public var missed: Int {
    if case .integer(let count) = words["missedDates"] { Int(clamping: count) } else { 0 }
  }

  /// The request, with the values that this library knows.
  public func request() throws(RequestError) -> NotificationRequest {
    try NotificationRequest(
      ListingKey.request(in: words).filter { NotificationRequest.Key(rawValue: $0.key) != nil })
  }

  private func text(_ word: String) -> String? {
    if case .text(let text) = words[word] { text } else { nil }
  }
}
