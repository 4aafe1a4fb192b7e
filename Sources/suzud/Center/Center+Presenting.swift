// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// An app that is in front may show what is due by itself, and is asked before it is shown.
extension Center {
  /// A handler says whether its app is what the user looks at.
  func setInFront(_ isInFront: Bool, _ app: String, _ caller: BusName) throws(RemoteError) {
    guard isInFront else {
      if appsInFront[Identifier(app)] == caller { appsInFront[Identifier(app)] = nil }
      return
    }
    guard handlerOnBus(of: app) == caller else {
      throw RemoteError(CenterInterface.notFound, "you are not the handler of '\(DisplayText.line(app))': attach first")
    }
    appsInFront[Identifier(app)] = caller
  }

  /// Whether the app is asked; it decides what happens then. Until it has, the request is pending.
  func isAskedAbout(_ due: Due) -> Bool {
    guard let handler = appsInFront[Identifier(due.request.app)], !due.isAgain else { return false }
    // A sandboxed app is not asked about what the user requests in its name.
    if due.rights == .all, listeners.assumeIsolated({ $0.isSandboxed(handler) }) { return false }
    let question = presenting.add(due)
    _ = Task.immediate { await ask(handler, about: due, question) }
    return true
  }

  /// Ends what an app is asked about under that name, because a newer one came: its answer counts no more.
  func supersede(_ key: RequestKey) {
    if let earlier = presenting.remove(key) { ledger.end(earlier, .replaced) }
  }

  private func ask(_ handler: BusName, about due: Due, _ question: Presenting.Question) async {
    var request = due.request
    let kinds = await wanted(for: request, by: handler)
    // Cancelled or replaced meanwhile.
    guard presenting.take(question) else { return }
    guard let kinds else { return show(due) }
    if kinds.contains(.alert) {
      if !kinds.contains(.sound) { request.sound = "none" }
      if !kinds.contains(.badge) { request.badge = nil }
      return show(due.showing(request))
    }
    end(due, .presented)
    if let badge = request.badge, kinds.contains(.badge) { badges.set(badge, of: request.app, journal) }
    if let sound = request.sound, sound != "none", kinds.contains(.sound) { desktop.play(sound) }
  }

  private func show(_ due: Due) {
    put(due)
    noteEnded()
    post()
  }

  /// Nil: it did not say, and then it is shown as if nobody were in front.
  private func wanted(for request: NotificationRequest, by handler: BusName) async -> Set<AppSettings.Kind>? {
    let words = (try? ValueEncoder().encodeProperties(request)) ?? [:]
    let call = MethodCall(
      to: handler, "/dev/suzu/Handler", "dev.suzu.Handler1", "WillPresent",
      [.string(request.app), .string(request.id ?? ""), .properties(words)], startsService: false)
    guard let texts = (try? await connection.call(call, limit: patience.presenting))?.first?.strings else { return nil }
    return Set(texts.compactMap(AppSettings.Kind.init))
  }
}
