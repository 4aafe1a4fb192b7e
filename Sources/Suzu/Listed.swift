// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A request in a listing, with what has become of it.
public struct Listed: Hashable, Sendable {
  /// Everything that the center told, also what is newer than this library.
  public let words: [String: PlainValue]

  /// Where a request is on its way; new states may come.
  public struct State: RawRepresentable, Hashable, Sendable {
    /// The state's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its time has not come.
    public static let pending = State(rawValue: "pending")
    /// Its time has come, and the notification server has not taken it yet.
    public static let due = State(rawValue: "due")
    /// The notification server has it.
    public static let delivered = State(rawValue: "delivered")
    /// It is gone from the screen.
    public static let closed = State(rawValue: "closed")
    /// It came too late to be shown.
    public static let expired = State(rawValue: "expired")
    /// Its date passed while nobody could show it, and it was not to be made up for.
    public static let skipped = State(rawValue: "skipped")
    /// It is part of a digest.
    public static let folded = State(rawValue: "folded")
    /// The notification server would not have it.
    public static let failed = State(rawValue: "failed")
  }

  /// From the words of one row.
  public init(_ words: [String: PlainValue]) { self.words = words }

  /// Whose it is.
  public var app: String { text("app") ?? NotificationRequest.usualApp }
  /// Its name within its app.
  public var id: String { text("id") ?? "" }
  /// Its headline.
  public var title: String { text("title") ?? "" }
  /// When it comes next, as RFC 3339 with an offset; nil: never again.
  public var next: String? { text("next") }
  /// When it was, or is, to be shown.
  public var due: String? { text("due") }
  /// Where it is on its way.
  public var state: State { State(rawValue: text("state") ?? "") }
  /// What became of the user's answer.
  public var outcome: Outcome? { text("outcome").map { Outcome($0) } }
  /// How many earlier dates it stands for. In the words of a request `missed` is a text, and says what becomes of such
  /// dates; in a listing this number is in its place.
  public var missed: Int {
    if case .integer(let count) = words["missed"] { Int(clamping: count) } else { 0 }
  }

  /// The request itself, in as many words as are known here.
  public func request() throws(RequestError) -> NotificationRequest {
    var known = words.filter { NotificationRequest.Key(rawValue: $0.key) != nil }
    if case .integer = known["missed"] { known["missed"] = nil }
    return try NotificationRequest(known)
  }

  private func text(_ word: String) -> String? {
    if case .text(let text) = words[word] { text } else { nil }
  }
}
