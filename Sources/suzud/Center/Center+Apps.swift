// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// What apps ask to be allowed, and what the user allows them.
extension Center {
  /// Returns what the app may do of what it asks for.
  ///
  /// - Parameter mustAsk: the user is asked, once: where nobody vouches for the app.
  func register(
    _ app: String, _ kinds: Set<AppSettings.Kind>, mustAsk: Bool
  ) async throws(RemoteError) -> [String] {
    var settings = apps[app]
    settings.asked.formUnion(kinds)
    if mustAsk && !settings.isDecided {
      // Somebody may have registered twice before the answer: one question stands for both.
      let isAllowed = await isAllowed(app)
      settings = apps[app]
      settings.asked.formUnion(kinds)
      if !settings.isDecided {
        settings.isDecided = isAllowed != nil
        settings.allowed = isAllowed == true ? Set(AppSettings.Kind.allCases) : []
      }
    }
    try keep(settings, of: app)
    return AppSettings.texts(settings.allowed.intersection(kinds))
  }

  /// The user's word: these, and no others.
  func allow(_ app: String, _ kinds: Set<AppSettings.Kind>) throws(RemoteError) {
    var settings = apps[app]
    (settings.allowed, settings.isDecided) = (kinds, true)
    try keep(settings, of: app)
  }

  private func keep(_ settings: AppSettings, of app: String) throws(RemoteError) {
    do throws(StoreError) { try apps.set(settings, of: app) } catch { throw RemoteError(error) }
  }

  /// Nil: the user did not say.
  private func isAllowed(_ app: String) async -> Bool? {
    let key = Identifier(app)
    if permissionQuestions[key] != nil {
      return await loop.withContinuation { continuation in
        // It may have ended on the way here: then there is no decision to wait for.
        guard permissionQuestions[key] != nil else { return continuation.resume(returning: nil) }
        permissionQuestions[key]?.append { continuation.resume(returning: $0) }
      }
    }
    permissionQuestions[key] = []
    let name = DisplayText.line(app)
    let answer = await ask(
      "Let '\(name)' notify you?", "It has asked to show notifications. 'suzu apps' changes this at any time.",
      ["Allow", "Don't Allow"], of: NotificationRequest.usualApp)
    let isAllowed = answer.map { $0 == 0 }
    for other in permissionQuestions.removeValue(forKey: key) ?? [] { other(isAllowed) }
    return isAllowed
  }

  func settings(of app: String) -> [String: Value] {
    let settings = apps[app]
    return [
      "asked": .strings(AppSettings.texts(settings.asked)), "allowed": .strings(AppSettings.texts(settings.allowed)),
      "decided": .boolean(settings.isDecided),
    ]
  }

  /// Every app that has asked, or that the user has decided about.
  var appSettings: [Value] {
    apps.names.map { .properties(settings(of: $0).merging(["app": .string($0)]) { $1 }) }
  }

  /// Whether what is due may be shown; what may not is over.
  func mayShow(_ due: Due) -> Bool {
    if apps[due.request.app].allowed.contains(.alert) { return true }
    end(due, .notAllowed)
    return false
  }
}
