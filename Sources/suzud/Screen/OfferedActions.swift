// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The actions that a notification on the screen offers, by their key on the wire. They are stored with the delivery,
/// so that a button does what it said even if its category has changed since.
struct OfferedActions: Equatable {
  /// The meaning of a key.
  enum Choice: Hashable {
    /// An action, by its id.
    case action(String)
    /// An action that postpones the notification until a time, by its id and the text of the time.
    case time(String, String)
    /// The list of the times that an action offers, by its id.
    case times(String)
    /// The list of all actions.
    case chooser
    /// No action: the notification stays as it is.
    case nothing
  }

  /// Keys that are not here were not offered.
  var keys: [String: Choice] = [:]
  /// The meaning of a click on the notification itself, also on a server that reports no clicks. If its key is in
  /// ``keys``, that may open the list instead.
  var click = Choice.click
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
      "keys": .dictionary(keys.mapValues(\.word))
    ]
    if click != .click { words["click"] = click.word }
    if let actions { words["actions"] = .list(actions.map(\.plain)) }
    if wantsDismissal { words["dismissal"] = .flag(true) }
    if let replyAction { words["reply"] = .text(replyAction) }
    return PlainValue.dictionary(words).json
  }

  /// Reads the form in the store; invalid parts were not offered.
  init(json: String?) {
    guard let json, case .dictionary(let words)? = try? JSONReader.read(json) else { return }
    if case .dictionary(let keys)? = words["keys"] {
      self.keys = keys.compactMapValues(Choice.init(word:))
    }
    if let click = words["click"].flatMap(Choice.init(word:)) { self.click = click }
    if case .list(let values)? = words["actions"] { actions = values.compactMap { try? $0.decode(as: Action.self) } }
    wantsDismissal = words["dismissal"] == .flag(true)
    if case .text(let id)? = words["reply"] { replyAction = id }
  }
}

extension OfferedActions.Choice {
  /// The action of the notification itself.
  static let click = Self.action(Action.defaultID)

  /// What a click on the notification means.
  init(_ click: Choices.Click) {
    switch click {
    case .action(let id): self = .action(id)
    case .nothing: self = .nothing
    }
  }

  /// The form in the store.
  fileprivate var word: PlainValue {
    switch self {
    case .action(let id): .text(id)
    case .time(let id, let time): .list([.text(id), .text(time)])
    case .times(let id): .list([.text(id)])
    case .chooser: .flag(true)
    case .nothing: .flag(false)
    }
  }

  fileprivate init?(word: PlainValue) {
    switch word {
    case .text(let id): self = .action(id)
    case .flag(let opensList): self = opensList ? .chooser : .nothing
    case .list(let words):
      let texts = words.compactMap { if case .text(let text) = $0 { text } else { nil } }
      guard let id = texts.first, texts.count <= 2 else { return nil }
      self = texts.count == 2 ? .time(id, texts[1]) : .times(id)
    default: return nil
    }
  }
}
