// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// Notifications of an SSH session on a machine without a desktop: its terminal shows them.
extension NotifyCommand {
  /// Shows the requests in the terminal; returns nil if there is a desktop, or no terminal.
  func runInTerminal(on loop: EventLoop) async throws -> Int32? {
    guard DesktopAbsence.mayMatter(in: EnvironmentVariable.value), let absence = await DesktopAbsence.find(on: loop)
    else { return nil }
    let given = try decoded()
    if let scheduled = given.first(where: { !$0.schedule.isNow }) {
      if absence.keepsRequests { return nil }
      guard ControllingTerminal(on: loop) != nil else { return nil }
      throw Self.refusal(of: scheduled, because: absence)
    }
    let terminal: NotifyingTerminal
    switch try await NotifyingTerminal.find(reads: waits, on: loop) {
    case .found(let found): terminal = found
    case .absent: return nil
    case .unable(let why):
      // A center keeps it until a server is there.
      if absence.keepsRequests { return nil }
      throw CommandError.unavailable("\(absence.text), and this terminal cannot show it: \(why)")
    case .interrupted(let signal): Process.end(by: signal)
    }
    defer { terminal.conversation.end() }
    let canWait = waits && terminal.answers
    if waits, !canWait, dialect == .suzu {
      throw CommandError.unavailable(Self.silence(of: terminal) + "; without --wait it is shown")
    }
    if !canWait { terminal.conversation.end() }
    let shown = given.map { request in
      let id = request.id?.text ?? Self.newID()
      let form = TerminalNotification(
        request, id: id, features: terminal.sequence == .osc99 ? terminal.features : nil, waits: canWait)
      return (app: request.app.text, id: id, form: form)
    }
    for one in shown { try terminal.show(one.form, reports: canWait) }
    warn(shown.map(\.form), terminal)
    if canWait { return await wait(for: shown[0].form, shown[0].app, shown[0].id, terminal) }
    printIDs(shown.map { ($0.app, $0.id) })
    return EX_OK
  }

  private func decoded() throws -> [NotificationRequest] {
    try requests.enumerated().map { index, words in
      do throws(RequestError) {
        let request = try NotificationRequest(words)
        try request.checkAsNew()
        return request
      } catch {
        let message = (isList ? "[\(index)]: " : "") + error.description
        throw file?.complaint(message) ?? .data(keys.text(message))
      }
    }
  }

  private static func refusal(of request: NotificationRequest, because absence: DesktopAbsence) -> CommandError {
    .unavailable(
      "nothing on this machine can keep it until then, because \(absence.text); schedule it on your desktop "
        + "('suzu doctor --ssh' says how), or leave out the time to show it in this terminal now")
  }

  /// Why an answer cannot be waited for.
  static func silence(of terminal: NotifyingTerminal) -> String {
    if terminal.conversation.terminal.canRead {
      return "this terminal (\(terminal.text)) hands back no answer"
    }
    return "in the background, the answer of the terminal cannot be read"
  }

  private static func newID() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  /// Says once what is missing.
  private func warn(_ forms: [TerminalNotification], _ terminal: NotifyingTerminal) {
    if let lost = terminal.conversation.lostKeys { Console.warn("notify", lost) }
    if dialect == .notifySend { return }
    var keys: [String] = []
    for key in forms.flatMap(\.lost) where !keys.contains(key) { keys.append(key) }
    guard !keys.isEmpty else { return }
    let names = keys.map { "'\($0)'" }.joined(separator: ", ")
    let buttons = keys.contains("actions") && !waits && terminal.features.hasButtons
    Console.warn(
      "notify",
      "shown by this terminal (\(terminal.text)) without \(names)" + (buttons ? "; for buttons, add --wait" : ""))
  }

  private func printIDs(_ shown: [(app: String, id: String)]) {
    if isList {
      let lines = shown.map { isJSON ? Self.json($0.app, $0.id) : $0.id }
      Console.print(isJSON ? "[" + lines.joined(separator: "\n,") + "\n]" : lines.joined(separator: "\n"))
    } else if isJSON {
      Console.print(Self.json(shown[0].app, shown[0].id))
    } else if dialect == .suzu || printsID {
      Console.print(shown[0].id)
    }
  }

  // MARK: The answer

  private func wait(
    for form: TerminalNotification, _ app: String, _ id: String, _ terminal: NotifyingTerminal
  ) async -> Int32 {
    if printsID && !isJSON { Console.print(id) }
    if terminal.passage == .tmux {
      Console.warn("notify", "tmux hands the answer to the pane in front; keep this one there")
    } else if !terminal.features.reportsEnd {
      Console.warn("notify", "this terminal does not say when a notification is dismissed; Ctrl-C ends the wait")
    }
    let answer = await terminal.answer(to: form, within: nil)
    terminal.conversation.end()
    if let lost = terminal.conversation.lostKeys { Console.warn("notify", lost) }
    switch answer {
    case .button(let index): return tell(form.buttons[index], app, id)
    case .click: return tell(Action.defaultID, app, id)
    case .closed:
      if isJSON { Console.print(Self.json(app, id)) }
      return dialect == .suzu ? 1 : EX_OK
    case .interrupted(let signal): Process.end(by: signal)
    case .lost, .timeLimit, .askerGone:
      Console.complain("notify: the terminal is gone")
      return EX_UNAVAILABLE
    }
  }

  private func tell(_ action: String, _ app: String, _ id: String) -> Int32 {
    if isJSON {
      Console.print(Self.json(app, id, Response(number: 0, app: app, id: id, action: action, reply: nil)))
    } else if dialect == .suzu || action != Action.defaultID {
      Console.print(action)
    }
    return EX_OK
  }
}
