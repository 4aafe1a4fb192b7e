// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// `suzu ask --hook`: answers the permission request of an AI agent. What goes wrong is answered as well: the agent
/// asks the user itself or, if it cannot be told to, it gets a denial.
struct HookCommand {
  private let format: HookFormat
  private let looks: [String: PlainValue]
  private let limit: Duration
  /// The decision if no answer comes.
  private let fallback: HookFormat.Decision

  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.refuseWords()
    for name in ["action", "input", "destructive", "id", "app-name", "json"] where arguments.has(name) {
      throw .usage("'--\(name)' and '--hook' cannot be combined")
    }
    let name = arguments.value("hook") ?? ""
    guard let format = HookFormat.named(name) else {
      let near = suggestion(for: name, among: HookFormat.all.map(\.name))
      let known = HookFormat.all.map(\.name).joined(separator: ", ")
      throw .data(
        "'--hook \(PrintableText.line(name, atMost: 60))' is no known format\(near.isEmpty ? "; there is \(known)" : near)"
      )
    }
    self.format = format
    looks = Question.looks(arguments)
    limit = try Question.limit(arguments) ?? format.limit
    switch arguments.value("default") {
    case nil, "ask"?: fallback = .ask
    case "deny"?: fallback = .deny
    case let other?:
      throw .data(
        "'--default \(PrintableText.line(other, atMost: 60))' with '--hook' must be ask or deny: silence allows nothing"
      )
    }
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let request: HookRequest
    do {
      request = try HookRequest(try Console.read("-", atMost: HookRequest.longest), in: format)
    } catch let problem as HookRequest.Problem {
      if problem.isOtherEvent { throw CommandError.data(problem.message) }
      return give(problem.event.map { $0[fallback] } ?? format.unreadable, because: problem.message, isFailure: true)
    } catch let error as CommandError {
      return give(format.unreadable, because: error.message, isFailure: true)
    }
    let answer: Answer
    do {
      answer = try await Asking(question(request), on: loop).result().answer
    } catch {
      answer = .silence("\((error as? CommandError)?.message ?? "\(error)")", EX_UNAVAILABLE)
    }
    switch answer {
    case .chosen(0, _): return give(request.event[.allow], because: "the user allowed it in a notification")
    case .chosen: return give(request.event[.deny], because: "the user denied it in a notification")
    case .silence(let error): return give(request.event[fallback], because: error.message, isFailure: true)
    case .removed(let why):
      return give(request.event[.ask], because: why ?? "the notification was dismissed", isFailure: true)
    case .interrupted(let signal): Process.end(by: signal)
    case .askerGone: return EX_UNAVAILABLE
    }
  }

  /// Prints the decision. Standard error has the reason of one that the user did not make.
  private func give(_ form: HookFormat.Form, because reason: String, isFailure: Bool = false) -> Int32 {
    let reason = PrintableText.line(reason, atMost: 400)
    if let line = form.line(reason: reason) { Console.print(line) }
    if isFailure { Console.complain("ask: \(reason)") }
    guard case .denial = form else { return EX_OK }
    return HookFormat.Form.statusOfDenial
  }

  // MARK: The question

  /// The question to the user: the tool, what it is to do, the folder and the risk.
  func question(_ request: HookRequest) -> Question {
    let risk = Risk(of: request)
    let (shown, hidden) = Self.shortened(request.what)
    var words = looks
    words["appName"] = .text(format.agent)
    words["title"] = .text("Allow \(format.agent) to use \(PrintableText.line(request.tool, atMost: 100))?")
    words["subtitle"] = request.folder.map { .text("in " + PrintableText.line($0, atMost: 300)) }
    let warning = hidden > 0 ? "\(hidden) characters of it are not shown" : nil
    words["body"] = .text([risk.line, warning, shown].compactMap(\.self).joined(separator: "\n"))
    if risk.level == .high, looks["icon"] == .text("dialog-question") { words["icon"] = .text("dialog-warning") }
    var about: [String: PlainValue] = [
      Asker.key: .text(format.agent), "hook": .text(format.name), "tool": .text(request.tool),
      "request": .text(String(request.what.prefix(Self.longestRecord))), "risk": .text(risk.level.rawValue),
    ]
    about["folder"] = request.folder.map { .text($0) }
    words["userInfo"] = .dictionary(about)
    return Question(
      words: words,
      buttons: [
        Question.Button(id: "allow", title: "Allow", isDestructive: risk.level == .high),
        Question.Button(id: "deny", title: "Deny"),
      ], fallback: nil, limit: limit,
      // The agent itself reads its terminal, and asks there.
      mayUseTerminal: false)
  }

  /// How much of a request the history keeps.
  private static let longestRecord = 4000
  private static let (longestBeginning, longestEnd) = (600, 200)

  /// The text without its middle if it is long, and how much that is: a command can end with what matters.
  static func shortened(_ text: String) -> (text: String, hidden: Int) {
    // Cut before it is cleaned: an agent may hand over a whole file.
    let hidden = text.unicodeScalars.count - longestBeginning - longestEnd
    guard hidden > 0 else { return (PrintableText.block(text, atMost: longestBeginning + longestEnd), 0) }
    let beginning = String(text.unicodeScalars.prefix(longestBeginning))
    let end = String(text.unicodeScalars.suffix(longestEnd))
    return (
      PrintableText.block(beginning, atMost: longestBeginning) + "\n…\n" + PrintableText.block(end, atMost: longestEnd),
      hidden
    )
  }
}

extension CommandError {
  /// The status by which agents know a denial, for mistakes in the command of a hook: with another one, many would go
  /// on without an answer.
  func inHook(_ words: some Sequence<String>) -> CommandError {
    let isHook = words.contains { $0 == "--hook" || $0.hasPrefix("--hook=") }
    return isHook ? CommandError(message: message, status: HookFormat.Form.statusOfDenial) : self
  }
}
