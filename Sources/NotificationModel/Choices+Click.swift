// SPDX-License-Identifier: Apache-2.0

extension Choices {
  /// The meaning of a click on a notification.
  package enum Click: Hashable {
    /// An action, by its id; ``Action/defaultID`` is the notification itself.
    case action(String)
    /// No action: the notification stays as it is.
    case nothing

    /// The notification itself.
    package static let itself = Click.action(Action.defaultID)
  }

  /// What a click on the notification itself means, in this order: the request's own action `default`, its URL, the app
  /// that owns it, and the only action that does something.
  ///
  /// Otherwise a click has no meaning. It still closes a banner, but an alert with buttons stays: one of them is its
  /// answer.
  ///
  /// - Parameter appTakesClicks: whether the app that owns the request is installed, or handles its responses now.
  package func click(on request: NotificationRequest, appTakesClicks: @autoclosure () -> Bool) -> Click {
    if namedClick != nil || request.content.url != nil || appTakesClicks() { return .itself }
    let all = actions + others
    let effective = all.filter { $0.effect != nil }
    // A click that may be an accident destroys nothing.
    if effective.count == 1, !effective[0].destructive { return .action(effective[0].id) }
    // An action without an effect is for the app, which may come later, unless there is no such app.
    let hasNoApp =
      request.app == .suzu || ReservedID.isReserved(request.id?.text ?? "") || effective.count == all.count
    return hasNoApp && request.content.style == .alert && !all.isEmpty ? .nothing : .itself
  }

  /// The request's own action for a click on the notification, as other clients name it; in a category, an action of
  /// that name is a button like the others.
  package var namedClick: Action? { isOfCategory ? nil : actions.first { $0.id == Action.defaultID } }

  /// The action that is offered under this id; in a category, a click on the notification is none of them.
  package func action(_ id: String) -> Action? {
    if isOfCategory && id == Action.defaultID { return nil }
    return (actions + others).first { $0.id.isIdentical(to: id) }
  }
}

extension NotificationRequest {
  /// Whether a click on the notification opens something, unless an action says otherwise: its URL, or its app. The
  /// command is no app that could be opened.
  package var opensOnClick: Bool { content.url != nil || app != .suzu && !ReservedID.isReserved(id?.text ?? "") }
}

extension Action {
  /// The action of a click on the notification itself: it brings the app to the front.
  package static func ofItself(_ request: NotificationRequest) -> Action {
    Action(id: defaultID, title: "", foreground: true, effect: request.content.url.map { .url($0) })
  }

  /// The action of dismissing the notification, for categories that want to know.
  package static let dismissal = Action(id: dismissID, title: "")
}
