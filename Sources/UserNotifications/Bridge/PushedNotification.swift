// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import NotificationModel
internal import Suzu

/// Notifications that came as a push, and pushes that are not shown.
extension UNUserNotificationCenter {
  /// Hands silent pushes to a handler, which returns why it could not handle one.
  package func handlePushes(_ handler: @escaping @Sendable (_ payload: [String: PlainValue]) async -> String?) {
    delivery.setPushHandler(handler)
  }
}

extension PushedRequest {
  /// A request that takes the place of this push, with what a content of Apple's shape does not hold.
  func keepingItsOwn(in made: NotificationRequest, with content: UNNotificationContent) -> NotificationRequest {
    let before = ContentValues(request.content)
    var changed = try? made.changing {
      $0.url = request.content.url
      if content.sound == before.sound { $0.sound = request.content.sound }
      guard content.categoryIdentifier == before.categoryIdentifier else { return }
      $0.category = request.content.category
      $0.actions = request.content.actions
    }
    changed?.id = id
    return changed ?? made
  }
}

extension UNNotificationContent {
  /// A payload as the dictionary that Apple's systems hand to an app.
  package static func userInfo(ofPush payload: [String: PlainValue]) -> [AnyHashable: Any] {
    ContentValues.userInfo(payload)
  }
}

extension UNNotificationTrigger {
  /// The trigger of a request that another program made.
  static func trigger(of schedule: Schedule, _ userInfo: [String: PlainValue], toldDate: Date?)
    -> UNNotificationTrigger?
  {
    schedule.isNow ? push(userInfo) : trigger(of: schedule, toldDate: toldDate)
  }

  /// The trigger of a push; nil for other requests. Only a payload has the key `aps`.
  static func push(_ userInfo: [String: PlainValue]) -> UNPushNotificationTrigger? {
    guard case .dictionary? = userInfo["aps"] else { return nil }
    return UNPushNotificationTrigger(repeats: false)
  }
}

extension Response {
  /// Whether it is a push that is handed to the app, and not a choice of the user.
  var isSilentPush: Bool {
    guard action == Action.silentPushID, case .dictionary? = userInfo["aps"] else { return false }
    return true
  }
}
