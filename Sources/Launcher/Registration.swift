// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The requests for the enabled actions.
package struct Registration: Sendable {
  package let requests: [NotificationRequest]

  /// The center folds more than 20 requests in 10 s into a digest without buttons, so the rest is delayed.
  private static let crowd = 20
  private static let pause: Duration = .seconds(11)

  package init(_ apps: [Catalogue.App], each: Bool, after delay: Duration) throws(LauncherError) {
    var drafts: [(id: String, content: NotificationRequest.Content)] = []
    for app in apps {
      if each {
        for item in app.items {
          drafts.append((item.key, Self.content(item.name, app.name, item.icon ?? app.icon, [item], of: app)))
        }
      } else {
        let names = app.items.map { $0.key == app.id ? "Open" : $0.name }.joined(separator: ", ")
        drafts.append((app.id, Self.content(app.name, names, app.icon, app.items, of: app)))
      }
    }
    // Set the total once: setting it again later would undo the counting down by clicks.
    if !drafts.isEmpty { drafts[0].content.badge = drafts.count }
    var requests: [NotificationRequest] = []
    for (index, draft) in drafts.enumerated() {
      let wait = delay + Self.pause * (index / Self.crowd)
      do throws(RequestError) {
        requests.append(
          try NotificationRequest(
            app: .launcher, id: RequestID(draft.id), draft.content, schedule: wait > .zero ? .in(wait) : .now))
      } catch {
        throw LauncherError(.action, draft.id, ": \(error)")
      }
    }
    self.requests = requests
  }

  /// The earlier requests that are no longer wanted once these are accepted: one with the same id is replaced.
  package func outdated(
    pending: [String], shown: [String], accepted: [String]
  ) -> (pending: [String], shown: [String]) {
    let new = Set(accepted.map { Identifier($0) })
    let atOnce = Set(requests.filter(\.schedule.isNow).compactMap { $0.id.map { Identifier($0.text) } })
    return (pending.filter { !new.contains(Identifier($0)) }, shown.filter { !atOnce.contains(Identifier($0)) })
  }

  private static func content(
    _ title: String, _ body: String, _ icon: String?, _ items: [Catalogue.Item], of app: Catalogue.App
  ) -> NotificationRequest.Content {
    var actions = items.map { item in
      Action(id: item.key, title: item.key == app.id ? "Open" : item.name, foreground: true, effect: item.effect)
    }
    // A click on the notification itself runs the first action.
    if let first = items.first {
      actions.insert(Action(id: Action.defaultID, title: title, foreground: true, effect: first.effect), at: 0)
    }
    var content = NotificationRequest.Content(title: title)
    content.body = body == title ? nil : body
    content.icon = icon.map { Picture($0) }
    // It stays on the screen until the user chooses.
    content.style = .alert
    content.actions = actions
    content.sound = .silent
    return content
  }
}
