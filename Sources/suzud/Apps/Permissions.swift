// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The user's decisions about apps. The user is asked about a sandboxed app before its first notification is shown,
/// whether or not the app registers.
final class Permissions {
  private let loop: EventLoop
  private let apps: Apps
  private let names: AppNames
  private let questions: Questions
  private let inFront: AppsInFront
  private let screen: Screen
  private let poster: Poster
  private let ends: Ends
  /// Due requests of sandboxed apps that wait for the user's decision.
  private var undecided = Undecided()
  /// The apps about which the user is being asked, and the callbacks that wait for the answer.
  private var asking: [Identifier: [(Bool?) -> Void]] = [:]

  init(
    on loop: EventLoop, apps: Apps, names: AppNames, questions: Questions, inFront: AppsInFront, screen: Screen,
    poster: Poster, ends: Ends
  ) {
    self.loop = loop
    self.apps = apps
    self.names = names
    self.questions = questions
    self.inFront = inFront
    self.screen = screen
    self.poster = poster
    self.ends = ends
  }

  // MARK: Due requests

  /// Whether a due request may be shown now. Ends it if the app is not allowed; holds it if the user has not decided.
  func mayShow(_ due: Due) -> Bool {
    let settings = apps[due.request.app.text]
    if due.rights != .all && !settings.isDecided {
      waitForDecision(due)
      return false
    }
    if settings.allowed.contains(.alert) { return true }
    ends.end(due, .notAllowed)
    return false
  }

  /// Shows the request if the user allows the app; ends it if the user does not, or closes the question.
  private func waitForDecision(_ due: Due) {
    let app = due.request.app.text
    guard isBeingAsked(app) || undecided.mayAsk(app, at: EventLoop.Clock.monotonic.now), undecided.wait(due) else {
      return ends.end(due, .notAllowed)
    }
    askAbout(app)
  }

  /// Asks the user about a sandboxed app as soon as it makes a request, not only when the request is due.
  func askIfUndecided(_ rights: Rights) {
    guard let app = rights.ownApp, !apps[app].isDecided else { return }
    askAbout(app)
  }

  /// Ends the waiting requests with one of these ids; returns their ids.
  func end(_ app: String, _ end: RequestEnd, where isMeant: (String) -> Bool) -> [String] {
    undecided.withdraw(app, isMeant).map { due in
      ends.note(due, end)
      return due.request.id?.text ?? ""
    }
  }

  /// The ids of the app's waiting requests.
  func waitingIDs(of app: String) -> [String] { undecided.ids(of: app) }

  /// How many requests wait; nil means those of every app.
  func waitingCount(of app: String?) -> Int { undecided.count(of: app) }

  // MARK: Asking

  private func isBeingAsked(_ app: String) -> Bool { asking[Identifier(app)] != nil }

  private func askAbout(_ app: String) {
    guard !isBeingAsked(app), undecided.mayAsk(app, at: EventLoop.Clock.monotonic.now) else { return }
    // In this turn, so that a second request finds the question asked.
    loop.start { _ = await self.decision(on: app) }
  }

  /// Whether the user allows the app; nil if the user has not answered, or was asked today already. All callers share
  /// one question.
  private func decision(on app: String) async -> Bool? {
    if isBeingAsked(app) {
      return await loop.withContinuation { continuation in
        // The question may have ended before this task ran: then there is no decision to wait for.
        guard isBeingAsked(app) else { return continuation.resume(returning: nil) }
        asking[Identifier(app)]?.append { continuation.resume(returning: $0) }
      }
    }
    let now = EventLoop.Clock.monotonic.now
    guard undecided.mayAsk(app, at: now) else { return nil }
    undecided.asked(app, at: now)
    asking[Identifier(app)] = []
    let answer = await questions.ask(
      "Let '\(names.name(of: app, isSandboxed: true))' notify you?",
      "It has asked to show notifications. 'suzu apps' changes this at any time.", ["Allow", "Don't Allow"],
      of: NotificationRequest.defaultApp)
    let isAllowed = answer.index.map { $0 == 0 }
    // A question that left the screen without an answer from the user may be asked again immediately.
    if case .lost = answer { undecided.forgetAsked(app) }
    var settings = apps[app]
    // The user may have decided with `suzu apps` while the question was shown.
    if let isAllowed, !settings.isDecided {
      settings.decide(isAllowed)
      // If the store fails, the decision counts for the waiting requests, and the user is asked again after the next
      // start.
      try? keep(settings)
    }
    for other in asking.removeValue(forKey: Identifier(app)) ?? [] { other(isAllowed) }
    release(undecided.takeAll(of: app), isShown: settings.isDecided && settings.allowed.contains(.alert))
    return isAllowed
  }

  /// Shows the requests that waited, or ends them.
  private func release(_ waiting: [Due], isShown: Bool) {
    if waiting.isEmpty { return }
    for due in waiting {
      if !isShown { ends.end(due, .notAllowed) } else if !inFront.isAsked(about: due) { screen.put(due) }
    }
    ends.carryOut()
    poster.post()
  }

  // MARK: Settings

  /// Returns which of the requested kinds the app may use.
  ///
  /// - Parameter mustAsk: whether to ask the user, once: the app is sandboxed.
  func register(
    _ app: String, _ kinds: Set<NoticeKind>, mustAsk: Bool
  ) async throws(CenterError) -> Set<NoticeKind> {
    if mustAsk && !apps[app].isDecided {
      let isAllowed = await decision(on: app)
      // The user closed the question, or the store failed. Neither restricts programs outside a sandbox.
      var settings = apps[app]
      settings.asked.formUnion(kinds)
      if let isAllowed, !settings.isDecided { settings.decide(isAllowed) }
      try keep(settings)
      return settings.isDecided ? settings.allowed.intersection(kinds) : []
    }
    var settings = apps[app]
    settings.asked.formUnion(kinds)
    try keep(settings)
    return settings.allowed.intersection(kinds)
  }

  /// Records the user's decision: exactly these kinds.
  func allow(_ app: String, _ kinds: Set<NoticeKind>) throws(CenterError) {
    var settings = apps[app]
    (settings.allowed, settings.isDecided) = (kinds, true)
    try keep(settings)
    release(undecided.takeAll(of: app), isShown: apps[app].allowed.contains(.alert))
  }

  /// Forgets the user's decision: the app is as if the user had never decided about it.
  func reset(_ app: String) throws(CenterError) {
    undecided.forgetAsked(app)
    let asked = apps[app].asked
    if !asked.isEmpty { return try keep(AppSettings(app: app, asked: asked)) }
    do throws(StoreError) { try apps.remove(app) } catch { throw CenterError(error) }
  }

  private func keep(_ settings: AppSettings) throws(CenterError) {
    do throws(StoreError) { try apps.set(settings) } catch { throw CenterError(error) }
  }
}
