// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A question as the user typed it: a request, its buttons, and what its answers mean.
struct Question {
  /// A button: an answer.
  struct Button: Equatable {
    let id: String
    let title: String
    /// Whether it asks for a line of text, which is the answer then.
    var asksForText = false
    /// Whether it is destructive, and counts only once the session is unlocked.
    var isDestructive = false
  }

  /// The answer if none comes.
  enum Fallback: Equatable {
    /// The button at this position.
    case button(Int)
    case text(String)
  }

  /// The request, without its buttons.
  let words: [String: PlainValue]
  let buttons: [Button]
  let fallback: Fallback?
  let limit: Duration?
  /// Whether a terminal may show it where there is no desktop.
  var mayUseTerminal = true

  /// The position of a button is the exit status of its answer, so that it must be below those of errors.
  static let mostButtons = 32

  /// The request for the center.
  var request: [String: PlainValue] {
    var request = words
    request["style"] = .text(NotificationRequest.Style.alert.rawValue)
    request["actions"] = .list(
      buttons.map { button in
        Action(
          id: button.id, title: button.title, destructive: button.isDestructive,
          authenticationRequired: button.isDestructive, input: button.asksForText ? Action.Input() : nil
        ).plain
      })
    return request
  }

  /// What the button with this id needs before it is the answer.
  func need(_ id: String) -> AnswerWait.Need {
    guard let button = buttons.first(where: { $0.id.isIdentical(to: id) }) else {
      return id == Action.listID ? .text : .nothing
    }
    return button.asksForText ? .text : button.isDestructive ? .outcome : .nothing
  }
}

extension Question {
  /// Reads the flags and words of `suzu ask`.
  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.refuseWords(after: 2)
    guard let title = arguments.words.first else { throw .usage("a title is missing") }
    var words = Self.looks(arguments)
    words["title"] = .text(title)
    if arguments.words.count > 1 { words["body"] = .text(arguments.words[1]) }
    words["id"] = arguments.value("id").map { .text($0) }
    words["userInfo"] = Asker.current().userInfo
    if let name = arguments.value("app-name"), !name.isEmpty { words["appName"] = .text(name) }
    do throws(RequestError) {
      try TextChecks.check(words)
      try TextChecks.checkVisible(words)
    } catch {
      throw .data(TypedKeys(arguments, words: ["title", "body"]).text(error.description))
    }
    NotifyCommand.warnOfFiles(words, by: "ask")
    let buttons = try Self.buttons(arguments)
    self.init(
      words: words, buttons: buttons, fallback: try Self.fallback(arguments, among: buttons),
      limit: try Self.limit(arguments))
  }

  /// The keys of the flags that any question may have.
  static func looks(_ arguments: Arguments) -> [String: PlainValue] {
    var words: [String: PlainValue] = ["icon": .text("dialog-question")]
    if let level = arguments.value("level") { words["level"] = .text(level) }
    for name in ["icon", "sound"] {
      if let value = arguments.value(name) { words[name] = .text(NotifyCommand.fileName(value)) }
    }
    return words
  }

  private static func buttons(_ arguments: Arguments) throws(CommandError) -> [Button] {
    let asksForText = arguments.has("input")
    var buttons: [Button] = []
    if case .list(let actions)? = try ButtonFlags(arguments, mustHaveIDs: true).value {
      for case .dictionary(let words) in actions {
        guard case .text(let id)? = words["id"], case .text(let title)? = words["title"] else { continue }
        if id == Action.defaultID {
          throw .data("'--action default=…': 'default' is a click on the notification; choose another id")
        }
        if buttons.contains(where: { $0.id.isIdentical(to: id) }) {
          throw .data("'--action': two buttons have the id '\(PrintableText.line(id, atMost: 60))'")
        }
        buttons.append(Button(id: id, title: title))
      }
    } else {
      buttons = asksForText ? [Button(id: "answer", title: "Answer")] : [yes, no]
    }
    if buttons.count > mostButtons {
      throw .data("a question has at most \(mostButtons) buttons, not \(buttons.count)")
    }
    if asksForText { buttons[0].asksForText = true }
    for id in arguments.all("destructive") {
      guard let index = buttons.firstIndex(where: { $0.id.isIdentical(to: id) }) else {
        throw unknown(id, "destructive", among: buttons)
      }
      buttons[index].isDestructive = true
    }
    return buttons
  }

  /// The buttons of a question that names none.
  static let (yes, no) = (Button(id: "yes", title: "Yes"), Button(id: "no", title: "No"))

  private static func fallback(
    _ arguments: Arguments, among buttons: [Button]
  ) throws(CommandError) -> Fallback? {
    guard let text = arguments.value("default") else { return nil }
    if let index = buttons.firstIndex(where: { $0.id.isIdentical(to: text) }), !buttons[index].asksForText {
      return .button(index)
    }
    guard buttons.contains(where: \.asksForText) else { throw unknown(text, "default", among: buttons) }
    return .text(text)
  }

  private static func unknown(_ id: String, _ flag: String, among buttons: [Button]) -> CommandError {
    let typed = PrintableText.line(id, atMost: 60)
    let near = suggestion(for: id, among: buttons.map(\.id))
    let known = buttons.map { PrintableText.line($0.id, atMost: 60) }.joined(separator: ", ")
    return .data("'--\(flag) \(typed)': no button has the id '\(typed)'\(near.isEmpty ? "; there is \(known)" : near)")
  }

  static func limit(_ arguments: Arguments) throws(CommandError) -> Duration? {
    guard let text = arguments.value("timeout") else { return nil }
    do throws(RequestError) {
      let limit = try Duration.parse(text)
      if limit > .zero { return limit }
    } catch {
      throw .data("'--timeout' \(error.problem)")
    }
    throw .data("'--timeout \(PrintableText.line(text, atMost: 60))' must be longer than that; for example 30s")
  }
}
