// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What a notification on the screen offers: which key on the wire stands for what. It is kept with the delivery, so that
/// a button does what stood on it, whatever has become of its category meanwhile.
struct OfferedActions: Equatable {
  /// What a key stands for.
  enum Choice: Hashable {
    /// An action, by its id.
    case action(String)
    /// The question which of all actions it shall be.
    case chooser
  }

  /// What is not here was not offered.
  var keys: [String: Choice] = [:]
  /// The actions of a category, all of them; nil: the request has its own.
  var actions: [Action]?
  /// Whether putting it away is an answer, too.
  var wantsDismissal = false
  /// The action that the server's own line of text is for.
  var replyAction: String?

  /// The action with this id; nil: a click on the notification itself, or what only the request knows.
  func action(_ id: String, of request: NotificationRequest) -> Action? {
    (actions ?? request.actions).first { $0.id.isIdentical(to: id) }
  }
}

extension OfferedActions {
  /// As the store keeps it.
  var json: String {
    var words: [String: PlainValue] = [
      "keys": .dictionary(
        keys.mapValues { choice in
          switch choice {
          case .action(let id): .text(id)
          case .chooser: .flag(true)
          }
        })
    ]
    if let actions { words["actions"] = .list(actions.map(\.plain)) }
    if wantsDismissal { words["dismissal"] = .flag(true) }
    if let replyAction { words["reply"] = .text(replyAction) }
    return PlainValue.dictionary(words).json
  }

  /// From what the store kept; what makes no sense was not offered.
  init(json: String?) {
    guard let json, case .dictionary(let words)? = try? JSONReader.read(json) else { return }
    if case .dictionary(let keys)? = words["keys"] {
      self.keys = keys.compactMapValues { value in
        switch value {
        case .text(let id): .action(id)
        case .flag: .chooser
        default: nil
        }
      }
    }
    if case .list(let values)? = words["actions"] { actions = values.compactMap { try? $0.decode(as: Action.self) } }
    wantsDismissal = words["dismissal"] == .flag(true)
    if case .text(let id)? = words["reply"] { replyAction = id }
  }
}
