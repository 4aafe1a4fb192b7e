// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Apps in the foreground. Such an app may present a due request itself, so it is asked before the center shows one. An
/// app that changes pushes is asked first, in the foreground or not.
final class AppsInFront {
  private let loop: EventLoop
  private let audience: any Audience
  private let screen: Screen
  private let poster: Poster
  private let ends: Ends
  private let signs: Signs
  /// Asks a handler how to show a request; returns nil if it does not answer.
  private let ask: (Caller, NotificationRequest) async -> Set<NoticeKind>?
  /// The apps that change their pushes.
  let pushes: PushChanges
  /// The handlers of the apps in the foreground.
  private var handlers = AppHandlers()
  /// The requests that these apps are being asked about; each is pending until its app answers.
  private var asked = Presenting()

  init(
    on loop: EventLoop, audience: any Audience, screen: Screen, poster: Poster, ends: Ends, signs: Signs,
    ask: @escaping (Caller, NotificationRequest) async -> Set<NoticeKind>?, pushes: PushChanges
  ) {
    self.loop = loop
    self.audience = audience
    self.screen = screen
    self.poster = poster
    self.ends = ends
    self.signs = signs
    self.ask = ask
    self.pushes = pushes
  }

  /// Records whether the handler's app is in the foreground.
  func set(_ isInFront: Bool, _ app: String, _ caller: Caller) throws(CenterError) {
    guard isInFront else { return leave(app, caller) }
    try handlers.add(caller, of: app, in: audience)
  }

  /// The caller is no longer a handler of the app.
  func detach(_ app: String, _ caller: Caller) {
    leave(app, caller)
    pushes.leave(app, caller)
  }

  private func leave(_ app: String, _ caller: Caller) {
    handlers.remove(caller, of: app)
  }

  /// A caller left the bus.
  func forget(_ caller: Caller) {
    handlers.forget(caller)
    pushes.forget(caller)
  }

  // MARK: Due requests

  /// Asks the app, if it is in front, and carries out its answer; returns whether it is asked. The request is pending
  /// until then.
  func isAsked(about due: Due) -> Bool {
    if pushes.mayChange(due) {
      let question = asked.add(due)
      loop.start { await self.change(due, question) }
      return true
    }
    return isAskedHowToShow(due)
  }

  /// Lets the app change a push, and carries on with the original if it has not.
  private func change(_ due: Due, _ question: Presenting.Question) async {
    await pushes.change(due)
    // The app has submitted another request in its place, or it was cancelled.
    guard asked.take(question) else { return }
    if !isAskedHowToShow(due) { show(due) }
  }

  private func isAskedHowToShow(_ due: Due) -> Bool {
    guard let handler = handlers[due.request.app], !due.isAgain else { return false }
    // A sandboxed app is not asked about what the user requests in its name.
    if due.rights == .all, audience.isSandboxed(handler) { return false }
    let question = asked.add(due)
    loop.start { await self.ask(handler, about: due, question) }
    return true
  }

  /// Ends the question about an earlier request with this key: a newer one replaced it, so the answer no longer counts.
  func supersede(_ key: RequestKey) {
    if let earlier = asked.remove(key) { ends.note(earlier, .replaced) }
  }

  /// Cancels the requests that the app is being asked about; no ids means all. They are not shown, whatever the app
  /// answers.
  func cancel(_ app: String, _ ids: Set<Identifier>) -> [RequestKey] {
    let keys = keys(of: app).filter { ids.isEmpty || ids.contains(Identifier($0.id)) }
    for key in keys { if let due = asked.remove(key) { ends.note(due, .cancelled) } }
    return keys
  }

  /// The requests that apps are being asked about; nil means those of every app.
  func keys(of app: String?) -> [RequestKey] {
    asked.keys { key in app.map { key.app.isIdentical(to: $0) } ?? true }
  }

  /// The request with this key that an app is being asked about.
  subscript(key: RequestKey) -> Due? { asked[key] }

  private func ask(_ handler: Caller, about due: Due, _ question: Presenting.Question) async {
    var request = due.request
    let kinds = await ask(handler, request)
    // The request was cancelled or replaced while the app was asked.
    guard asked.take(question) else { return }
    // An app that does not answer counts as not in front.
    guard let kinds else { return show(due) }
    if kinds.contains(.alert) {
      if !kinds.contains(.sound) { request.silence() }
      if !kinds.contains(.badge) { request.removeBadge() }
      return show(due.showing(request))
    }
    ends.end(due, .presented)
    if kinds.contains(.badge) { signs.setBadge(of: request) }
    if kinds.contains(.sound) {
      signs.playSound(of: request)
      signs.speak(request)
    }
  }

  private func show(_ due: Due) {
    screen.put(due)
    ends.carryOut()
    poster.post()
  }
}
