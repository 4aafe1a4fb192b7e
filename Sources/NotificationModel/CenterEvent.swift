// SPDX-License-Identifier: Apache-2.0

/// An event of a request, as printed by `suzu watch`.
public enum CenterEvent: Hashable, Sendable {
  /// The server accepted the notification; `due` is its date (RFC 3339), `missed` the number of earlier dates that it
  /// stands for, `replaces` whether it replaced an earlier one with its id, whose end was reported just before.
  case delivered(app: String, id: String, due: String? = nil, missed: Int = 0, replaces: Bool = false)
  /// The user responded.
  case responded(Response)
  /// The request ended: it has left the screen, or will never be shown.
  case closed(app: String, id: String, reason: RequestEnd)
  /// The outcome of a response.
  case outcome(response: UInt64, Outcome)
}

/// The user's choice.
public struct Response: Hashable, Sendable {
  /// Its number, which a center never reuses.
  public var number: UInt64
  /// The app that owns the request.
  public var app: String
  /// The id of the request.
  public var id: String
  /// The action's id; `default` is the notification itself.
  public var action: String
  /// The text that the user typed.
  public var reply: String?
  /// The date on which the request was due (RFC 3339); nil for one without a time.
  public var due: String?
  /// The number of earlier dates that it stood for.
  public var missed: Int
  /// The request's `userInfo`, unchanged.
  public var userInfo: [String: PlainValue]
  /// What happened, if the request waited for a condition: the values of `{event.KEY}`.
  public var event: [String: String]
  /// The token that lets the app raise its window; only the app's handler gets one.
  public var activationToken: String?

  /// Creates a response.
  public init(
    number: UInt64, app: String, id: String, action: String, reply: String? = nil, due: String? = nil, missed: Int = 0,
    userInfo: [String: PlainValue] = [:], event: [String: String] = [:], activationToken: String? = nil
  ) {
    self.number = number
    self.app = app
    self.id = id
    self.action = action
    self.reply = reply
    self.due = due
    self.missed = missed
    self.userInfo = userInfo
    self.event = event
    self.activationToken = activationToken
  }
}

/// The outcome of a response.
public enum Outcome: Hashable, Sendable, CustomStringConvertible {
  /// The action was carried out.
  case done
  /// The action failed.
  case failed(String)
  /// The action was refused.
  case refused(String)
  /// The action waits: `locked`, `app` or, in listings only, `text`. Another outcome follows.
  case waiting(String)
  /// The action waited too long, or was cancelled.
  case lapsed(String)
  /// The response had no effect and no handler.
  case unhandled
  /// An outcome of a newer center, as text.
  case other(String)

  /// The text on the bus and in listings: `done`, `failed: exit 3`.
  public var description: String {
    switch self {
    case .done: "done"
    case .failed(let why): "failed: \(why)"
    case .refused(let why): "refused: \(why)"
    case .waiting(let what): "waiting: \(what)"
    case .lapsed(let why): "lapsed: \(why)"
    case .unhandled: "unhandled"
    case .other(let text): text
    }
  }

  /// Parses the form of ``description``.
  public init(_ text: String) {
    // Compares bytes, because an accent at the beginning of the rest would combine with the preceding blank.
    func rest(_ prefix: String) -> String? {
      text.utf8.starts(with: prefix.utf8) ? String(Substring(text.utf8.dropFirst(prefix.utf8.count))) : nil
    }
    if text == "done" {
      self = .done
    } else if text == "unhandled" {
      self = .unhandled
    } else if let why = rest("failed: ") {
      self = .failed(why)
    } else if let why = rest("refused: ") {
      self = .refused(why)
    } else if let what = rest("waiting: ") {
      self = .waiting(what)
    } else if let why = rest("lapsed: ") {
      self = .lapsed(why)
    } else {
      self = .other(text)
    }
  }
}
