// SPDX-License-Identifier: Apache-2.0
import UIKit
import UserNotifications

// The manner of a messenger: an application delegate on the main actor, an actor that keeps what was read, and a
// service extension that decrypts the text of a push and takes its time if it cannot. Swift 6.

@main @MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
  private let inbox = MessageInbox()
  private let lines = Lines()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    let center = UNUserNotificationCenter.current()
    center.delegate = self
    center.serviceExtension = { NotificationService() }
    lines.write("launched")
    return true
  }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let content = response.notification.request.content
    let isPush = response.notification.request.trigger is UNPushNotificationTrigger
    let count = await inbox.read(content.userInfo["chat"] as? String ?? "-")
    lines.write("\(response.actionIdentifier) \(content.body) \(isPush) \(count)")
  }
}

actor MessageInbox {
  private var chats: [String: Int] = [:]

  func read(_ chat: String) -> Int {
    chats[chat, default: 0] += 1
    return chats[chat] ?? 0
  }
}

class NotificationService: UNNotificationServiceExtension {
  var contentHandler: ((UNNotificationContent) -> Void)?
  var bestAttemptContent: UNMutableNotificationContent?

  override func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
    guard let content = bestAttemptContent, let text = content.userInfo["text"] as? String else { return }
    content.body = String(text.reversed())
    content.threadIdentifier = content.userInfo["chat"] as? String ?? ""
    content.interruptionLevel = .timeSensitive
    contentHandler(content)
  }

  override func serviceExtensionTimeWillExpire() {
    if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
  }
}

struct Lines {
  private let pipe = ProcessInfo.processInfo.environment["APP_LINES"].flatMap { FileHandle(forUpdatingAtPath: $0) }

  func write(_ line: String) { pipe?.write(Data((line + "\n").utf8)) }
}
