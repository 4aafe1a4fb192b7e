// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The user's word on apps. A sandboxed one is asked about before its first notification is shown, whether or not it
/// registers.
final class Permissions {
  private let loop: EventLoop
  private let apps: Apps
  private let names: AppNames
  private let questions: Questions
  private let inFront: AppsInFront
  private let screen: Screen
  private let poster: Poster
  private let ends: Ends
  /// What waits for the user's decision about sandboxed apps.
  private var undecided = Undecided()
  /// The apps about which the user is being asked, and who else wants to know the answer.
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

  // MARK: What is due

  /// Whether what is due may be shown now. What may not is over; what the user has not decided about waits.
  func mayShow(_ due: Due) -> Bool {
    let settings = apps[due.request.app]
    if due.rights != .all && !settings.isDecided {
      waitForDecision(due)
      return false
    }
    if settings.allowed.contains(.alert) { return true }
    ends.end(due, .notAllowed)
    return false
  }

  /// Shown when the user allows the app; over when the user does not, or puts the question away.
  private func waitForDecision(_ due: Due) {
    let app = due.request.app
    guard isBeingAsked(app) || undecided.mayAsk(app, at: EventLoop.Clock.monotonic.now), undecided.wait(due) else {
      return ends.end(due, .notAllowed)
    }
    askAbout(app)
  }

  /// A request of a sandboxed program was taken in: where the user has yet to decide, that is asked now, and not only when
  /// the request is due.
  func askIfUndecided(_ rights: Rights) {
    guard let app = rights.ownApp, !apps[app].isDecided else { return }
    askAbout(app)
  }

  /// Ends what waits for the user's decision and has one of these ids; returns their ids.
  func end(_ app: String, _ end: RequestEnd, where isMeant: (String) -> Bool) -> [String] {
    undecided.withdraw(app, isMeant).map { due in
      ends.note(due, end)
      return due.request.id ?? ""
    }
  }

  /// The ids of the app's requests that wait.
  func waitingIDs(of app: String) -> [String] { undecided.ids(of: app) }

  /// How many requests wait; nil: of every app.
  func waitingCount(of app: String?) -> Int { undecided.count(of: app) }

  // MARK: Asking

  private func isBeingAsked(_ app: String) -> Bool { asking[Identifier(app)] != nil }

  private func askAbout(_ app: String) {
    guard !isBeingAsked(app), undecided.mayAsk(app, at: EventLoop.Clock.monotonic.now) else { return }
    // At once, so that a second request finds it asked.
    loop.start { _ = await self.decision(on: app) }
  }

  /// Whether the user allows the app; nil: the user did not say, today or just now. One question stands for all who want
  /// to know.
  private func decision(on app: String) async -> Bool? {
    if isBeingAsked(app) {
      return await loop.withContinuation { continuation in
        // It may have ended on the way here: then there is no decision to wait for.
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
    // A question that the user never saw to its end may be asked again at once.
    if case .lost = answer { undecided.forgetAsked(app) }
    var settings = apps[app]
    // The user may have decided in another way meanwhile.
    if let isAllowed, !settings.isDecided {
      settings.decide(isAllowed)
      // Where it cannot be written down, it counts for what waits, and is asked again after the next start.
      try? keep(settings)
    }
    for other in asking.removeValue(forKey: Identifier(app)) ?? [] { other(isAllowed) }
    release(undecided.takeAll(of: app), isShown: settings.isDecided && settings.allowed.contains(.alert))
    return isAllowed
  }

  /// Ends the wait of what was kept.
  private func release(_ waiting: [Due], isShown: Bool) {
    if waiting.isEmpty { return }
    for due in waiting {
      if !isShown { ends.end(due, .notAllowed) } else if !inFront.isAsked(about: due) { screen.put(due) }
    }
    ends.carryOut()
    poster.post()
  }

  // MARK: Settings

  /// Returns what the app may do of what it asks for.
  ///
  /// - Parameter mustAsk: the user is asked, once, because the app is a sandboxed one.
  func register(
    _ app: String, _ kinds: Set<NoticeKind>, mustAsk: Bool
  ) async throws(CenterError) -> Set<NoticeKind> {
    if mustAsk && !apps[app].isDecided {
      let isAllowed = await decision(on: app)
      // It was put away, or could not be written down; the user's own programs are not held to either.
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

  /// The user's word: these, and no others.
  func allow(_ app: String, _ kinds: Set<NoticeKind>) throws(CenterError) {
    var settings = apps[app]
    (settings.allowed, settings.isDecided) = (kinds, true)
    try keep(settings)
    release(undecided.takeAll(of: app), isShown: apps[app].allowed.contains(.alert))
  }

  private func keep(_ settings: AppSettings) throws(CenterError) {
    do throws(StoreError) { try apps.set(settings) } catch { throw CenterError(error) }
  }
}
