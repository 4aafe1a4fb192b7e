// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel

/// A request in the form that a particular server can show. Pure: the same request and server give the same form.
struct Presentation: Equatable {
  /// The arguments of `Notify`.
  let notification: ServerNotification
  /// The meanings of the keys on the wire.
  let offer: OfferedActions
  /// Whether the list of actions opens as soon as it is shown, because nothing can be pressed on this server.
  var asksAtOnce = false
  /// Whether the texts are hidden.
  var hidesTexts = false
  /// Whether it has no expiry for as long as the user is away.
  var isKept = false
}

enum Presenter {
  private typealias Hint = ServerNotification.Hint

  /// - Parameter isSilent: whether it was on the screen of a server that ended, or the user allows its app no sounds.
  /// - Parameter canAsk: whether a program can show a list of actions. It takes long to look for one, and few need it.
  /// - Parameter isKept: whether it is not to expire, because the user is away.
  /// - Parameter appTakesClicks: whether a click on the notification reaches its app.
  static func present(
    _ request: NotificationRequest, _ choices: Choices, on server: ServerTraits, isSilent: Bool = false,
    canAsk: @autoclosure () -> Bool = false, isKept: Bool = false, appTakesClicks: @autoclosure () -> Bool = false
  ) -> Presentation {
    let hasButtons = server.can(.actions)
    let click = OfferedActions.Choice(choices.click(on: request, appTakesClicks: appTakesClicks()))
    let buttons =
      hasButtons
      ? Buttons(choices, request, click: click, on: server, canAsk: canAsk()) : Buttons(unseen: choices, click: click)
    let pictures = ServerPictures(request.content, on: server.known)
    var hints = hints(request, choices, isSilent: isSilent)
    if server.known.hidesTextsOfProgress, request.content.progress != nil { hints["value"] = nil }
    if let image = pictures.image { hints["image-path"] = .string(image) }
    // Cinnamon's own word for a notification that stays after a click; the center closes those that were answered.
    if server.known.closesOthersOnClick { hints["resident"] = .boolean(true) }
    if buttons.areIcons { hints["action-icons"] = .boolean(true) }
    if let id = buttons.offer.replyAction,
      let input = choices.actions.first(where: { $0.id.isIdentical(to: id) })?.input
    {
      hints.merge(replyLine(input)) { $1 }
    }
    // notify-osd, which has no actions, would turn it into a modal dialog. And what would lose its buttons when it gets
    // its expiry back is better moved to a list.
    let isKept = isKept && server.can(.actions) && !server.known.losesButtonsOfReplaced
    let expiry = isKept ? .never : expiry(request, server.capabilities)
    if server.known.keepsExpired && expiry != .never { hints["transient"] = .boolean(true) }
    let notification = ServerNotification(
      appName: appName(request),
      icon: pictures.icon,
      summary: summary(request, on: server.known),
      body: body(request, on: server),
      actions: buttons.list,
      plainHints: hints,
      expiry: expiry)
    // A banner passes by; an alert needs an answer.
    let asksAtOnce = !hasButtons && request.content.style == .alert && !choices.actions.isEmpty && canAsk()
    return Presentation(notification: notification, offer: buttons.offer, asksAtOnce: asksAtOnce, isKept: isKept)
  }

  // MARK: Parts

  private static func appName(_ request: NotificationRequest) -> String {
    if let name = request.content.appName.map(DisplayText.line), !name.isEmpty { return name }
    return request.app == .suzu ? "Suzu" : DisplayText.line(request.app.text)
  }

  /// A headline that is not empty, since several servers draw nothing, or refuse, without one. A title may have no
  /// characters that can be displayed.
  private static func summary(_ request: NotificationRequest, on server: KnownServer) -> String {
    let texts = [request.content.title, request.content.subtitle ?? "", request.content.body ?? "", request.app.text]
    let text = texts.lazy.map(DisplayText.line).first { !$0.isEmpty } ?? "…"
    return server.readsHeadlines ? DisplayText.escaped(text) : text
  }

  private static func body(_ request: NotificationRequest, on server: ServerTraits) -> String {
    var body = body(request, server.capabilities)
    // The texts say more than a bar alone.
    if server.known.hidesTextsOfProgress, let progress = request.content.progress, !Self.names(progress, in: request) {
      body += (body.isEmpty ? "" : "\n") + "\(progress) %"
    }
    return body.isEmpty && server.known.movesHeadlineWithoutText ? " " : body
  }

  /// Whether the texts of a request say how far its progress is.
  private static func names(_ progress: Int, in request: NotificationRequest) -> Bool {
    let texts = [request.content.title, request.content.subtitle ?? "", request.content.body ?? ""]
    let words = texts.joined(separator: " ").split { !$0.isNumber && $0 != "%" && $0 != " " }.joined(separator: " ")
    return " \(words) ".contains(" \(progress) %") || " \(words) ".contains(" \(progress)%")
  }

  private static func body(_ request: NotificationRequest, _ capabilities: Set<Capability>) -> String {
    let readsMarkup = capabilities.contains(.bodyMarkup)
    func shown(_ parts: [String?]) -> String {
      let text = DisplayText.text(parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n"))
      return readsMarkup ? DisplayText.escaped(text) : text
    }
    guard request.content.markup, let body = request.content.body else {
      return shown([request.content.subtitle, request.content.body])
    }
    let markup = Markup(body)
    guard readsMarkup else { return shown([request.content.subtitle, markup.plain]) }
    return [shown([request.content.subtitle]), markup.escaped].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func hints(
    _ request: NotificationRequest, _ choices: Choices, isSilent: Bool
  ) -> [String: Hint] {
    var hints: [String: Hint] = ["urgency": .byte(urgency(request.content.level).rawValue)]
    if !request.content.hints.isEmpty {
      hints.merge(request.content.hints.compactMapValues(hint)) { first, _ in first }
    }
    // Without it, Plasma does not keep the notification, and GNOME does not find its app.
    if hints["desktop-entry"] == nil { hints["desktop-entry"] = .string(request.app.text) }
    if let progress = request.content.progress { hints["value"] = .int32(Int32(progress)) }
    if let type = choices.type { hints["category"] = .string(type) }
    if isSilent { hints["suppress-sound"] = .boolean(true) } else { hints.merge(sound(request)) { $1 } }
    return hints
  }

  /// The texts of Plasma's own reply line.
  private static func replyLine(_ input: Action.Input) -> [String: Hint] {
    let texts = ["x-kde-reply-placeholder-text": input.placeholder, "x-kde-reply-submit-button-text": input.button]
    return texts.compactMapValues { $0.map(DisplayText.line) }.filter { !$0.value.isEmpty }.mapValues { .string($0) }
  }

  /// In the types that other clients use: notify-send, for instance, sends a number as `i`.
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
    switch request.content.sound {
    case nil, .standard: [:]
    case .silent: ["suppress-sound": .boolean(true)]
    case .file(let path): ["sound-file": .string(path)]
    case .named(let name): ["sound-name": .string(DisplayText.line(name))]
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
    switch request.content.expires {
    case .after(let duration): .after(duration)
    case .never, nil: stays(request, capabilities) ? .never : .serverDecides
    }
  }

  /// Whether it stays until the user acts on it. notify-osd, which has no actions, would turn such a notification into
  /// a modal dialog.
  static func stays(_ request: NotificationRequest, _ capabilities: Set<Capability>) -> Bool {
    capabilities.contains(.actions)
      && (request.content.expires == .never || request.content.expires == nil && request.content.style == .alert)
  }
}
