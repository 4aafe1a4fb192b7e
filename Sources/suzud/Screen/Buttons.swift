// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel

/// The buttons that a particular server is sent, and what they stand for. Every action can be reached: where fewer are
/// drawn than there are, the last one asks for the rest; where none is, a click on the notification does.
struct Buttons {
  private(set) var list: [ServerNotification.Action] = []
  private(set) var offer = OfferedActions()
  /// Whether the keys are names of icons.
  private(set) var areIcons = false

  /// None at all, for a server that has no buttons; what may be chosen is kept for whoever asks in another way.
  init(unseen choices: Choices) {
    keep(choices)
  }

  init(_ choices: Choices, _ request: NotificationRequest, on server: ServerTraits, canAsk: Bool) {
    keep(choices)
    // As many as are drawn; the last of them stands for all others.
    let drawn = server.buttons ?? .max
    // A request's own action of that name is what a click on the notification itself does, as for every other client; a
    // category's is a button like its others.
    let wanted = choices.isOfCategory ? choices.actions : choices.actions.filter { $0.id != Action.defaultID }
    let isCut = canAsk && (drawn < wanted.count || !choices.overflow.isEmpty)
    addDefault(request, choices, on: server, asks: isCut && drawn == 0)
    // Where none is drawn they are sent all the same: such servers have menus of their own.
    let shown = isCut && drawn > 0 ? Array(wanted.prefix(drawn - 1)) : wanted
    areIcons = server.can(.actionIcons) && !isCut && Self.haveIcons(shown)
    for action in shown { add(action, on: server) }
    if isCut && drawn > 0 { add(Self.moreKey, .chooser, "More…") }
  }

  private mutating func keep(_ choices: Choices) {
    offer.wantsDismissal = choices.wantsDismissal
    if choices.isOfCategory { offer.actions = choices.actions + choices.others }
  }

  /// Always offered: it is the only action that dunst and mako let a mouse reach.
  private mutating func addDefault(
    _ request: NotificationRequest, _ choices: Choices, on server: ServerTraits, asks: Bool
  ) {
    let named = choices.isOfCategory ? nil : choices.actions.first { $0.id == Action.defaultID }
    let own = named.map { Self.label(of: $0, on: server) } ?? (request.url == nil ? "OK" : "Open")
    let label = asks ? "Choose…" : own
    add(ServerNotification.defaultKey, asks ? .chooser : .action(Action.defaultID), label)
  }

  private mutating func add(_ action: Action, on server: ServerTraits) {
    let label = Self.label(of: action, on: server)
    if action.input != nil, offer.replyAction == nil, server.can(.inlineReply) {
      offer.replyAction = action.id
      return add(ServerNotification.inlineReplyKey, .action(action.id), label)
    }
    add(areIcons ? Self.icon(of: action) ?? action.id : Self.key(for: action.id), .action(action.id), label)
  }

  private static func label(of action: Action, on server: ServerTraits) -> String {
    let text = [action.title, action.id].lazy.map(DisplayText.line).first { !$0.isEmpty } ?? "…"
    // Nothing in the protocol says that something is taken away for good.
    let marked = action.destructive ? "⚠ " + text : text
    return server.known.readsLabels ? DisplayText.escaped(marked) : marked
  }

  private mutating func add(_ key: String, _ choice: OfferedActions.Choice, _ label: String) {
    // Two that an escape makes equal are told apart by another one.
    var key = key
    while offer.keys[key] != nil { key = Self.escape + key }
    offer.keys[key] = choice
    list.append(ServerNotification.Action(key: key, label: label))
  }

  /// An action's own identifier, unless that means something to servers, or to us.
  private static func key(for id: String) -> String {
    let reserved = [ServerNotification.defaultKey, ServerNotification.inlineReplyKey, moreKey]
    return reserved.contains(id) || id.hasPrefix(escape) ? escape + id : id
  }

  private static let escape = "action:"
  private static let moreKey = "suzu-more"

  // MARK: Icons

  /// A server that draws icons draws nothing else: all must have one, and each its own, since it is the key.
  private static func haveIcons(_ actions: [Action]) -> Bool {
    let icons = actions.compactMap(icon)
    return !actions.isEmpty && icons.count == actions.count && Set(icons).count == icons.count
      && !icons.contains(ServerNotification.defaultKey) && !actions.contains { $0.input != nil }
  }

  private static func icon(of action: Action) -> String? {
    guard let icon = action.icon else { return action.destructive ? "edit-delete" : nil }
    // A path is no name of a theme's icon.
    return icon.isEmpty || icon.contains("/") ? nil : icon
  }
}
