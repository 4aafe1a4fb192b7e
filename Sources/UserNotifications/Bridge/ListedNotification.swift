// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel

/// Requests in listings of the center, and in its calls.
extension UNNotificationRequest {
  /// The request in a row.
  convenience init?(_ row: ListedRequest) {
    guard let request = try? row.request() else { return nil }
    self.init(request, id: row.id, next: Date(listed: row.next))
  }

  /// A request of the center: the one that was kept, with the texts that another program may have changed since.
  convenience init(_ request: NotificationRequest, id: String, next: Date?) {
    guard let kept = KeptValues(userInfo: request.content.userInfo), let identifier = kept.text("identifier") else {
      self.init(
        identifier: SentIdentifier.identifier(id) ?? id, content: UNNotificationContent(ContentValues(request.content)),
        trigger: UNNotificationTrigger.trigger(of: request.schedule, request.content.userInfo, toldDate: next))
      return
    }
    var values = ContentValues(kept: kept.values("content") ?? KeptValues())
    values.adopt(ShownTexts(request.content), app: request.app)
    self.init(
      identifier: identifier, content: UNNotificationContent(values),
      trigger: kept.values("trigger").map { UNNotificationTrigger.trigger(kept: $0, toldDate: next) }
        ?? UNNotificationTrigger.trigger(of: request.schedule, toldDate: next))
  }

  /// The request that a response is about; nil if another program made it: a response has the values of the app only.
  convenience init?(of response: Response) {
    guard let kept = KeptValues(userInfo: response.userInfo), let identifier = kept.text("identifier") else {
      return nil
    }
    self.init(
      identifier: identifier, content: UNNotificationContent(kept: kept.values("content") ?? KeptValues()),
      trigger: kept.values("trigger").flatMap(UNNotificationTrigger.trigger(kept:)))
  }

  /// The request of another program that a response is about, without its texts.
  convenience init(withoutTexts response: Response) {
    var values = ContentValues()
    values.userInfo = ContentValues.userInfo(response.userInfo)
    self.init(
      identifier: SentIdentifier.identifier(response.id) ?? response.id, content: UNNotificationContent(values),
      trigger: UNNotificationTrigger.push(response.userInfo))
  }
}

extension ContentValues {
  /// The content of a request that another program made.
  init(_ content: NotificationRequest.Content) {
    self.init()
    title = content.title
    subtitle = content.subtitle ?? ""
    body = content.body ?? ""
    badge = content.badge.map { NSNumber(value: $0) }
    sound = content.sound.flatMap { $0 == .silent ? nil : .default }
    userInfo = Self.userInfo(content.userInfo)
    categoryIdentifier = content.category.map { SentIdentifier.identifier($0.text) ?? $0.text } ?? ""
    threadIdentifier = content.thread.map { SentIdentifier.identifier($0) ?? $0 } ?? ""
    interruptionLevel = UNNotificationInterruptionLevel(content.level)
  }

  static func userInfo(_ values: [String: PlainValue]) -> [AnyHashable: Any] {
    Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0.key), PropertyList.value($0.value)) })
  }

  /// Takes over texts that are other ones than those that this content shows.
  fileprivate mutating func adopt(_ shown: ShownTexts, app: AppID) {
    guard let own = try? ShownTexts(self, app: app), own != shown else { return }
    if own.title != shown.title { title = shown.title }
    if own.subtitle != shown.subtitle { subtitle = shown.subtitle ?? "" }
    if own.body != shown.body { body = shown.body ?? "" }
  }
}

extension UNNotification {
  /// A notification on the screen.
  convenience init?(shown row: ListedRequest) {
    guard let request = UNNotificationRequest(row) else { return nil }
    self.init(date: Date(listed: row.shown) ?? Date(listed: row.due) ?? Date(), request: request)
  }
}

extension UNNotificationResponse {
  /// What the user chose.
  static func made(
    from response: Response, about request: UNNotificationRequest, activationToken: String?
  ) -> UNNotificationResponse {
    let notification = UNNotification(date: Date(listed: response.due) ?? Date(), request: request)
    let action: String
    switch response.action {
    case NotificationModel.Action.defaultID, NotificationModel.Action.listID:
      action = UNNotificationDefaultActionIdentifier
    case NotificationModel.Action.dismissID: action = UNNotificationDismissActionIdentifier
    default: action = SentIdentifier.identifier(response.action) ?? response.action
    }
    guard let reply = response.reply else {
      return UNNotificationResponse(
        notification: notification, actionIdentifier: action, activationToken: activationToken)
    }
    return UNTextInputNotificationResponse(
      notification: notification, actionIdentifier: action, activationToken: activationToken, userText: reply)
  }
}
