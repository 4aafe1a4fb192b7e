// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel

/// The buttons for a particular server, and the choice behind each. Every action can be reached: if the server draws
/// too few buttons, the last one opens a list of all; if it draws none, a click on the notification does.
struct Buttons {
  private(set) var list: [ServerNotification.Action] = []
  private(set) var offer = OfferedActions()
  /// Whether the keys are icon names.
  private(set) var areIcons = false
  /// The actions that open a list of times.
  private var listing: Set<String> = []

  /// No buttons, for a server without them; the choices are kept for other ways to choose, such as `suzu respond`.
  init(unseen choices: Choices, click: OfferedActions.Choice) {
    keep(choices, click)
  }

  init(
    _ choices: borrowing Choices, _ request: borrowing NotificationRequest, click: OfferedActions.Choice,
    on server: borrowing ServerTraits, canAsk: @autoclosure () -> Bool
  ) {
    keep(choices, click)
    let withTimes = (choices.actions + choices.others).filter { $0.snoozeTimes.count > 1 }
    // As many as the server draws; the last one stands for the remaining actions.
    let drawn = server.buttons ?? .max
    var wanted = choices.namedClick == nil ? choices.actions : choices.actions.filter { $0.id != Action.defaultID }
    // A click does what the only button would do.
    let isEnough = wanted.count == 1 && click == .action(wanted[0].id)
    let isTooMuch = drawn < wanted.count && !isEnough || !choices.overflow.isEmpty
    let canAsk = (isTooMuch || !withTimes.isEmpty) && canAsk()
    if canAsk { listing = Set(withTimes.map(\.id)) }
    let isCut = canAsk && isTooMuch
    if !server.known.drawsDefault {
      addDefault(request, choices, on: server, asks: isCut && drawn == 0)
    } else if click != .nothing, !(wanted.isEmpty && Self.isBarAlone(request)) {
      // It is a button as well, so the action needs no second one.
      addDefault(request, choices, on: server, asks: false)
      wanted.removeAll { click == .action($0.id) }
    }
    // If the server draws none, all are sent all the same: such servers have menus of their own.
    let shown = isCut && drawn > 0 ? Array(wanted.prefix(drawn - 1)) : wanted
    // A menu of the server's own has room for each time, and so have buttons if there is no other way to choose.
    let count = shown.reduce(0) { $0 + max(1, $1.snoozeTimes.count) }
    let areTimesShown = drawn == 0 || !canAsk && count <= drawn
    areIcons = server.can(.actionIcons) && !isCut && Self.haveIcons(shown) && !(areTimesShown && count > shown.count)
    for action in shown {
      if areTimesShown, action.snoozeTimes.count > 1 {
        for time in action.snoozeTimes { add(time, of: action, on: server) }
      } else {
        add(action, on: server)
      }
    }
    if isCut && drawn > 0 { add(Self.moreKey, .chooser, "More…") }
    if server.known.skipsActionAfterDefault, list.first?.key == ServerNotification.defaultKey {
      list.append(list.removeFirst())
    }
  }

  /// Whether it is a bar as notify-send sends it, such as a volume: a button that only closes it would be in the way.
  private static func isBarAlone(_ request: NotificationRequest) -> Bool {
    request.content.hints["value"] != nil && !request.opensOnClick
  }

  private mutating func keep(_ choices: Choices, _ click: OfferedActions.Choice) {
    offer.click = click
    offer.wantsDismissal = choices.wantsDismissal
    if choices.isOfCategory { offer.actions = choices.actions + choices.others }
  }

  /// Always offered: it is the only action that can be clicked with a mouse in dunst and mako.
  private mutating func addDefault(
    _ request: NotificationRequest, _ choices: Choices, on server: ServerTraits, asks: Bool
  ) {
    let label = asks ? "Choose…" : Self.label(ofClickOn: request, choices, offer.click, on: server)
    add(ServerNotification.defaultKey, asks ? .chooser : offer.click, label)
  }

  /// Says what the click does.
  private static func label(
    ofClickOn request: NotificationRequest, _ choices: Choices, _ click: OfferedActions.Choice, on server: ServerTraits
  ) -> String {
    if case .action(let id) = click, let action = choices.action(id) { return label(of: action, on: server) }
    if click == .nothing { return "Keep open" }
    return request.opensOnClick ? "Open" : "Close"
  }

  private mutating func add(_ action: Action, on server: ServerTraits) {
    let label = Self.label(of: action, on: server)
    if action.input != nil, offer.replyAction == nil, server.can(.inlineReply) {
      offer.replyAction = action.id
      add(ServerNotification.inlineReplyKey, .action(action.id), label)
      // Without the line, a button opens a dialog.
      if !server.known.mayHideReplyLine { return }
    }
    add(areIcons ? Self.icon(of: action) ?? action.id : Self.key(for: action.id), .action(action.id), label)
  }

  private mutating func add(_ time: SnoozeTime, of action: Action, on server: ServerTraits) {
    var labelled = action
    labelled.title = "\(action.title): \(time.label)"
    add(Self.key(for: "\(action.id)/\(time.text)"), .time(action.id, time.text), Self.label(of: labelled, on: server))
  }

  private static func label(of action: Action, on server: ServerTraits) -> String {
    let text = [action.title, action.id].lazy.map(DisplayText.line).first { !$0.isEmpty } ?? "…"
    // The protocol has no way to mark a destructive action.
    let marked = action.destructive ? "⚠ " + text : text
    return server.known.readsLabels ? DisplayText.escaped(marked) : marked
  }

  private mutating func add(_ key: String, _ choice: OfferedActions.Choice, _ label: String) {
    // An escaped key may equal another key; a second escape keeps them apart.
    var key = key
    var choice = choice
    if case .action(let id) = choice, listing.contains(id) { choice = .times(id) }
    while offer.keys[key] != nil { key = Self.escape + key }
    offer.keys[key] = choice
    list.append(ServerNotification.Action(key: key, label: label))
  }

  /// The action's own id, escaped if it means something to servers or to the center.
  private static func key(for id: String) -> String {
    let reserved = [ServerNotification.defaultKey, ServerNotification.inlineReplyKey, moreKey]
    return reserved.contains(id) || id.hasPrefix(escape) ? escape + id : id
  }

  private static let escape = "action:"
  private static let moreKey = "suzu-more"

  // MARK: Icons

  /// A server that draws icons draws no labels: all actions need an icon, and a different one each, since it is the
  /// key.
  private static func haveIcons(_ actions: [Action]) -> Bool {
    let icons = actions.compactMap(icon)
    return !actions.isEmpty && icons.count == actions.count && Set(icons).count == icons.count
      && !icons.contains(ServerNotification.defaultKey) && !actions.contains { $0.input != nil }
  }

  private static func icon(of action: Action) -> String? {
    guard let icon = action.icon else { return action.destructive ? "edit-delete" : nil }
    // A path is not a name in the icon theme.
    return icon.isEmpty || icon.contains("/") ? nil : icon
  }
}
