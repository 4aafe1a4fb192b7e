// SPDX-License-Identifier: Apache-2.0
import UIKit
import UserNotifications

// The invitation with the names that UIKit had before UserNotifications: uikit-invitation [TEXT]

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?

  #if os(Linux)
    override init() {
      // There is no bundle that says it.
      UNUserNotificationCenter.appIdentifier = "org.example.Invitation"
      super.init()
    }
  #endif

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let accept = action("accept", "Accept", .background)
    let maybe = action("maybe", "Maybe", .background)
    let decline = action("decline", "Decline", .background)
    let trash = action("trash", "Trash", .background)
    trash.isDestructive = true
    trash.isAuthenticationRequired = true
    let reply = action("reply", "Reply…", .foreground)
    reply.behavior = .textInput
    reply.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]

    let category = UIMutableUserNotificationCategory()
    category.identifier = "invitation"
    category.setActions([accept, decline], for: .minimal)
    category.setActions([accept, maybe, decline, reply, trash], for: .default)
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: [category]))
    return true
  }

  private func action(
    _ identifier: String, _ title: String, _ mode: UIUserNotificationActivationMode
  ) -> UIMutableUserNotificationAction {
    let action = UIMutableUserNotificationAction()
    action.identifier = identifier
    action.title = title
    action.activationMode = mode
    return action
  }

  func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
    guard notificationSettings.types.contains(.alert) else { return print("notifications are not allowed") }
    let notification = UILocalNotification()
    notification.alertTitle = CommandLine.arguments.dropFirst().first ?? "Lunch at noon?"
    notification.alertBody = "Anna asks"
    notification.category = "invitation"
    notification.soundName = UILocalNotificationDefaultSoundName
    application.presentLocalNotificationNow(notification)
  }

  // MARK: Answers

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void
  ) {
    switch identifier {
    case "accept": print("You accept.")
    case "maybe": print("You may come.")
    case "decline": print("You decline.")
    case "trash": print("You do not answer.")
    default: print("You answer: \(responseInfo[UIUserNotificationActionResponseTypedTextKey] ?? "")")
    }
    completionHandler()
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    print("You look at it.")
  }
}
