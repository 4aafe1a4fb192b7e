// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// What a caller may do, and what its requests may do later. Callers outside any sandbox are the user and may do
/// everything; a sandboxed caller (a box) is limited to its own app, and one that cannot be identified may do nothing.
enum Rights: Hashable, Sendable {
  case all
  case of(app: String)
  case none

  /// How many requests of a sandboxed app may be pending.
  static let mostPending = 1000
  /// How many requests it may make within ``span``.
  static let mostAtOnce = 100
  static let span: Duration = .seconds(10)
  /// How many categories it may register.
  static let mostOfABox = 200

  /// The app that a sandboxed caller is limited to; nil if it may name any.
  var ownApp: String? { if case .of(let app) = self { app } else { nil } }

  /// Checks for calls that affect more than one app.
  func checkAll(_ what: String) throws(CenterError) {
    guard self != .all else { return }
    throw CenterError(.accessDenied, "\(what) is not for sandboxed programs")
  }

  func checkIsKnown() throws(CenterError) {
    guard self == .none else { return }
    throw CenterError(.accessDenied, "the calling program could not be identified")
  }

  func check(_ app: String) throws(CenterError) {
    try checkIsKnown()
    guard let own = ownApp, !own.isIdentical(to: app) else { return }
    throw CenterError(.accessDenied, "'app' must be '\(own)' for this sandboxed program")
  }

  /// The app to list for this caller; nil means every app.
  func narrowed(_ app: String?) throws(CenterError) -> String? {
    try checkIsKnown()
    guard let app else { return ownApp }
    try check(app)
    return app
  }

  // MARK: Requests

  /// Checks an action that a sandboxed program wrote.
  func check(_ action: Action) throws(CenterError) {
    try checkIsKnown()
    guard case .of(let own) = self else { return }
    try check(name: action.icon, "icon")
    switch action.effect {
    case .run:
      throw CenterError(
        .accessDenied, "'run' is not for sandboxed programs (action '\(Self.name(action))')")
    case .launch(let entry) where entry != own && entry != own + ".desktop" && !entry.hasPrefix(own + ":"):
      throw CenterError(.accessDenied, "'launch' of another app is not for sandboxed programs")
    case .url(let url): try check(url: url)
    // Its sandbox may keep it from the network, and the user's credentials may be behind a host.
    case .http:
      throw CenterError(.accessDenied, "'http' is not for sandboxed programs (action '\(Self.name(action))')")
    case .snoozeUntil(let times):
      for time in times { if case .when(let condition) = time { try check(condition, "snooze") } }
    default: break
    }
  }

  private static func name(_ action: Action) -> String { DisplayText.line(action.id) }

  func check(url: String) throws(CenterError) {
    guard self != .all, url.prefix(5).lowercased() == "file:" else { return }
    throw CenterError(.accessDenied, "'file:' URLs are not for sandboxed programs")
  }

  func check(_ request: NotificationRequest) throws(CenterError) {
    if self == .all { return }
    try check(request.app.text)
    // The user must be able to tell the app from its notification, and hints could make it look like another one.
    if request.content.appName != nil || !request.content.hints.isEmpty {
      let key = request.content.appName == nil ? "hints" : "appName"
      throw CenterError(.accessDenied, "'\(key)' is not for sandboxed programs")
    }
    // Its sandbox may keep it from the speakers, and nothing shows which program speaks.
    if request.content.speak { throw CenterError(.accessDenied, "'speak' is not for sandboxed programs") }
    for (key, name) in [
      ("icon", request.content.icon?.text), ("image", request.content.image?.text),
      ("sound", request.content.sound?.text),
    ] {
      try check(name: name, key)
    }
    for (index, step) in (request.content.nag?.steps ?? []).enumerated() {
      try check(name: step.sound?.text, "escalate[\(index)].sound")
      if step.push != nil {
        throw CenterError(.accessDenied, "'escalate[\(index)].push' is not for sandboxed programs")
      }
    }
    if let condition = request.schedule.occasions?.condition { try check(condition, "on") }
    if let url = request.content.url { try check(url: url) }
    for action in request.content.actions { try check(action) }
  }

  /// A sandboxed program must not learn through the center what its sandbox keeps from it.
  private func check(_ condition: Condition, _ key: String) throws(CenterError) {
    let what: String
    switch condition.subject {
    case .battery, .power, .unlocked, .idle, .awake: return
    // The user decides on these: see `Permissions`.
    case .wifi, .network, .place(.circle), .beacon: return
    case .place(.named): what = "the names of places are"
    case .file, .fileChange: what = "conditions on files are"
    case .device: what = "conditions on devices are"
    case .unit: what = "conditions on units are"
    case .signal(let pattern):
      if pattern.isOfSystem {
        what = "signals of the system bus are"
      } else if let own = ownApp, let sender = pattern.sender, sender == own || sender.hasPrefix(own + ".") {
        return
      } else {
        what = "signals of other programs are"
      }
    }
    throw CenterError(.accessDenied, "'\(key)': \(what) not for sandboxed programs")
  }

  // MARK: Pictures and sounds

  /// Whether the host may read what `text` names for this caller: a theme's name is allowed, a path or URL is not,
  /// since it would feed any file to the decoders of the host.
  func mayUse(_ text: String) -> Bool {
    self == .all || !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
  }

  private func check(name: String?, _ key: String) throws(CenterError) {
    guard let name, !mayUse(name) else { return }
    throw CenterError(
      .accessDenied, "'\(key)' must be a name for sandboxed programs, not a path or URL")
  }

  /// Removes the pictures and sounds that the host must not read for this caller.
  func removeUnreadable(from request: inout NotificationRequest) {
    if self == .all { return }
    if let icon = request.content.icon, !mayUse(icon.text) { request.removeIcon() }
    if let image = request.content.image, !mayUse(image.text) { request.removeImage() }
    if let sound = request.content.sound, !mayUse(sound.text) { request.removeSound() }
  }
}

// MARK: - On disk

extension Rights {
  private static let boxPrefix = "box:"

  /// The form that is stored with a request; nil means the user.
  var asker: String? {
    switch self {
    case .all: nil
    case .of(let app): Self.boxPrefix + app
    case .none: ""
    }
  }

  /// Reads the stored form. A form that only a newer center knows gives no rights.
  init(asker: String?) {
    guard let asker else {
      self = .all
      return
    }
    let app = String(decoding: asker.utf8.dropFirst(Self.boxPrefix.utf8.count), as: UTF8.self)
    self = asker.utf8.starts(with: Self.boxPrefix.utf8) && !app.isEmpty ? .of(app: app) : .none
  }
}

// MARK: - Callers

extension Rights {
  /// Apps whose requests are the user's own; a sandboxed program that claims one of these ids does not get them.
  private static let usersApps: Set<String> = [NotificationRequest.defaultApp, NotificationRequest.launcherApp]

  /// The rights of an identified caller; nil if it could not be identified this time, but may be at its next call.
  init?(_ identity: CallerIdentity) {
    switch identity {
    case .unconfined: self = .all
    case .sandboxed(let app?, _): self = Self.usersApps.contains(app) ? .none : .of(app: app)
    case .sandboxed(nil, .undetermined): return nil
    case .sandboxed(nil, _): self = .none
    }
  }
}

extension Due {
  /// The rights that this request was made with.
  var rights: Rights { Rights(asker: asker) }
}
