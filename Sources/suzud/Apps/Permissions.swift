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
  private let held: HeldRequests
  private let screen: Screen
  private let poster: Poster
  private let ends: Ends
  /// Due requests of sandboxed apps that wait for the user's decision.
  private var undecided = Undecided()
  /// The apps about which the user is being asked, and the callbacks that wait for the answer.
  private var asking: [Identifier: [(Bool?) -> Void]] = [:]

  init(
    on loop: EventLoop, apps: Apps, names: AppNames, questions: Questions, inFront: AppsInFront,
    held: HeldRequests, screen: Screen, poster: Poster, ends: Ends
  ) {
    self.loop = loop
    self.apps = apps
    self.names = names
    self.questions = questions
    self.inFront = inFront
    self.held = held
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
    if settings.allowed.contains(.alert) { return mayLearn(due) }
    ends.end(due, .notAllowed)
    return false
  }

  /// Whether the app may learn that the condition of a due request was met. Ends or holds it in the same way.
  private func mayLearn(_ due: Due) -> Bool {
    guard due.rights != .all, let sense = due.request.sense else { return true }
    let (app, settings) = (due.request.app.text, apps[due.request.app.text])
    if settings.allowed.contains(sense) { return true }
    let question = Question(app: app, sense: sense)
    guard !settings.denied.contains(sense),
      isBeingAsked(question) || undecided.mayAsk(question.key, at: EventLoop.Clock.monotonic.now), undecided.wait(due)
    else {
      ends.end(due, .notAllowed)
      return false
    }
    ask(question)
    return false
  }

  /// Refuses a request whose condition would tell the app what the user does not let it know.
  func check(_ request: NotificationRequest, _ rights: Rights) throws(CenterError) {
    guard rights != .all, let sense = request.sense, apps[request.app.text].denied.contains(sense) else { return }
    throw CenterError(
      .accessDenied, "'on': the user does not let this app know about \(sense.rawValue); 'suzu apps' changes that")
  }

  /// Shows the request if the user allows the app; ends it if the user does not, or closes the question.
  private func waitForDecision(_ due: Due) {
    let app = due.request.app.text
    let question = Question(app: app)
    guard isBeingAsked(question) || undecided.mayAsk(app, at: EventLoop.Clock.monotonic.now), undecided.wait(due) else {
      return ends.end(due, .notAllowed)
    }
    ask(question)
  }

  /// Asks the user about a sandboxed app as soon as it makes requests, not only when they are due.
  func askIfUndecided(_ rights: Rights, _ requests: [NotificationRequest]) {
    guard let app = rights.ownApp else { return }
    if !apps[app].isDecided { ask(Question(app: app)) }
    // What cannot be shown anyway needs no question.
    guard !apps[app].isDecided || apps[app].allowed.contains(.alert) else { return }
    for sense in Set(requests.compactMap(\.sense)) where !apps[app].isDecided(on: sense) {
      ask(Question(app: app, sense: sense))
    }
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

  /// The app's waiting requests.
  func waiting(of app: String) -> [Due] { undecided.waiting(of: app) }

  /// How many requests wait; nil means those of every app.
  func waitingCount(of app: String?) -> Int { undecided.count(of: app) }

  // MARK: Asking

  /// A question about an app: whether it may notify the user or, with a sense, what it may know.
  private struct Question {
    let app: String
    var sense: NoticeKind?

    var key: String { app + (sense.map { "\n" + $0.rawValue } ?? "") }

    func isDecided(in settings: AppSettings) -> Bool { sense.map(settings.isDecided(on:)) ?? settings.isDecided }

    func title(_ name: String) -> String {
      switch sense {
      case .places: "Let '\(name)' know when you are at a place?"
      case .networks: "Let '\(name)' know when you use a network?"
      default: "Let '\(name)' notify you?"
      }
    }

    var body: String {
      let what = sense == nil ? "It has asked to show notifications." : "It has asked to notify you then."
      return what + " 'suzu apps' changes this at any time."
    }
  }

  private func isBeingAsked(_ question: Question) -> Bool { asking[Identifier(question.key)] != nil }

  private func ask(_ question: Question) {
    guard !isBeingAsked(question), undecided.mayAsk(question.key, at: EventLoop.Clock.monotonic.now) else { return }
    // In this turn, so that a second request finds the question asked.
    loop.start { _ = await self.decision(on: question) }
  }

  /// Whether the user allows it; nil if the user has not answered, or was asked today already. All callers share one
  /// question.
  private func decision(on question: Question) async -> Bool? {
    let (app, key) = (question.app, Identifier(question.key))
    if isBeingAsked(question) {
      return await loop.withContinuation { continuation in
        // The question may have ended before this task ran: then there is no decision to wait for.
        guard isBeingAsked(question) else { return continuation.resume(returning: nil) }
        asking[key]?.append { continuation.resume(returning: $0) }
      }
    }
    let now = EventLoop.Clock.monotonic.now
    guard undecided.mayAsk(question.key, at: now) else { return nil }
    undecided.asked(question.key, at: now)
    asking[key] = []
    let answer = await questions.ask(
      question.title(names.name(of: app, isSandboxed: true)), question.body, ["Allow", "Don't Allow"],
      of: NotificationRequest.defaultApp)
    let isAllowed = answer.index.map { $0 == 0 }
    // A question that left the screen without an answer from the user may be asked again immediately.
    if case .lost = answer { undecided.forgetAsked(question.key) }
    var settings = apps[app]
    // The user may have decided with `suzu apps` while the question was shown.
    if let isAllowed, !question.isDecided(in: settings) {
      settings.decide(isAllowed, on: question.sense)
      // If the store fails, the decision counts for the waiting requests, and the user is asked again after the next
      // start.
      try? keep(settings)
    }
    for other in asking.removeValue(forKey: key) ?? [] { other(isAllowed) }
    release(undecided.takeAll(of: app), settings)
    return isAllowed
  }

  /// Shows the requests that waited, or ends them. Those about which another question is open wait on.
  private func release(_ waiting: [Due], _ settings: AppSettings) {
    if waiting.isEmpty { return }
    for due in waiting {
      let sense = due.request.sense
      let isOpen =
        isBeingAsked(Question(app: settings.app)) && !settings.isDecided
        || sense.map { isBeingAsked(Question(app: settings.app, sense: $0)) && !settings.isDecided(on: $0) } ?? false
      if isOpen, undecided.wait(due) { continue }
      let isShown =
        settings.isDecided && settings.allowed.contains(.alert) && sense.map(settings.allowed.contains) ?? true
      if !isShown {
        ends.end(due, .notAllowed)
      } else if !held.keeps(due), !inFront.isAsked(about: due) {
        screen.put(due)
      }
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
    if mustAsk {
      for sense in NoticeKind.senses.intersection(kinds) where !apps[app].isDecided(on: sense) {
        _ = await decision(on: Question(app: app, sense: sense))
      }
    }
    if mustAsk && !apps[app].isDecided && !kinds.isSubset(of: NoticeKind.senses) {
      let isAllowed = await decision(on: Question(app: app))
      // The user closed the question, or the store failed. Neither restricts programs outside a sandbox.
      var settings = apps[app]
      settings.asked.formUnion(kinds)
      if let isAllowed, !settings.isDecided { settings.decide(isAllowed) }
      try keep(settings)
      return settings.allowed.intersection(settings.isDecided ? kinds : kinds.intersection(NoticeKind.senses))
    }
    var settings = apps[app]
    settings.asked.formUnion(kinds)
    try keep(settings)
    // The user's own programs need no permission for a condition, so they have it unless it was denied.
    let senses = mustAsk ? [] : NoticeKind.senses.subtracting(settings.denied)
    return settings.allowed.union(senses).intersection(kinds)
  }

  /// Records the user's decision: exactly these kinds.
  func allow(_ app: String, _ kinds: Set<NoticeKind>) throws(CenterError) {
    var settings = apps[app]
    settings.decide(kinds)
    try keep(settings)
    release(undecided.takeAll(of: app), apps[app])
  }

  /// Records when its notifications come; what the user allows it stays.
  func configure(_ settings: AppSettings) throws(CenterError) { try keep(settings) }

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

extension NotificationRequest {
  /// What an app learns when the condition of this request is met; nil if that is nothing of which the user decides.
  var sense: NoticeKind? {
    switch schedule.occasions?.condition.subject {
    case .place, .beacon: .places
    case .wifi, .network: .networks
    default: nil
    }
  }
}
