// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// What comes back from the desktop at home, as one line of JSON.
enum RemoteAnswer: Equatable {
  /// The first line: which app this machine is there.
  case greeting(app: String)
  case id(String)
  case count(Int)
  /// A page of a listing, and where the next one begins.
  case rows([[String: PlainValue]], next: String?)
  case failed(code: String, message: String)
  case response(action: String, reply: String?)
  /// An action with an outcome that makes it no answer: its dialog was missing, or it was not carried out.
  case outcome(action: String, Outcome, isDialog: Bool)
  case ended(RequestEnd)
  case centerEnded

  /// The version of the lines.
  static let version: Int64 = 1

  var words: [String: PlainValue] {
    switch self {
    case .greeting(let app): ["suzu": .integer(Self.version), "app": .text(app)]
    case .id(let id): ["id": .text(id)]
    case .count(let count): ["count": .integer(Int64(count))]
    case .rows(let rows, let next):
      ["requests": .list(rows.map { .dictionary($0) })].merging(next.map { ["next": .text($0)] } ?? [:]) { $1 }
    case .failed(let code, let message): ["error": .text(code), "message": .text(message)]
    case .response(let action, let reply):
      ["action": .text(action)].merging(reply.map { ["reply": .text($0)] } ?? [:]) { $1 }
    case .outcome(let action, let outcome, let isDialog):
      ["action": .text(action), "outcome": .text(outcome.description), "dialog": .flag(isDialog)]
    case .ended(let end): ["ended": .text(end.rawValue)]
    case .centerEnded: ["ended": .text("center")]
    }
  }

  /// Returns nil for a line of another kind.
  init?(_ words: [String: PlainValue]) {
    func text(_ key: String) -> String? { if case .text(let text)? = words[key] { text } else { nil } }
    if words["suzu"] == .integer(Self.version), let app = text("app") {
      self = .greeting(app: app)
    } else if let code = text("error") {
      self = .failed(code: code, message: text("message") ?? "")
    } else if let id = text("id") {
      self = .id(id)
    } else if case .integer(let count)? = words["count"], let count = Int(exactly: count) {
      self = .count(count)
    } else if case .list(let rows)? = words["requests"] {
      self = .rows(rows.compactMap { if case .dictionary(let row) = $0 { row } else { nil } }, next: text("next"))
    } else if let action = text("action") {
      guard let outcome = text("outcome") else {
        self = .response(action: action, reply: text("reply"))
        return
      }
      self = .outcome(action: action, Outcome(outcome), isDialog: words["dialog"] == .flag(true))
    } else if let end = text("ended") {
      self = end == "center" ? .centerEnded : .ended(RequestEnd(rawValue: end) ?? .unknown)
    } else {
      return nil
    }
  }

  /// The end of a wait, for the machine that asked; nil if that one is not there to read it.
  init?(_ end: AnswerWait.End) {
    switch end {
    case .response(let response): self = .response(action: response.action, reply: response.reply)
    case .dialogMissing(let response, let outcome):
      self = .outcome(action: response.action, outcome, isDialog: true)
    case .notDone(let response, let outcome): self = .outcome(action: response.action, outcome, isDialog: false)
    case .ended(let end): self = .ended(end)
    case .centerEnded: self = .centerEnded
    case .interrupted, .timeLimit, .askerGone: return nil
    }
  }

  /// The same for the machine that asked; nil if this is no end.
  func end(of id: String, _ app: String) -> AnswerWait.End? {
    func response(_ action: String, _ reply: String? = nil) -> Response {
      Response(number: 0, app: app, id: id, action: action, reply: reply)
    }
    return switch self {
    case .response(let action, let reply): .response(response(action, reply))
    case .outcome(let action, let outcome, true): .dialogMissing(response(action), outcome)
    case .outcome(let action, let outcome, false): .notDone(response(action), outcome)
    case .ended(let end): .ended(end)
    case .centerEnded: .centerEnded
    case .greeting, .id, .count, .rows, .failed: nil
    }
  }
}
