// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel

/// A request as a particular server can show it. Pure: the same request and capabilities make the same presentation.
struct Presentation: Equatable {
  /// What is sent.
  let notification: ServerNotification
  /// What the keys on the wire stand for.
  let offer: OfferedActions
  /// Nothing can be pressed on this server: what may be chosen is asked for as soon as it is shown.
  var asksAtOnce = false
}

enum Presenter {
  private typealias Hint = ServerNotification.Hint

  /// - Parameter isSilent: it was on the screen of a server that ended, or the user wants no sounds of its app.
  /// - Parameter canAsk: there is a program that can show a list to choose from.
  static func present(
    _ request: NotificationRequest, _ choices: Choices, on server: ServerTraits, isSilent: Bool = false,
    canAsk: Bool = false
  ) -> Presentation {
    let hasButtons = server.can(.actions)
    let buttons = hasButtons ? Buttons(choices, request, on: server, canAsk: canAsk) : Buttons(unseen: choices)
    var hints = hints(request, choices, isSilent: isSilent)
    if buttons.areIcons { hints["action-icons"] = .boolean(true) }
    if let id = buttons.offer.replyAction,
      let input = choices.actions.first(where: { $0.id.isIdentical(to: id) })?.input
    {
      hints.merge(replyLine(input)) { $1 }
    }
    let expiry = expiry(request, server.capabilities)
    if server.known.keepsExpired && expiry != .never { hints["transient"] = .boolean(true) }
    let notification = ServerNotification(
      appName: appName(request),
      icon: request.icon ?? "",
      summary: summary(request),
      body: body(request, server.capabilities),
      actions: buttons.list,
      plainHints: hints,
      expiry: expiry)
    // A banner passes by; an alert is there for its answer.
    let asksAtOnce = !hasButtons && canAsk && request.style == .alert && !choices.actions.isEmpty
    return Presentation(notification: notification, offer: buttons.offer, asksAtOnce: asksAtOnce)
  }

  // MARK: Parts

  private static func appName(_ request: NotificationRequest) -> String {
    if let name = request.appName.map(DisplayText.line), !name.isEmpty { return name }
    return request.app == NotificationRequest.defaultApp ? "Suzu" : DisplayText.line(request.app)
  }

  /// A headline is what every server shows; several draw nothing, or refuse, where it is empty. What is left of a title
  /// may be nothing.
  private static func summary(_ request: NotificationRequest) -> String {
    let texts = [request.title, request.subtitle ?? "", request.body ?? "", request.app]
    return texts.lazy.map(DisplayText.line).first { !$0.isEmpty } ?? "…"
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

  private static func hints(
    _ request: NotificationRequest, _ choices: Choices, isSilent: Bool
  ) -> [String: Hint] {
    var hints: [String: Hint] = ["urgency": .byte(urgency(request.level).rawValue)]
    if !request.hints.isEmpty { hints.merge(request.hints.compactMapValues(hint)) { first, _ in first } }
    // Plasma forgets, and GNOME cannot place, what does not say whose it is.
    if hints["desktop-entry"] == nil { hints["desktop-entry"] = .string(request.app) }
    if let progress = request.progress { hints["value"] = .int32(Int32(progress)) }
    if let image = request.image { hints["image-path"] = .string(pictureURL(image)) }
    if let type = choices.type { hints["category"] = .string(type) }
    if isSilent { hints["suppress-sound"] = .boolean(true) } else { hints.merge(sound(request)) { $1 } }
    return hints
  }

  /// What stands in Plasma's own line for a reply, and beside it.
  private static func replyLine(_ input: Action.Input) -> [String: Hint] {
    let texts = ["x-kde-reply-placeholder-text": input.placeholder, "x-kde-reply-submit-button-text": input.button]
    return texts.compactMapValues { $0.map(DisplayText.line) }.filter { !$0.value.isEmpty }.mapValues { .string($0) }
  }

  /// As clients send such values: notify-send, for instance, a number as `i`.
  private static func hint(_ value: PlainValue) -> Hint? {
    switch value {
    case .text(let text): .string(text)
    case .flag(let flag): .boolean(flag)
    case .integer(let integer): Int32(exactly: integer).map { .int32($0) } ?? .int64(integer)
    case .number(let number): .double(number)
    case .list, .dictionary: nil
    }
  }

  private static func sound(_ request: NotificationRequest) -> [String: Hint] {
    switch request.sound {
    case nil, "default": [:]
    case "none": ["suppress-sound": .boolean(true)]
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
    switch request.expires {
    case .after(let duration): .after(duration)
    case .never, nil: stays(request, capabilities) ? .never : .serverDecides
    }
  }

  /// Whether it is there until somebody deals with it. notify-osd, which has no actions, would make a modal box of that.
  static func stays(_ request: NotificationRequest, _ capabilities: Set<Capability>) -> Bool {
    capabilities.contains(.actions) && (request.expires == .never || request.expires == nil && request.style == .alert)
  }
}
