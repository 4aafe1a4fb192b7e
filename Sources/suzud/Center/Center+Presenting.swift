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
      if appsInFront[app] == caller { appsInFront[app] = nil }
      return
    }
    guard handlerOnBus(of: app) == caller else {
      throw RemoteError(CenterInterface.notFound, "you are not the handler of '\(DisplayText.line(app))': attach first")
    }
    appsInFront[app] = caller
  }

  /// Whether the app is asked; what becomes of it then is its word.
  func isAskedAbout(_ due: Due) -> Bool {
    guard let handler = appsInFront[due.request.app], !due.isAgain else { return false }
    // What the user asked for in a sandboxed app's name is shown, and none of the app's business.
    if due.rights == .all, listeners.assumeIsolated({ $0.isSandboxed(handler) }) { return false }
    _ = Task.immediate { await ask(handler, about: due) }
    return true
  }

  private func ask(_ handler: BusName, about due: Due) async {
    var request = due.request
    guard let kinds = await wanted(for: request, by: handler) else { return show(due) }
    if kinds.contains(.alert) {
      if !kinds.contains(.sound) { request.sound = "none" }
      if !kinds.contains(.badge) { request.badge = nil }
      return show(due.showing(request))
    }
    noteClosed(due, "presented by the app")
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
