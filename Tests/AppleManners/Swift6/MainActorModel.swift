// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of a new app: Swift 6, a model on the main actor, nonisolated methods with handlers that hop to it.

@MainActor
public final class TeaModel: NSObject {
  public private(set) var log: [String] = []
  public private(set) var status: UNAuthorizationStatus = .notDetermined

  public func start() async {
    let center = UNUserNotificationCenter.current()
    center.delegate = self
    center.setNotificationCategories([
      UNNotificationCategory(
        identifier: "tea",
        actions: [UNNotificationAction(identifier: "drink", title: "Drink", options: [.foreground])],
        intentIdentifiers: [])
    ])
    do {
      if try await center.requestAuthorization(options: [.alert, .sound]) {
        status = await center.notificationSettings().authorizationStatus
      }
      try await remind()
    } catch let error as UNError where error.code == .notificationsNotAllowed {
      log.append("not allowed")
    } catch {
      log.append("\(error)")
    }
  }

  private func remind() async throws {
    let content = UNMutableNotificationContent()
    content.title = "Tea"
    content.categoryIdentifier = "tea"
    content.userInfo = ["id": UUID().uuidString]
    let request = UNNotificationRequest(identifier: "tea", content: content, trigger: nil)
    try await UNUserNotificationCenter.current().add(request)
  }

  private func handle(_ action: String) {
    log.append(action)
    NotificationCenter.default.post(name: Notification.Name("manner"), object: "model \(action) \(status.rawValue)")
  }
}

extension TeaModel: UNUserNotificationCenterDelegate {
  nonisolated public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([.banner, .list])
  }

  nonisolated public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let action = response.actionIdentifier
    Task { @MainActor in
      handle(action)
    }
    completionHandler()
  }
}
