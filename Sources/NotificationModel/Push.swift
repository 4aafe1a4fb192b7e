// SPDX-License-Identifier: Apache-2.0

/// What a payload asks this machine to do, as a request. Nothing in it is a command, a path or markup: it names a
/// category of this machine, and the buttons do what that says.
package struct Push: Hashable, Sendable {
  /// What happens with the request.
  package enum Kind: Hashable, Sendable {
    /// It is shown.
    case shown
    /// It is handed to its app, and not shown: `content-available` without a text.
    case silent
    /// Only the number on the launcher changes.
    case badge
  }

  /// Why the request has not the category that the payload names.
  package enum LeftOut: Hashable, Sendable {
    /// It is not registered on this machine.
    case unknown(CategoryID)
    /// The sender may not use it.
    case notAllowed(CategoryID)
  }

  /// What happens with the request.
  package let kind: Kind
  /// The request; one that is not shown has a headline for the history.
  package let request: NotificationRequest
  /// The category that was left out; nil if none was.
  package let leftOut: LeftOut?
  /// Whether its app may change it before it is shown: `mutable-content`.
  package let isMutable: Bool
}

extension PushPayload {
  /// The request that the payload stands for.
  ///
  /// - Parameters:
  ///   - app: the app that it is for.
  ///   - id: the id of a request that is shown, which replaces an earlier one; nil lets the center make one.
  ///   - isRegistered: whether a category is registered here for the app.
  package func push(
    for app: AppID, id: RequestID?, under terms: PushTerms, isRegistered: (CategoryID) -> Bool
  ) throws(RequestError) -> Push {
    guard case .dictionary(let values)? = words["aps"] else { throw RequestError("aps", "must be a dictionary") }
    let aps = PushFields(values, at: "aps")
    try Self.refuse(aps)
    try refuseOwnKeys()
    let alert = try PushAlert(aps)
    let sound = try PushSound(aps)
    let badge = try aps.integer("badge", in: 0...Int64(Int32.max)).map { Int($0) }
    let isSilent = try aps.flag("content-available")
    let isMutable = try aps.flag("mutable-content")
    _ = try aps.number("relevance-score", in: 0...1)
    let level = try aps.words("interruption-level").map { name throws(RequestError) in
      try PushTerms.level(name, of: aps.name("interruption-level"))
    }
    let (category, leftOut) = try Self.category(aps, terms, isRegistered)
    let thread = try aps.identifier("thread-id")
    let url = try Self.url(aps, terms)
    let kind: Push.Kind = !alert.isEmpty ? .shown : isSilent ? .silent : .badge
    if kind == .badge, badge == nil {
      throw RequestError(
        "aps", "has nothing to show: give 'alert', 'badge', or 'content-available: 1' for a push to the app itself")
    }
    if kind == .shown, alert.title?.hasVisibleCharacter != true, alert.body?.hasVisibleCharacter != true {
      throw RequestError("aps.alert", "must not be blank: a notification without any text cannot be shown")
    }
    let request = try NotificationRequest(
      app: app, id: kind == .shown ? id : nil, title: alert.title ?? kind.headline
    ) { content in
      content.badge = badge
      content.userInfo = words.mapValues { $0.withinRequest(below: 2) }
      guard kind == .shown else { return }
      content.subtitle = alert.subtitle
      content.body = alert.body
      content.sound = sound.sound
      content.level = terms.lowered(level ?? (sound.isCritical ? .critical : .active))
      content.category = category
      content.thread = thread
      content.url = url
      content.actions = terms.actions
      (content.icon, content.image) = (terms.icon, terms.image)
    }
    return Push(
      kind: kind, request: request, leftOut: kind == .shown ? leftOut : nil, isMutable: kind == .shown && isMutable)
  }

  /// The scheme of the URL that a click opens; nil without one.
  package var scheme: String? {
    guard case .dictionary(let aps)? = words["aps"], case .text(let url)? = aps["url"] else { return nil }
    return url.prefix { $0 != ":" }.lowercased()
  }

  // MARK: What is refused

  /// Words of a request and of an action that would let another machine say what this one runs, reads or looks like.
  private static let refused: [String: String] = {
    let button = "buttons come from a category that is registered on this machine"
    let file = "a push brings no pictures and files"
    let time = "a push is shown when it arrives"
    return [
      "actions": button, "run": button, "launch": button, "snooze": button, "http": button, "input": button,
      "categories": "a push cannot define a category; it names a registered one with 'category'",
      "icon": file, "image": file, "attachments": file, "markup": "the texts of a push are plain text",
      "hints": "a push cannot set hints of the notification server",
      "app": "the receiver decides whose notification it is",
      "appName": "the receiver decides whose notification it is",
      "speak": "a push is not spoken", "nag": "a push is shown once", "escalate": "a push is shown once",
      "in": time, "at": time, "every": time, "rule": time, "match": time, "on": time,
    ]
  }()

  private static func refuse(_ aps: PushFields) throws(RequestError) {
    guard let key = aps.keys.filter({ refused[$0] != nil }).min(), let reason = refused[key] else { return }
    throw RequestError(aps.name(key), "is not taken from a push: \(reason)", isAboutKey: true)
  }

  /// The libraries keep what belongs to a request of the app itself under these keys, also the names of files.
  private func refuseOwnKeys() throws(RequestError) {
    guard let key = words.keys.filter({ $0.utf8.starts(with: "dev.suzu.".utf8) }).min() else { return }
    throw RequestError(key, "is not taken from a push: keys with 'dev.suzu.' are those of Suzu", isAboutKey: true)
  }

  // MARK: Values

  private static func category(
    _ aps: PushFields, _ terms: PushTerms, _ isRegistered: (CategoryID) -> Bool
  ) throws(RequestError) -> (CategoryID?, Push.LeftOut?) {
    switch aps["category"] {
    case .dictionary?, .list?:
      throw RequestError(
        aps.name("category"), "must be the name of a category that is registered here; a push cannot define one")
    default: break
    }
    guard let name = try aps.identifier("category").map(CategoryID.init(trusted:)) else { return (nil, nil) }
    // The freedesktop categories (`class.specific`) need not be registered.
    guard isRegistered(name) || name.standardName != nil else { return (nil, .unknown(name)) }
    guard terms.categories?.contains(Identifier(name)) ?? true else { return (nil, .notAllowed(name)) }
    return (name, nil)
  }

  /// What a click opens. Apple's payload has no such key; a bridge from another service needs one.
  private static func url(_ aps: PushFields, _ terms: PushTerms) throws(RequestError) -> String? {
    guard let url = try aps.words("url") else { return nil }
    // A place would be filled in when it is opened.
    guard !url.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
      throw RequestError(aps.name("url"), "must not contain '{' or '}'; write them as %7B and %7D")
    }
    do throws(RequestError) { _ = try checkURL(url) } catch { throw error.about(aps.name("url")) }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard terms.schemes.contains(scheme), scheme != "file" else {
      throw RequestError(
        aps.name("url"),
        "has the scheme \(scheme.quoted), which a push may not use: it may use "
          + terms.schemes.subtracting(["file"]).sorted().joined(separator: ", "))
    }
    return url
  }
}

extension Push.Kind {
  /// The headline in the history.
  fileprivate var headline: String {
    switch self {
    case .shown: ""
    case .silent: "Silent push"
    case .badge: "Badge"
    }
  }
}
