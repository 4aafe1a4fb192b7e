// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import Foundation

@testable import UserNotifications

// Uses of the center, its delegate and requests: one of each name in the tables of docs/APPLE.md, behind a comment with
// the name. They are compiled, and not run.

/// Uses a value.
func take<Value>(_ value: Value) {}

// ### UNUserNotificationCenter
func useUNUserNotificationCenter(_ center: UNUserNotificationCenter, _ request: UNNotificationRequest, _ category: UNNotificationCategory) async throws {
  // `UNUserNotificationCenter`
  take(UNUserNotificationCenter.self)
  // `current()`
  let current = UNUserNotificationCenter.current()
  take(current)
  // `delegate`
  take(center.delegate as Any)
  // `supportsContentExtensions`
  take(center.supportsContentExtensions)
  // `requestAuthorization(options:completionHandler:)`
  center.requestAuthorization(options: [.alert]) { granted, error in take((granted, error as Any)) }
  // `requestAuthorization(options:) async`
  take(try await center.requestAuthorization(options: [.alert]))
  // `setNotificationCategories(_:)`
  center.setNotificationCategories([category])
  // `getNotificationCategories(completionHandler:)`
  center.getNotificationCategories { take($0) }
  // `notificationCategories() async`
  take(await center.notificationCategories())
  // `getNotificationSettings(completionHandler:)`
  center.getNotificationSettings { take($0) }
  // `notificationSettings() async`
  take(await center.notificationSettings())
  // `add(_:withCompletionHandler:)`
  center.add(request) { take($0 as Any) }
  // `add(_:) async`
  try await center.add(request)
  // `getPendingNotificationRequests(completionHandler:)`
  center.getPendingNotificationRequests { take($0) }
  // `pendingNotificationRequests() async`
  take(await center.pendingNotificationRequests())
  // `removePendingNotificationRequests(withIdentifiers:)`
  center.removePendingNotificationRequests(withIdentifiers: ["a"])
  // `removeAllPendingNotificationRequests()`
  center.removeAllPendingNotificationRequests()
  // `getDeliveredNotifications(completionHandler:)`
  center.getDeliveredNotifications { take($0) }
  // `deliveredNotifications() async`
  take(await center.deliveredNotifications())
  // `removeDeliveredNotifications(withIdentifiers:)`
  center.removeDeliveredNotifications(withIdentifiers: ["a"])
  // `removeAllDeliveredNotifications()`
  center.removeAllDeliveredNotifications()
  // `setBadgeCount(_:withCompletionHandler:)`
  center.setBadgeCount(1) { take($0 as Any) }
  // `setBadgeCount(_:) async`
  try await center.setBadgeCount(1)
  // `appIdentifier`
  take(UNUserNotificationCenter.appIdentifier)
  // `serviceExtension`
  center.serviceExtension = { UNNotificationServiceExtension() }
}

// ### UNUserNotificationCenterDelegate
func useUNUserNotificationCenterDelegate(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ notification: UNNotification, _ response: UNNotificationResponse) async throws {
  // `UNUserNotificationCenterDelegate`
  take((any UNUserNotificationCenterDelegate).self)
  // `userNotificationCenter(_:willPresent:withCompletionHandler:)`
  delegate.userNotificationCenter(center, willPresent: notification) { take($0) }
  // `userNotificationCenter(_:willPresent:) async`
  take(await delegate.userNotificationCenter(center, willPresent: notification))
  // `userNotificationCenter(_:didReceive:withCompletionHandler:)`
  delegate.userNotificationCenter(center, didReceive: response) {}
  // `userNotificationCenter(_:didReceive:) async`
  await delegate.userNotificationCenter(center, didReceive: response)
  // `userNotificationCenter(_:openSettingsFor:)`
  delegate.userNotificationCenter(center, openSettingsFor: nil)
}

// ### UNNotificationRequest
func useUNNotificationRequest(_ request: UNNotificationRequest, _ content: UNNotificationContent) throws {
  // `UNNotificationRequest`
  take(UNNotificationRequest.self)
  // `init(identifier:content:trigger:)`
  take(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
  // `identifier`
  take(request.identifier)
  // `content`
  take(request.content)
  // `trigger`
  take(request.trigger as Any)
}
