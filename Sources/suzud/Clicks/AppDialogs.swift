// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// Shows the dialogs of apps: for each app one at a time, with its name and the texts of the notification.
final class AppDialogs {
  private let loop: EventLoop
  private let dialogs: Desktop.Dialogs
  private let names: AppNames
  /// Which apps have an open dialog.
  private var turns = DialogTurns()
  /// Why the last dialog could not be shown; nil if it could.
  private(set) var failure: String?

  init(on loop: EventLoop, dialogs: Desktop.Dialogs, names: AppNames) {
    self.loop = loop
    self.dialogs = dialogs
    self.names = names
  }

  /// Whether a program can show a list.
  var canChoose: Bool { dialogs.canAsk() }

  /// Shows a list when it is the app's turn. Returns nil if too many dialogs of the app wait. Cancelling the task
  /// closes the list.
  func choose(among labels: [String], of posting: ShownNotification) async -> Desktop.Dialogs.Choice? {
    let app = posting.request.app.text
    guard await turn(of: app) else { return nil }
    defer { turns.end(app) }
    if Task.isCancelled { return .cancelled }
    let choice = await dialogs.choose(heading(of: posting), labels, posting.token)
    if case .unavailable(let why) = choice { failure = why } else { failure = nil }
    return choice
  }

  /// Asks for a line of text when it is the app's turn. Returns nil if too many dialogs of the app wait. Cancelling the
  /// task closes the dialog.
  func prompt(
    _ input: Action.Input, for action: Action, of posting: ShownNotification
  ) async -> Desktop.Dialogs.Reply? {
    let app = posting.request.app.text
    guard await turn(of: app) else { return nil }
    defer { turns.end(app) }
    if Task.isCancelled { return .cancelled }
    let reply = await dialogs.prompt(heading(of: posting, action), input, posting.token)
    if case .unavailable(let why) = reply { failure = why } else { failure = nil }
    return reply
  }

  /// The title and text of a dialog: the app, the action and the notification.
  private func heading(of posting: ShownNotification, _ action: Action? = nil) -> DialogHeading {
    let content = posting.request.content
    let texts = [action?.title ?? "", content.title].map(DisplayText.line).filter { !$0.isEmpty }
    let app = names.name(of: posting.request.app.text, isSandboxed: posting.due.rights != .all)
    let body = content.body ?? ""
    let whole = [DisplayText.line(content.title), DisplayText.text(content.markup ? Markup(body).plain : body)]
    return DialogHeading(
      app: app, text: texts.joined(separator: ": "), notification: whole.filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  /// Waits until the app has no open dialog; returns false if too many wait already.
  private func turn(of app: String) async -> Bool {
    if turns.take(app) { return true }
    return await loop.withContinuation { continuation in
      // The open dialog may have ended before this task ran.
      if turns.take(app) { return continuation.resume(returning: true) }
      if !turns.wait(app, { continuation.resume(returning: true) }) { continuation.resume(returning: false) }
    }
  }
}
