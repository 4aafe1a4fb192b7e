// SPDX-License-Identifier: Apache-2.0
import UserNotifications

/// The invitation with Apple's names: the system decides how many of the actions it shows at once.
final class Invitation: NSObject, UNUserNotificationCenterDelegate, Sendable {
  private let center = UNUserNotificationCenter.current()
  let (answers, answer) = AsyncStream<String>.makeStream()

  func ask(_ text: String) async throws {
    center.delegate = self
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return answer.finish() }
    let actions = [
      UNNotificationAction(identifier: "accept", title: "Accept"),
      UNNotificationAction(identifier: "maybe", title: "Maybe"),
      UNNotificationAction(identifier: "decline", title: "Decline"),
      UNNotificationAction(identifier: "trash", title: "Trash", options: [.destructive, .authenticationRequired]),
      UNTextInputNotificationAction(
        identifier: "reply", title: "Reply…", options: .foreground, textInputButtonTitle: "Send",
        textInputPlaceholder: "Your answer"),
    ]
    center.setNotificationCategories([
      UNNotificationCategory(identifier: "invitation", actions: actions, intentIdentifiers: [])
    ])
    let content = UNMutableNotificationContent()
    content.title = text
    content.body = "Anna asks"
    content.categoryIdentifier = "invitation"
    try await center.add(UNNotificationRequest(identifier: "lunch", content: content, trigger: nil))
  }

  // MARK: Notifications

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner, .list, .sound] }

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    switch response.actionIdentifier {
    case "accept": answer.yield("You accept.")
    case "maybe": answer.yield("You may come.")
    case "decline": answer.yield("You decline.")
    case "trash": answer.yield("You do not answer.")
    case "reply": answer.yield("You answer: \((response as? UNTextInputNotificationResponse)?.userText ?? "")")
    default: answer.yield("You look at it.")
    }
  }
}
