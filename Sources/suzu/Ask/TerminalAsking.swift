// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// Puts a question to the user in the terminal of an SSH session, on a machine without a desktop.
struct TerminalAsking {
  let question: Question
  let loop: EventLoop

  /// The answer; nil if there is a desktop, or no terminal. Throws only for mistakes in the question.
  func answer(since start: Duration) async throws -> Answer? {
    guard question.mayUseTerminal, DesktopAbsence.mayMatter(in: EnvironmentVariable.value),
      let absence = await DesktopAbsence.find(on: loop)
    else { return nil }
    let request = try NotificationRequest(question.request)
    let terminal: NotifyingTerminal
    switch try await NotifyingTerminal.find(reads: true, on: loop) {
    case .found(let found): terminal = found
    case .absent: return nil
    case .unable(let why): return Self.unable("\(absence.text), and this terminal cannot show the question: \(why)")
    case .interrupted(let signal): return .interrupted(signal)
    }
    defer {
      terminal.conversation.end()
      if let lost = terminal.conversation.lostKeys { Console.warn("ask", lost) }
    }
    if let obstacle = obstacle(terminal) { return Self.unable(obstacle) }
    return await ask(request, terminal, since: start)
  }

  private static func unable(_ why: String) -> Answer { .silence(why, EX_UNAVAILABLE) }

  private func obstacle(_ terminal: NotifyingTerminal) -> String? {
    if !terminal.answers || !terminal.features.hasButtons { return NotifyCommand.silence(of: terminal) }
    if question.buttons.contains(where: \.asksForText) { return "a terminal's notification takes no text" }
    // Its desktop may show notifications while it is locked.
    if question.buttons.contains(where: \.isDestructive) {
      return "a terminal cannot tell whether the session is locked, which '--destructive' needs"
    }
    return nil
  }

  private func ask(
    _ request: NotificationRequest, _ terminal: NotifyingTerminal, since start: Duration
  ) async -> Answer {
    AskerWatch.begin(on: loop, whenGone: terminal.conversation.askerHasGone)
    let id = request.id?.text ?? "ask-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let form = TerminalNotification(request, id: id, features: terminal.features, waits: true)
    do throws(CommandError) { try terminal.show(form, reports: true) } catch { return .silence(error) }
    if !form.lost.isEmpty {
      let names = form.lost.map { "'\($0)'" }.joined(separator: ", ")
      Console.warn("ask", "shown by this terminal (\(terminal.text)) without \(names)")
    }
    if terminal.passage == .tmux {
      Console.warn("ask", "tmux hands the answer to the pane in front; keep this one there")
    }
    let left = question.limit.map { max($0 - (EventLoop.Clock.monotonic.now - start), .zero) }
    switch await terminal.answer(to: form, within: left) {
    case .button(let index): return .chosen(index, text: nil)
    // A click on the notification itself is no answer, and it is gone.
    case .click: return .removed(why: "the notification was clicked, and not one of its buttons")
    case .closed: return .removed(why: nil)
    case .interrupted(let signal): return .interrupted(signal)
    case .lost: return Self.unable("the terminal has ended")
    case .timeLimit: return Answer(.timeLimit, of: question, app: NotificationRequest.defaultApp)
    case .askerGone: return .askerGone
    }
  }
}
