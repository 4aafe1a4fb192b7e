// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel

/// Whether the texts of notifications are hidden now: the user sets that for each app.
final class HiddenTexts {
  private let loop: EventLoop
  private let apps: Apps
  private let session: Desktop.Session
  /// The callers that wait while the lock of the session is queried; nil if it is not.
  private var waiting: [(Bool) -> Void]?
  private var isWaitingForUser = false

  init(on loop: EventLoop, apps: Apps, session: Desktop.Session) {
    self.loop = loop
    self.apps = apps
    self.session = session
  }

  /// Whether those of an app are hidden; nil if that depends on the lock.
  func areHidden(of app: AppID) -> Bool? {
    switch apps[app.text].previews {
    case .always: false
    case .never: true
    case .unlocked: nil
    }
  }

  /// Whether the session is locked: one query for all that wait.
  func isLocked() async -> Bool {
    while waiting != nil {
      let answer: Bool? = await loop.withContinuation { continuation in
        // The answer may have come before this task ran.
        guard waiting != nil else { return continuation.resume(returning: nil) }
        waiting?.append { continuation.resume(returning: $0) }
      }
      if let answer { return answer }
    }
    waiting = []
    let isLocked = await session.isLocked()
    let others = waiting.take() ?? []
    for other in others { other(isLocked) }
    return isLocked
  }

  /// Whether the texts of an app are shown as soon as the session is unlocked.
  func returnAtUnlock(of app: AppID) -> Bool { apps[app.text].previews == .unlocked }

  /// Returns when the session is unlocked; at once, false, for all callers but the first.
  func awaitUser() async -> Bool {
    if isWaitingForUser { return false }
    isWaitingForUser = true
    await session.awaitUser(on: loop)
    isWaitingForUser = false
    return true
  }
}

extension Desktop.Session {
  /// Returns when the session is unlocked, or not known to be locked.
  func awaitUser(on loop: EventLoop) async {
    while !(await unlocked(.seconds(3600))) {
      // One that cannot be asked for says so at once.
      if await isLocked() { try? await loop.sleep(for: .seconds(60)) } else { return }
    }
  }
}

extension NotificationRequest {
  /// The body where a category has none.
  private static let usualHiddenBody = "Notification"

  /// The request without what is private: its texts, and pictures that are files. Its buttons and its sound stay.
  ///
  /// - Parameter count: how many notifications of its thread are on the screen, this one included.
  func hidingTexts(_ form: Category.Hidden?, name: String, count: Int) -> NotificationRequest {
    var content = content
    // A digest's title only says how many it stands for.
    let isDigest = id == HeldDigest.batchID || id == Burst.digestID
    if !isDigest, form?.title != true || content.title.isEmpty { content.title = name }
    if form?.subtitle != true { content.subtitle = nil }
    content.body = isDigest ? nil : form?.body?.filled(count: count) ?? Self.usualHiddenBody
    content.markup = false
    content.image = nil
    if case .named? = content.icon {} else { content.icon = nil }
    return NotificationRequest(trusted: content, app: app, id: id, schedule: schedule)
  }
}
