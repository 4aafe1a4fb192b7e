// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let ask = Verb(
    name: "ask", synopsis: "TITLE [BODY]|--hook FORMAT [flags]",
    summary: "ask a question, wait for the answer, and print it",
    flags: [
      Flag("action", letter: "A", "ID=TITLE", isList: true, "add a button; may be repeated (default: yes=Yes, no=No)"),
      Flag("input", nil, "let the first button ask for a line of text, and print that"),
      Flag("timeout", "DURATION", "wait no longer than this: 30s, 5m"),
      Flag("default", "ID", "use this answer if none comes: a button, or a text with --input"),
      Flag("destructive", "ID", isList: true, "mark a button; it counts only once the session is unlocked"),
      Flag(
        "hook", "FORMAT", completing: .words(HookFormat.all.map(\.name)),
        "read an AI agent's permission request from standard input, and print the decision in its format"),
      Flag("icon", letter: "i", "ICON", completing: .file, "set the icon: a theme name, a path or a file URL"),
      Flag("sound", "SOUND", completing: .file, "play a sound: default, none, a theme name or a path"),
      Flag(
        "level", "LEVEL", completing: .words(NotificationRequest.Level.allCases.map(\.rawValue)),
        "set it: passive, active, timeSensitive or critical"),
      Flag("app-name", letter: "a", "NAME", "show this text as the sender's name"),
      Flag("id", "ID", completing: .ids, "set the id; replaces the request with that id"),
      Flag("json", nil, "print an object with 'app', 'id', 'action', 'reply', 'default'"),
    ],
    notes: [
      "The status is the position of the button: 0 for the first one, 1 for the second, and so on; 123 if the question",
      "was removed without an answer, 124 if no answer came and there is no --default. The question is withdrawn at the",
      "end of the time limit, and when the program that asks has ended. The formats of --hook are:",
      HookFormat.all.map(\.name).joined(separator: ", ") + ".",
    ],
    examples: [
      "if suzu ask 'Deploy?' 'Version 2.4 to production'; then echo deploying; fi",
      "suzu ask 'Where to?' --action prod=Production --action test=Test --timeout 30s --default test",
      "suzu ask 'Name of the release?' --input --timeout 2m --default unnamed",
      "suzu ask 'Erase the disk?' --action erase=Erase --action no=Keep --destructive erase",
      "suzu ask --hook claude-code <request.json",
    ]
  ) { arguments, loop in
    if arguments.has("hook") {
      let command: HookCommand
      do throws(CommandError) { command = try HookCommand(arguments) } catch { throw error.inHook(["--hook"]) }
      return try await command.run(on: loop)
    }
    return try await AskCommand(arguments).run(on: loop)
  }
}

/// `suzu ask`: prints the answer to a question.
struct AskCommand {
  private let question: Question
  private let keys: TypedKeys
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    question = try Question(arguments)
    keys = TypedKeys(arguments, words: ["title", "body"], actions: question.request["actions"])
    isJSON = arguments.has("json")
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let result: Asking.Result
    do {
      result = try await Asking(question, on: loop).result()
    } catch {
      throw keys.error(error)
    }
    switch result.answer {
    case .chosen(let index, let text):
      print(question.buttons[index].id, text, result.id)
      return Int32(index)
    case .silence(let error): return settle(error, result.id)
    case .removed(let why):
      if isJSON { print(nil, nil, result.id) }
      if let why { Console.complain("ask: \(why)") }
      return Answer.statusOfRemoval
    // The terminal or the link of the script is gone, but perhaps not the script.
    case .interrupted(SIGHUP) where question.fallback != nil:
      return settle(CommandError(message: "the terminal has ended", status: EX_UNAVAILABLE), result.id)
    case .interrupted(let signal): Process.end(by: signal)
    case .askerGone: return EX_UNAVAILABLE
    }
  }

  /// Prints the default, if there is one. Standard error says that it is none of the user's answers.
  private func settle(_ error: CommandError, _ id: String?) -> Int32 {
    let answer: (id: String, text: String?, status: Int32)
    switch question.fallback {
    case .button(let index): answer = (question.buttons[index].id, nil, Int32(index))
    case .text(let text):
      let index = question.buttons.firstIndex(where: \.asksForText) ?? 0
      answer = (question.buttons[index].id, text, Int32(index))
    case nil:
      if isJSON { print(nil, nil, id) }
      Console.complain("ask: \(error.message)")
      return error.status
    }
    print(answer.id, answer.text, id, isDefault: true)
    let shown = PrintableText.line(answer.text ?? answer.id, atMost: 60)
    Console.complain("ask: \(error.message); using the default '\(shown)'")
    return answer.status
  }

  private func print(_ action: String?, _ text: String?, _ id: String?, isDefault: Bool = false) {
    guard isJSON else {
      if let line = text ?? action { Console.print(line) }
      return
    }
    var words: [String: PlainValue] = ["app": .text(NotificationRequest.defaultApp)]
    words["id"] = id.map { .text($0) }
    words["action"] = action.map { .text($0) }
    words["reply"] = text.map { .text($0) }
    if isDefault { words["default"] = .flag(true) }
    Console.print(PlainValue.dictionary(words).json)
  }
}
