// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The actions that a notification on the screen offers, by their key on the wire. They are stored with the delivery,
/// so that a button does what it said even if its category has changed since.
struct OfferedActions: Equatable {
  /// The meaning of a key.
  enum Choice: Hashable {
    /// An action, by its id.
    case action(String)
    /// The list of all actions.
    case chooser
  }

  /// Keys that are not here were not offered.
  var keys: [String: Choice] = [:]
  /// All actions of its category; nil if the request has its own.
  var actions: [Action]?
  /// Whether a dismissal is a response, too.
  var wantsDismissal = false
  /// The action that the server's own reply line belongs to.
  var replyAction: String?

  /// The action with this id; nil if it is not among them, such as a click on the notification itself.
  func action(_ id: String, of request: NotificationRequest) -> Action? {
    (actions ?? request.content.actions).first { $0.id.isIdentical(to: id) }
  }
}

extension OfferedActions {
  /// The form in the store.
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

  /// Reads the form in the store; invalid parts were not offered.
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
