// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

extension Choices {
  /// What a click on the notification itself means, in this order: the request's own action `default`, its URL, the app
  /// that owns it, and the only action that does something.
  ///
  /// Otherwise a click has no meaning. It still closes a banner, but an alert with buttons stays: one of them is its
  /// answer.
  ///
  /// - Parameter appTakesClicks: whether the app that owns the request is installed, or handles its responses now.
  func click(on request: NotificationRequest, appTakesClicks: Bool) -> OfferedActions.Choice {
    if namedClick != nil || request.content.url != nil || appTakesClicks { return .click }
    let all = actions + others
    let effective = all.filter { $0.effect != nil }
    // A click that may be an accident destroys nothing.
    if effective.count == 1, !effective[0].destructive { return .action(effective[0].id) }
    // An action without an effect is for the app, which may come later, unless there is no such app.
    let hasNoApp =
      request.app == .suzu || ReservedID.isReserved(request.id?.text ?? "") || effective.count == all.count
    return hasNoApp && request.content.style == .alert && !all.isEmpty ? .nothing : .click
  }

  /// The request's own action for a click on the notification, as other clients name it; in a category, an action of
  /// that name is a button like the others.
  var namedClick: Action? { isOfCategory ? nil : actions.first { $0.id == Action.defaultID } }

  /// The action that is offered under this id; in a category, a click on the notification is none of them.
  func action(_ id: String) -> Action? {
    if isOfCategory && id == Action.defaultID { return nil }
    return (actions + others).first { $0.id.isIdentical(to: id) }
  }
}

extension NotificationRequest {
  /// Whether a click on the notification opens something, unless an action says otherwise: its URL, or its app. The
  /// command is no app that could be opened.
  var opensOnClick: Bool { content.url != nil || app != .suzu && !ReservedID.isReserved(id?.text ?? "") }
}
