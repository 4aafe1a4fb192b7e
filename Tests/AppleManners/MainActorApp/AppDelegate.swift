// SPDX-License-Identifier: Apache-2.0
import Foundation
import UIKit
import UserNotifications

// The manner of a new project of Xcode 26: everything is on the main actor unless it says otherwise, and an application
// delegate hands the notifications to an object of its own.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  let manager = NotificationManager()

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = manager
    application.registerForRemoteNotifications()
    Task { await manager.start() }
    return true
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    print(deviceToken.map { String(format: "%02.2hhx", $0) }.joined())
  }

  func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
    manager.note("no push")
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult { .noData }
}

class NotificationManager: NSObject {
  private(set) var status = UNAuthorizationStatus.notDetermined
  private(set) var opened: [String] = []
  private let center = UNUserNotificationCenter.current()
  private let pipe = ProcessInfo.processInfo.environment["APP_LINES"].flatMap { FileHandle(forUpdatingAtPath: $0) }

  func note(_ line: String) { pipe?.write(Data((line + "\n").utf8)) }

  func start() async {
    do {
      guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else { return }
      status = await center.notificationSettings().authorizationStatus
      center.setNotificationCategories([
        UNNotificationCategory(
          identifier: "CARD", actions: [UNNotificationAction(identifier: "LATER", title: "Later")],
          intentIdentifiers: [])
      ])
      let content = UNMutableNotificationContent()
      content.title = "Cards are due"
      content.categoryIdentifier = "CARD"
      content.interruptionLevel = .timeSensitive
      try await center.add(UNNotificationRequest(identifier: "cards", content: content, trigger: nil))
      try await center.setBadgeCount(3)
      note("added \(status.rawValue)")
    } catch {
      note(error.localizedDescription)
    }
  }
}

extension NotificationManager: UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner, .sound] }

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    opened.append(response.notification.request.identifier)
    note("\(response.actionIdentifier) \(opened)")
  }
}
