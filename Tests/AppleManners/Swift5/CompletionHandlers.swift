// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of a tutorial: a singleton, completion handlers everywhere, Swift 5.

public class NotificationManager: NSObject {
  public static let shared = NotificationManager()
  private let notificationCenter = UNUserNotificationCenter.current()
  public private(set) var isAuthorized = false

  struct Identifiers {
    static let category = "REMINDER_CATEGORY"
    static let done = "DONE_ACTION"
    static let delete = "DELETE_ACTION"
    static let reply = "REPLY_ACTION"
  }

  public func start() {
    notificationCenter.delegate = self
    registerCategories()
    notificationCenter.requestAuthorization(options: [.alert, .badge, .sound]) { [weak self] granted, error in
      guard let self = self else { return }
      if let error = error {
        print("Error: \(error.localizedDescription)")
        return
      }
      DispatchQueue.main.async {
        self.isAuthorized = granted
        self.scheduleReminder(title: "Tea is ready", after: 1)
      }
    }
  }

  private func registerCategories() {
    let done = UNNotificationAction(identifier: Identifiers.done, title: "Done", options: [])
    let delete = UNNotificationAction(
      identifier: Identifiers.delete, title: "Delete", options: [.destructive, .authenticationRequired])
    let reply = UNTextInputNotificationAction(
      identifier: Identifiers.reply, title: "Reply", options: [], textInputButtonTitle: "Send",
      textInputPlaceholder: "Type here…")
    let category: UNNotificationCategory
    if #available(iOS 12.0, macOS 10.14, *) {
      category = UNNotificationCategory(
        identifier: Identifiers.category, actions: [done, delete, reply], intentIdentifiers: [],
        hiddenPreviewsBodyPlaceholder: "", categorySummaryFormat: nil, options: .customDismissAction)
    } else {
      category = UNNotificationCategory(
        identifier: Identifiers.category, actions: [done, delete, reply], intentIdentifiers: [], options: [])
    }
    notificationCenter.setNotificationCategories([category])
  }

  public func scheduleReminder(title: String, after seconds: TimeInterval) {
    let content = UNMutableNotificationContent()
    content.title = title
    content.subtitle = "Green"
    content.body = NSString.localizedUserNotificationString(forKey: "%@ minutes", arguments: [4])
    content.sound = UNNotificationSound.default
    content.badge = 1
    content.categoryIdentifier = Identifiers.category
    content.userInfo = ["taskId": "42", "priority": 3, "done": false]
    #if os(macOS)
      content.threadIdentifier = "mac"
    #else
      content.launchImageName = "Launch"
    #endif
    if #available(iOS 15.0, *) {
      content.interruptionLevel = .timeSensitive
      content.relevanceScore = 1.0
    }
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
    let request = UNNotificationRequest(identifier: "reminder-42", content: content, trigger: trigger)
    notificationCenter.add(request) { error in
      if let error = error as NSError? {
        print("\(error.domain) \(error.code)")
      }
    }
  }

  public func removeAll() {
    notificationCenter.removeAllPendingNotificationRequests()
    notificationCenter.removeAllDeliveredNotifications()
  }

  public func listScheduled(completion: @escaping ([String]) -> Void) {
    notificationCenter.getPendingNotificationRequests { requests in
      for request in requests {
        if let trigger = request.trigger as? UNCalendarNotificationTrigger {
          print(trigger.nextTriggerDate() ?? Date())
        }
      }
      completion(requests.map { $0.identifier })
    }
  }
}

extension NotificationManager: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    if #available(iOS 14.0, macOS 11.0, *) {
      completionHandler([.banner, .list, .sound, .badge])
    } else {
      completionHandler([.alert, .sound, .badge])
    }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    defer { completionHandler() }
    let userInfo = response.notification.request.content.userInfo
    guard let taskId = userInfo["taskId"] as? String, let priority = userInfo["priority"] as? Int else { return }
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier:
      post("opened \(taskId)")
    case UNNotificationDismissActionIdentifier:
      post("dismissed \(taskId)")
    case Identifiers.done:
      post("done \(taskId) \(priority)")
    case Identifiers.reply:
      if let textResponse = response as? UNTextInputNotificationResponse {
        post("reply \(textResponse.userText)")
      }
    default:
      break
    }
  }

  private func post(_ text: String) {
    NotificationCenter.default.post(name: Notification.Name("manner"), object: text)
  }
}
