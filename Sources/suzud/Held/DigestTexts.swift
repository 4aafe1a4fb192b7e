// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// What a digest may say about requests: by the settings of their apps, and in the words of their categories.
struct DigestTexts {
  let apps: Apps
  let categories: Categories
  let names: AppNames

  func name(of app: AppID) -> String { names.name(of: app.text, isSandboxed: false) }

  /// Whether the user hides the texts of the app, also in an unlocked session.
  func areHidden(of app: AppID) -> Bool { apps[app.text].previews == .never }

  /// What the category of a request says of several.
  func summary(of due: Due) -> SummaryFormat? { categories.summary(of: due) }
}

extension Categories {
  /// What the category of a request says of several, if the request may use it.
  func summary(of due: Due) -> SummaryFormat? {
    due.request.content.category.flatMap { category($0.text, of: due.request.app.text, for: due.rights)?.summary }
  }
}
