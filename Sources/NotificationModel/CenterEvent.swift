// SPDX-License-Identifier: Apache-2.0

/// What happened to a request; what `suzu watch` shows.
public enum CenterEvent: Hashable, Sendable {
  /// The server took it; `due` says for which date (RFC 3339), `missed` how many earlier ones it stands for, `replaces`
  /// whether it took the place of an earlier one with its id, whose end came just before.
  case delivered(app: String, id: String, due: String? = nil, missed: Int = 0, replaces: Bool = false)
  /// The user acted.
  case responded(Response)
  /// It ended: it is gone from the screen, or will never be on it.
  case closed(app: String, id: String, reason: RequestEnd)
  /// What became of a response.
  case outcome(response: UInt64, Outcome)
}

/// What the user chose.
public struct Response: Hashable, Sendable {
  /// Its number, never given twice by one center.
  public var number: UInt64
  /// Whose request it was.
  public var app: String
  /// Which of its requests.
  public var id: String
  /// The action's identifier; `default` is the notification itself.
  public var action: String
  /// What the user typed.
  public var reply: String?
  /// The date that the request was due, as RFC 3339; nil for one without a time.
  public var due: String?
  /// How many earlier dates it stood for.
  public var missed: Int
  /// What the request carried, untouched.
  public var userInfo: [String: PlainValue]

  /// A response.
  public init(
    number: UInt64, app: String, id: String, action: String, reply: String? = nil, due: String? = nil, missed: Int = 0,
    userInfo: [String: PlainValue] = [:]
  ) {
    self.number = number
    self.app = app
    self.id = id
    self.action = action
    self.reply = reply
    self.due = due
    self.missed = missed
    self.userInfo = userInfo
  }
}

/// What became of a response.
public enum Outcome: Hashable, Sendable, CustomStringConvertible {
  /// It was done.
  case done
  /// It was tried.
  case failed(String)
  /// It was not tried, and will not be.
  case refused(String)
  /// It has yet to be done: `locked`, or `app`. Another outcome follows.
  case waiting(String)
  /// It waited for something that did not come in time, or was called off.
  case lapsed(String)
  /// There was nothing to do and nobody to tell.
  case unhandled
  /// What only a newer center knows, in its words.
  case other(String)

  /// As it stands on the bus and in listings: `done`, `failed: exit 3`.
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

  /// Reads the form of ``description``.
  public init(_ text: String) {
    // Bytes, because an accent at the beginning of the rest would make another character of the blank before it.
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
