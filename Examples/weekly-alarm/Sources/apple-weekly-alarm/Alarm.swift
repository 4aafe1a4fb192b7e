// SPDX-License-Identifier: Apache-2.0
import UserNotifications

/// The alarm with Apple's names: a calendar trigger has one weekday, so each day has a request of its own.
final class Alarm: NSObject, UNUserNotificationCenterDelegate, Sendable {
  private let center = UNUserNotificationCenter.current()
  /// Each press of OK.
  let (presses, press) = AsyncStream<Void>.makeStream()

  /// - Parameter days: 1 is Sunday.
  func set(_ days: [Int], hour: Int, minute: Int, second: Int) async throws {
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
    let ok = UNNotificationAction(identifier: "ok", title: "OK", options: .foreground)
    center.setNotificationCategories([
      UNNotificationCategory(identifier: "alarm", actions: [ok], intentIdentifiers: [])
    ])
    center.removeAllPendingNotificationRequests()
    for day in days {
      let content = UNMutableNotificationContent()
      content.title = "Good morning"
      content.sound = .default
      content.interruptionLevel = .timeSensitive
      content.categoryIdentifier = "alarm"
      let date = DateComponents(hour: hour, minute: minute, second: second, weekday: day)
      let trigger = UNCalendarNotificationTrigger(dateMatching: date, repeats: true)
      try await center.add(UNNotificationRequest(identifier: "alarm \(day)", content: content, trigger: trigger))
    }
  }

  /// The next date; nil if no alarm is set.
  func next() async -> Date? {
    let triggers = await center.pendingNotificationRequests().map { $0.trigger as? UNCalendarNotificationTrigger }
    return triggers.compactMap { $0?.nextTriggerDate() }.min()
  }

  // MARK: Notifications

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner, .sound] }

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    if response.actionIdentifier == "ok" { press.yield() }
  }
}
