// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel

/// The form of a due request for a server, with the current categories and settings.
final class Forms {
  private let categories: Categories
  private let apps: Apps
  private let pause: ExpiryPause
  private let audience: any Audience
  /// Whether there is a desktop entry with this id.
  private let isInstalled: @Sendable (_ app: String) -> Bool
  /// Whether lists of actions can be shown.
  private let canAsk: @Sendable () -> Bool
  let hidden: HiddenTexts
  private let names: AppNames
  /// The form that was made last, if the same request may have it again.
  private var last: KeptForm?

  init(
    categories: Categories, apps: Apps, pause: ExpiryPause, audience: any Audience,
    isInstalled: @escaping @Sendable (_ app: String) -> Bool, canAsk: @escaping @Sendable () -> Bool,
    hidden: HiddenTexts, names: AppNames
  ) {
    self.categories = categories
    self.apps = apps
    self.pause = pause
    self.audience = audience
    self.isInstalled = isInstalled
    self.canAsk = canAsk
    self.hidden = hidden
    self.names = names
  }

  /// - Parameter hidden: how many notifications of its thread are on the screen, itself included, if its texts are
  ///   hidden; nil if they are shown.
  func present(_ entry: Entry, hidden count: Int?, on state: ServerState) -> Presentation {
    let request = entry.request
    let isSilent = entry.isReshown || !apps[request.app.text].allowed.contains(.sound)
    let isKept = pause.holds(request)
    if count == nil, let last, last.isForm(of: entry.due, on: state, isSilent: isSilent, isKept: isKept) {
      return last.form
    }
    let rights = entry.due.rights
    // The current category counts, not that of the time of the request: the app may have a newer one. As at intake, it
    // must be one that the request may use.
    let category = request.content.category.flatMap {
      categories.category($0.text, of: request.app.text, for: rights)
    }
    let choices = Choices(request, category: category)
    var visible = request
    if let count {
      let name = names.name(of: request.app.text, isSandboxed: rights != .all)
      visible = request.hidingTexts(category?.hidden, name: request.content.appName ?? name, count: count)
    }
    rights.removeUnreadable(from: &visible)
    MediaFile.removeUnfit(from: &visible)
    var presentation = Presenter.present(
      visible, choices, on: state.traits, isSilent: isSilent,
      canAsk: !choices.actions.isEmpty && canAsk(),
      isKept: isKept,
      // Only an action can take the place of the app.
      appTakesClicks: !choices.actions.isEmpty && takesClicks(request))
    presentation.hidesTexts = count != nil
    last = count == nil ? KeptForm(presentation, of: entry.due, on: state, isSilent: isSilent, isKept: isKept) : nil
    return presentation
  }

  private func takesClicks(_ request: NotificationRequest) -> Bool {
    let app = request.app.text
    if ReservedID.isReserved(request.id?.text ?? "") { return false }
    return audience.handler(of: app) != nil || request.app != .suzu && isInstalled(app)
  }
}
