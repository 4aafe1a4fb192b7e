// SPDX-License-Identifier: Apache-2.0
import Catalogue
import UIKit
import UserNotifications

// apple-launcher register [SECONDS]    the same with Apple's names; the lists are those of the other program
//
// This program opens the URLs itself. It runs until it is ended; then a click starts it again.

@main
final class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  private let center = UNUserNotificationCenter.current()

  #if os(Linux)
    override init() {
      // There is no bundle that says it.
      UNUserNotificationCenter.appIdentifier = "org.example.Launcher"
      super.init()
    }
  #endif

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    center.delegate = self
    // An app with a window has a button for this.
    let words = CommandLine.arguments.dropFirst()
    if words.first == "register" {
      Task { await register(after: words.dropFirst().first.flatMap { TimeInterval($0) } ?? 5) }
    }
    return true
  }

  private func register(after delay: TimeInterval) async {
    let entries = Catalogue().enabled
    do {
      guard try await center.requestAuthorization(options: [.alert, .badge, .sound]) else {
        return print("notifications are not allowed")
      }
      center.removeAllPendingNotificationRequests()
      center.removeAllDeliveredNotifications()
      for (index, entry) in entries.enumerated() {
        let content = UNMutableNotificationContent()
        content.title = entry.name
        content.body = entry.app
        content.badge = NSNumber(value: index + 1)
        content.userInfo = ["scheme": entry.scheme]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: delay, repeats: false)
        try await center.add(UNNotificationRequest(identifier: entry.name, content: content, trigger: trigger))
      }
      print("registered \(entries.count) actions")
    } catch {
      print(error)
    }
  }

  // MARK: Notifications

  /// While the app is in front, too, only a click opens anything.
  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner, .list, .badge] }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    guard response.actionIdentifier == UNNotificationDefaultActionIdentifier,
      let scheme = response.notification.request.content.userInfo["scheme"] as? String, let url = URL(string: scheme)
    else { return }
    await UIApplication.shared.open(url)
    let left = await center.deliveredNotifications().count
    try? await center.setBadgeCount(left)
  }
}
