// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

/// What a caller may do. Those outside of any sandbox are the user, and may do everything; those in one are held to their
/// own app, and those who cannot be told may do nothing.
enum Rights: Hashable, Sendable {
  case all
  case of(app: String)
  case none

  /// How many requests of a sandboxed app may be pending.
  static let mostPending = 1000
  /// How many it may make within ``span``.
  static let mostAtOnce = 100
  static let span: Duration = .seconds(10)
  /// How many categories it may register.
  static let mostCategories = 200

  /// The app that such a caller is held to; nil: it may speak for any.
  var ownApp: String? { if case .of(let app) = self { app } else { nil } }

  /// For what touches more than one app.
  func checkAll(_ what: String) throws(RemoteError) {
    guard self != .all else { return }
    throw RemoteError(CenterInterface.accessDenied, "\(what) is not for sandboxed programs")
  }

  func checkIsKnown() throws(RemoteError) {
    guard self == .none else { return }
    throw RemoteError(CenterInterface.accessDenied, "it cannot be told which program asks, so it may do nothing")
  }

  func check(_ app: String) throws(RemoteError) {
    try checkIsKnown()
    guard let own = ownApp, !own.isIdentical(to: app) else { return }
    throw RemoteError(CenterInterface.accessDenied, "'app' must be '\(own)' for this sandboxed program")
  }

  /// The app of a list; nil: of all.
  func narrowed(_ app: String?) throws(RemoteError) -> String? {
    try checkIsKnown()
    guard let app else { return ownApp }
    try check(app)
    return app
  }

  /// What a button may do that a sandboxed program thought of.
  func check(_ action: Action) throws(RemoteError) {
    guard case .of(let own) = self else { return }
    switch action.doing {
    case .run:
      throw RemoteError(
        CenterInterface.accessDenied, "'run' is not for sandboxed programs (action '\(Self.name(action))')")
    case .launch(let entry) where entry != own && entry != own + ".desktop" && !entry.hasPrefix(own + ":"):
      throw RemoteError(CenterInterface.accessDenied, "'launch' of another app is not for sandboxed programs")
    case .url(let url): try check(url: url)
    default: break
    }
  }

  private static func name(_ action: Action) -> String { DisplayText.line(action.id) }

  func check(url: String) throws(RemoteError) {
    guard self != .all, url.prefix(5).lowercased() == "file:" else { return }
    throw RemoteError(CenterInterface.accessDenied, "'file:' URLs are not for sandboxed programs")
  }

  func check(_ request: NotificationRequest) throws(RemoteError) {
    if self == .all { return }
    try check(request.app)
    // Who it is must be told by its app alone, and hints can tell it otherwise.
    if request.appName != nil || !request.hints.isEmpty {
      let key = request.appName == nil ? "hints" : "appName"
      throw RemoteError(CenterInterface.accessDenied, "'\(key)' is not for sandboxed programs")
    }
    if let url = request.url { try check(url: url) }
    for action in request.actions { try check(action) }
  }
}
