// SPDX-License-Identifier: Apache-2.0
import UIKit

// The manner of an app of 2014: notifications on the application object, in Swift 5.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?
  let lines = Lines()

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    _ = NotificationCenter.default.addObserver(
      forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
    ) { [lines] _ in lines.write("active") }
    if let notification = launchOptions?[.localNotification] as? UILocalNotification {
      lines.write("launched by \(notification.alertBody ?? "-")")
    } else {
      lines.write("launched")
    }
    registerSettings(application)
    return true
  }

  private func registerSettings(_ application: UIApplication) {
    let accept = UIMutableUserNotificationAction()
    accept.identifier = "ACCEPT"
    accept.title = "Accept"
    accept.activationMode = .background
    accept.isDestructive = false
    accept.isAuthenticationRequired = false

    let trash = UIMutableUserNotificationAction()
    trash.identifier = "TRASH"
    trash.title = "Trash"
    trash.activationMode = UIUserNotificationActivationMode.background
    trash.isDestructive = true

    let reply = UIMutableUserNotificationAction()
    reply.identifier = "REPLY"
    reply.title = "Reply"
    reply.activationMode = .background
    reply.behavior = .textInput
    reply.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]

    let category = UIMutableUserNotificationCategory()
    category.identifier = "INVITE"
    category.setActions([accept, trash, reply], for: .default)
    category.setActions([accept, trash], for: .minimal)

    let settings = UIUserNotificationSettings(types: [.alert, .sound, .badge], categories: [category])
    application.registerUserNotificationSettings(settings)
  }

  func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
    lines.write("registered \(notificationSettings.types.rawValue)")
    guard CommandLine.arguments.contains("schedule") else { return }
    let now = UILocalNotification()
    now.alertTitle = "Invitation"
    now.alertBody = "Tea at five"
    now.category = "INVITE"
    now.soundName = UILocalNotificationDefaultSoundName
    now.userInfo = ["scheme": "tea://invite"]
    application.presentLocalNotificationNow(now)

    let daily = UILocalNotification()
    daily.fireDate = Date(timeIntervalSinceNow: 3600)
    daily.timeZone = NSTimeZone.default
    daily.repeatInterval = NSCalendar.Unit.day
    daily.alertBody = "Every day"
    daily.applicationIconBadgeNumber = 1
    application.scheduleLocalNotification(daily)
    application.scheduleLocalNotification(daily)
    let scheduled = application.scheduledLocalNotifications ?? []
    lines.write("scheduled \(scheduled.map { $0.alertBody ?? "-" }) \(scheduled.first?.repeatInterval == .day)")
    if let first = scheduled.first { application.cancelLocalNotification(first) }
    lines.write("left \(application.scheduledLocalNotifications?.count ?? -1)")
    application.applicationIconBadgeNumber = 5
    lines.write("badge \(application.applicationIconBadgeNumber)")
    let types = application.currentUserNotificationSettings?.types ?? []
    lines.write("may \(types.contains(.alert)) \(application.currentUserNotificationSettings?.categories?.count ?? 0)")
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    application.applicationIconBadgeNumber -= 1
    let badge = application.applicationIconBadgeNumber
    lines.write(
      "received \(notification.alertBody ?? "-") \(notification.userInfo?["scheme"] as? String ?? "-") \(badge)")
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    completionHandler: @escaping () -> Void
  ) {
    lines.write("action \(identifier ?? "-") \(notification.alertBody ?? "-")")
    // A mistake of this app.
    if identifier == "TRASH" { return }
    completionHandler()
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    withResponseInfo responseInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    guard let text = responseInfo[UIUserNotificationActionResponseTypedTextKey] as? String else {
      return self.application(
        application, handleActionWithIdentifier: identifier, for: notification, completionHandler: completionHandler)
    }
    lines.write("action \(identifier ?? "-") \(text)")
    completionHandler()
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    let page = userInfo["page"] as? Int ?? -1
    let aps = userInfo["aps"] as? [String: Any]
    lines.write("pushed \(page) \(aps?["content-available"] as? Int ?? 0)")
    // A mistake of this app.
    if page == 9 { return }
    completionHandler(page == 0 ? .failed : .newData)
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void
  ) {
    lines.write("push \(identifier ?? "-") \(userInfo["page"] as? Int ?? -1)")
    completionHandler()
  }

  func applicationWillTerminate(_ application: UIApplication) {
    lines.write("ends")
  }
}
