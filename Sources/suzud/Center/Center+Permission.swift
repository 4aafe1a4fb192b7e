// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The user's word on sandboxed apps: each is asked about before its first notification is shown, whether or not it
/// registers.
extension Center {
  /// Whether what is due may be shown now. What may not is over; what the user has not decided about waits.
  func mayShow(_ due: Due) -> Bool {
    let settings = apps[due.request.app]
    if due.rights != .all && !settings.isDecided {
      waitForDecision(due)
      return false
    }
    if settings.allowed.contains(.alert) { return true }
    notAllowed(due)
    return false
  }

  private func notAllowed(_ due: Due) { end(due, .notAllowed) }

  /// Shown when the user allows the app; over when the user does not, or puts the question away.
  private func waitForDecision(_ due: Due) {
    let app = due.request.app
    guard isBeingAsked(app) || undecided.mayAsk(app, at: EventLoop.Clock.monotonic.now), undecided.wait(due) else {
      return notAllowed(due)
    }
    askAbout(app)
  }

  /// A request of a sandboxed program was taken in: where the user has yet to decide, that is asked now, and not only when
  /// the request is due.
  func askIfUndecided(_ rights: Rights) {
    guard let app = rights.ownApp, !apps[app].isDecided else { return }
    askAbout(app)
  }

  private func isBeingAsked(_ app: String) -> Bool { permissionQuestions[Identifier(app)] != nil }

  private func askAbout(_ app: String) {
    guard !isBeingAsked(app), undecided.mayAsk(app, at: EventLoop.Clock.monotonic.now) else { return }
    // At once, so that a second request finds it asked.
    _ = Task.immediate { _ = await decision(on: app) }
  }

  /// Whether the user allows the app; nil: the user did not say, today or just now. One question stands for all who want
  /// to know.
  func decision(on app: String) async -> Bool? {
    if isBeingAsked(app) {
      return await loop.withContinuation { continuation in
        // It may have ended on the way here: then there is no decision to wait for.
        guard isBeingAsked(app) else { return continuation.resume(returning: nil) }
        permissionQuestions[Identifier(app)]?.append { continuation.resume(returning: $0) }
      }
    }
    let now = EventLoop.Clock.monotonic.now
    guard undecided.mayAsk(app, at: now) else { return nil }
    undecided.asked(app, at: now)
    permissionQuestions[Identifier(app)] = []
    let answer = await ask(
      "Let '\(displayName(of: app, isSandboxed: true))' notify you?",
      "It has asked to show notifications. 'suzu apps' changes this at any time.", ["Allow", "Don't Allow"],
      of: NotificationRequest.defaultApp)
    let isAllowed = answer.index.map { $0 == 0 }
    // A question that the user never saw to its end may be asked again at once.
    if case .lost = answer { undecided.forgetAsked(app) }
    var settings = apps[app]
    // The user may have decided in another way meanwhile.
    if let isAllowed, !settings.isDecided {
      settings.decide(isAllowed)
      // Where it cannot be written down, it counts for what waits, and is asked again after the next start.
      try? keep(settings, of: app)
    }
    for other in permissionQuestions.removeValue(forKey: Identifier(app)) ?? [] { other(isAllowed) }
    let isShown = settings.isDecided && settings.allowed.contains(.alert)
    release(undecided.takeAll(of: app), isShown: isShown)
    return isAllowed
  }

  /// Ends the wait of what was kept, as the app's settings are now.
  func release(_ waiting: [Due]) {
    guard let app = waiting.first?.request.app else { return }
    release(waiting, isShown: apps[app].allowed.contains(.alert))
  }

  private func release(_ waiting: [Due], isShown: Bool) {
    if waiting.isEmpty { return }
    for due in waiting {
      if !isShown { notAllowed(due) } else if !isAskedAbout(due) { put(due) }
    }
    noteEnded()
    post()
  }

  // MARK: Names

  /// What the user knows an app by. A desktop entry can say anything, so that of a sandboxed app comes with its id.
  func displayName(of app: String, isSandboxed: Bool) -> String {
    let id = DisplayText.line(app)
    if app == NotificationRequest.defaultApp { return "Suzu" }
    guard let name = desktop.name(app).map(DisplayText.line), !name.isEmpty, name != id else { return id }
    return isSandboxed ? "\(name) (\(id))" : name
  }
}
