// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// An app that is in front may show what is due by itself, and is asked before it is shown.
final class AppsInFront {
  private let loop: EventLoop
  private let audience: any Audience
  private let screen: Screen
  private let poster: Poster
  private let ends: Ends
  private let signs: Signs
  /// Asks a handler how it wants a request shown; nil: it did not say.
  private let ask: (Caller, NotificationRequest) async -> Set<NoticeKind>?
  /// The handlers of apps that the user looks at.
  private var handlers: [Identifier: Caller] = [:]
  /// What these are being asked about: it is pending until they answer.
  private var asked = Presenting()

  init(
    on loop: EventLoop, audience: any Audience, screen: Screen, poster: Poster, ends: Ends, signs: Signs,
    ask: @escaping (Caller, NotificationRequest) async -> Set<NoticeKind>?
  ) {
    self.loop = loop
    self.audience = audience
    self.screen = screen
    self.poster = poster
    self.ends = ends
    self.signs = signs
    self.ask = ask
  }

  /// A handler says whether its app is what the user looks at.
  func set(_ isInFront: Bool, _ app: String, _ caller: Caller) throws(CenterError) {
    guard isInFront else { return leave(app, caller) }
    guard audience.handler(of: app) == caller else {
      throw CenterError(.notFound, "you are not the handler of '\(DisplayText.line(app))': attach first")
    }
    handlers[Identifier(app)] = caller
  }

  func leave(_ app: String, _ caller: Caller) {
    if handlers[Identifier(app)] == caller { handlers[Identifier(app)] = nil }
  }

  /// A caller left the bus.
  func forget(_ caller: Caller) { handlers = handlers.filter { $0.value != caller } }

  // MARK: What is due

  /// Whether the app is asked; it decides what happens then. Until it has, the request is pending.
  func isAsked(about due: Due) -> Bool {
    guard let handler = handlers[Identifier(due.request.app)], !due.isAgain else { return false }
    // A sandboxed app is not asked about what the user requests in its name.
    if due.rights == .all, audience.isSandboxed(handler) { return false }
    let question = asked.add(due)
    loop.start { await self.ask(handler, about: due, question) }
    return true
  }

  /// Ends what an app is asked about under that name, because a newer one came: its answer counts no more.
  func supersede(_ key: RequestKey) {
    if let earlier = asked.remove(key) { ends.note(earlier, .replaced) }
  }

  /// Cancels what an app is asked about: it is not shown, whatever the app answers. No ids stand for all.
  func cancel(_ app: String, _ ids: Set<Identifier>) -> [RequestKey] {
    let keys = keys(of: app).filter { ids.isEmpty || ids.contains(Identifier($0.id)) }
    for key in keys { if let due = asked.remove(key) { ends.note(due, .cancelled) } }
    return keys
  }

  /// What apps are being asked about; nil: of every app.
  func keys(of app: String?) -> [RequestKey] {
    asked.keys { key in app.map { key.app.isIdentical(to: $0) } ?? true }
  }

  private func ask(_ handler: Caller, about due: Due, _ question: Presenting.Question) async {
    var request = due.request
    let kinds = await ask(handler, request)
    // Cancelled or replaced meanwhile.
    guard asked.take(question) else { return }
    // An app that does not say is not in front.
    guard let kinds else { return show(due) }
    if kinds.contains(.alert) {
      if !kinds.contains(.sound) { request.sound = "none" }
      if !kinds.contains(.badge) { request.badge = nil }
      return show(due.showing(request))
    }
    ends.end(due, .presented)
    if kinds.contains(.badge) { signs.setBadge(of: request) }
    if kinds.contains(.sound) { signs.playSound(of: request) }
  }

  private func show(_ due: Due) {
    screen.put(due)
    ends.carryOut()
    poster.post()
  }
}
