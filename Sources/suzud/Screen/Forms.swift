// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel

/// The form in which a server is sent what is due, as categories and settings are now.
struct Forms {
  let categories: Categories
  let apps: Apps
  /// Whether lists can be shown to choose from.
  let canAsk: @Sendable () -> Bool

  func present(_ entry: Entry, on state: ServerState) -> Presentation {
    let request = entry.request
    let rights = entry.due.rights
    // What the category is now: what it was when the request was made is of no use to an app that has a newer one. Now as
    // then, it is one that the request may have.
    let choices = Choices(
      request, category: request.category.flatMap { categories.category($0, of: request.app, for: rights) })
    return Presenter.present(
      MediaFile.fit(rights.fit(request)), choices, on: ServerTraits(state),
      isSilent: entry.isReshown || !apps[request.app].allowed.contains(.sound),
      canAsk: !choices.actions.isEmpty && canAsk())
  }
}
