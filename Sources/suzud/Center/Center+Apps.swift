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
    if mustAsk && !apps[app].isDecided {
      let isAllowed = await decision(on: app)
      // It was put away, or could not be written down; the user's own programs are not held to either.
      var settings = apps[app]
      settings.asked.formUnion(kinds)
      if let isAllowed, !settings.isDecided { settings.decide(isAllowed) }
      try keep(settings, of: app)
      return settings.isDecided ? AppSettings.texts(settings.allowed.intersection(kinds)) : []
    }
    var settings = apps[app]
    settings.asked.formUnion(kinds)
    try keep(settings, of: app)
    return AppSettings.texts(settings.allowed.intersection(kinds))
  }

  /// The user's word: these, and no others.
  func allow(_ app: String, _ kinds: Set<AppSettings.Kind>) throws(RemoteError) {
    var settings = apps[app]
    (settings.allowed, settings.isDecided) = (kinds, true)
    try keep(settings, of: app)
    release(undecided.takeAll(of: app))
  }

  func keep(_ settings: AppSettings, of app: String) throws(RemoteError) {
    do throws(StoreError) { try apps.set(settings, of: app) } catch { throw RemoteError(error) }
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
}
