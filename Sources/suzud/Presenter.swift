// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import Freedesktop
internal import NotificationModel

/// A request as a particular server can show it. Pure: the same request and capabilities make the same presentation.
struct Presentation: Equatable {
  /// What is sent.
  let notification: ServerNotification
  /// Which action each key on the wire stands for; what is not here was not offered.
  let actions: [String: String]
}

enum Presenter {
  /// - Parameter isReshown: it was on the screen of a server that ended; it comes back without a sound.
  static func present(
    _ request: NotificationRequest, capabilities: Set<Capability>, isReshown: Bool = false
  ) -> Presentation {
    let offered = capabilities.contains(.actions) ? offered(request) : []
    let notification = ServerNotification(
      appName: request.app == NotificationRequest.usualApp ? "Suzu" : DisplayText.line(request.app),
      icon: request.icon ?? "",
      summary: summary(request),
      body: body(request, capabilities),
      actions: offered.map { ServerNotification.Action(key: $0.key, label: $0.label) },
      hints: hints(request, isReshown: isReshown),
      expiry: expiry(request, capabilities))
    return Presentation(
      notification: notification,
      actions: Dictionary(offered.map { ($0.key, $0.id) }, uniquingKeysWith: { first, _ in first }))
  }

  // MARK: Parts

  /// A headline is what every server shows; several draw nothing, or refuse, where it is empty. What is left of a title
  /// may be nothing.
  private static func summary(_ request: NotificationRequest) -> String {
    let texts = [request.title, request.subtitle ?? "", request.body ?? "", request.app]
    return texts.lazy.map(DisplayText.line).first { !$0.isEmpty } ?? "…"
  }

  private static func offered(_ request: NotificationRequest) -> [(key: String, id: String, label: String)] {
    // Always offered: it is the only action that dunst and mako let a mouse reach.
    let label = request.url == nil ? "OK" : "Open"
    var offered = [(key: ServerNotification.defaultKey, id: Action.defaultID, label: label)]
    for action in request.actions {
      let label = [action.title, action.id].lazy.map(DisplayText.line).first { !$0.isEmpty } ?? "…"
      offered.append((key: key(for: action.id), id: action.id, label: label))
    }
    return offered
  }

  /// An action's own identifier, unless that means something to servers.
  private static func key(for id: String) -> String {
    let isReserved = id == ServerNotification.defaultKey || id == ServerNotification.inlineReplyKey
    return isReserved || id.hasPrefix("action:") ? "action:" + id : id
  }

  private static func body(_ request: NotificationRequest, _ capabilities: Set<Capability>) -> String {
    let readsMarkup = capabilities.contains(.bodyMarkup)
    func shown(_ parts: [String?]) -> String {
      let text = DisplayText.text(parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n"))
      return readsMarkup ? DisplayText.escaped(text) : text
    }
    guard request.markup, let body = request.body else { return shown([request.subtitle, request.body]) }
    let markup = Markup(body)
    guard readsMarkup else { return shown([request.subtitle, markup.plain]) }
    return [shown([request.subtitle]), markup.escaped].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func hints(_ request: NotificationRequest, isReshown: Bool) -> [String: Value] {
    var hints: [String: Value] = [
      "urgency": .byte(urgency(request.level).rawValue),
      // Plasma forgets, and GNOME cannot place, what does not say whose it is.
      "desktop-entry": .string(request.app),
    ]
    if let progress = request.progress { hints["value"] = .int32(Int32(progress)) }
    if let image = request.image { hints["image-path"] = .string(pictureURL(image)) }
    // A registered category has a type of its own; what has a dot is freedesktop's.
    if let category = request.category, category.contains(".") { hints["category"] = .string(category) }
    if isReshown { hints["suppress-sound"] = true } else { hints.merge(sound(request)) { $1 } }
    return hints
  }

  private static func sound(_ request: NotificationRequest) -> [String: Value] {
    switch request.sound {
    case nil, "default": [:]
    case "none": ["suppress-sound": true]
    case let path? where path.hasPrefix("/"): ["sound-file": .string(path)]
    case let name?: ["sound-name": .string(DisplayText.line(name))]
    }
  }

  /// A path as the file URL that the specification wants; names and URLs stay.
  private static func pictureURL(_ image: String) -> String {
    guard image.hasPrefix("/") else { return image }
    return image.utf8.reduce(into: "file://") { url, byte in
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      if isPlain || "/-._~".utf8.contains(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        url += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  private static func urgency(_ level: NotificationRequest.Level) -> ServerNotification.Urgency {
    switch level {
    case .passive: .low
    case .active, .timeSensitive: .normal
    case .critical: .critical
    }
  }

  private static func expiry(
    _ request: NotificationRequest, _ capabilities: Set<Capability>
  ) -> ServerNotification.Expiry {
    let wanted: ServerNotification.Expiry =
      switch request.expires {
      case .after(let duration): .after(duration)
      case .never: .never
      case nil: request.style == .alert ? .never : .serverDecides
      }
    // notify-osd, which has no actions, makes a modal box of what never goes.
    return wanted == .never && !capabilities.contains(.actions) ? .serverDecides : wanted
  }
}
