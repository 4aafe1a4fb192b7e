// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of a plugin for a framework in another language: calls by name with dictionaries, results through a
// closure, numbers that are NSNumber, null that is NSNull, and a delegate that passes calls on to the one before it.
// Swift 5.

public typealias PluginResult = (Any?) -> Void

public struct PluginError: Error {
  public let code: String
  public let message: String?
  public let details: Any?
}

public class LocalNotificationsPlugin: NSObject {
  private static let payloadKey = "payload"
  private static let presentAlertKey = "presentAlert"

  public var channel: ((_ method: String, _ arguments: Any?) -> Void)?
  private weak var originalDelegate: UNUserNotificationCenterDelegate?
  private var launchDetails: [String: Any]?
  private var initialized = false

  public func handle(_ method: String, _ arguments: Any?, result: @escaping PluginResult) {
    let map = arguments as? [String: Any] ?? [:]
    switch method {
    case "initialize": initialize(map, result)
    case "show": show(map, trigger: nil, result)
    case "zonedSchedule":
      guard let trigger = calendarTrigger(map) else {
        return result(PluginError(code: "invalid_date", message: nil, details: map["scheduledDate"]))
      }
      show(map, trigger: trigger, result)
    case "periodicallyShow":
      let seconds = [0: 60, 1: 60 * 60, 2: 60 * 60 * 24][map["repeatInterval"] as? Int ?? 0] ?? 60
      show(map, trigger: UNTimeIntervalNotificationTrigger(timeInterval: Double(seconds), repeats: true), result)
    case "cancel":
      let ids = [(map["id"] as? NSNumber)?.stringValue].compactMap { $0 }
      UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: ids)
      UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: ids)
      result(nil)
    case "pendingNotificationRequests":
      UNUserNotificationCenter.current().getPendingNotificationRequests { requests in
        result(
          requests.map { request -> [String: Any] in
            [
              "id": request.content.userInfo["NotificationId"] ?? NSNull(), "title": request.content.title,
              "body": request.content.body,
              Self.payloadKey: request.content.userInfo[Self.payloadKey] ?? NSNull(),
            ]
          })
      }
    case "getActiveNotifications":
      UNUserNotificationCenter.current().getDeliveredNotifications { notifications in
        result(notifications.map { self.dictionary(of: $0) as NSDictionary } as NSArray)
      }
    case "checkPermissions":
      UNUserNotificationCenter.current().getNotificationSettings { settings in
        result([
          "isEnabled": settings.authorizationStatus == .authorized,
          "isSoundEnabled": settings.soundSetting == .enabled, "isBadgeEnabled": settings.badgeSetting == .enabled,
          "isProvisionalEnabled": settings.authorizationStatus == .provisional,
          "isCriticalEnabled": settings.criticalAlertSetting == .enabled,
        ])
      }
    default: result(PluginError(code: "not_implemented", message: method, details: nil))
    }
  }

  private func initialize(_ arguments: [String: Any], _ result: @escaping PluginResult) {
    let center = UNUserNotificationCenter.current()
    originalDelegate = center.delegate
    center.delegate = self
    var categories = Set<UNNotificationCategory>()
    for case let category as [String: Any] in arguments["notificationCategories"] as? [Any] ?? [] {
      var actions: [UNNotificationAction] = []
      for action in category["actions"] as? [[String: Any]] ?? [] {
        let options = (action["options"] as? [NSNumber] ?? []).reduce(UNNotificationActionOptions()) {
          $0.union(UNNotificationActionOptions(rawValue: $1.uintValue))
        }
        let identifier = action["identifier"] as! String
        let title = action["title"] as! String
        if action["type"] as? String == "text" {
          actions.append(
            UNTextInputNotificationAction(
              identifier: identifier, title: title, options: options,
              textInputButtonTitle: action["buttonTitle"] as? String ?? "",
              textInputPlaceholder: action["placeholder"] as? String ?? ""))
        } else {
          actions.append(UNNotificationAction(identifier: identifier, title: title, options: options))
        }
      }
      categories.insert(
        UNNotificationCategory(
          identifier: category["identifier"] as! String, actions: actions, intentIdentifiers: [],
          hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: category["summary"] as? String,
          options: UNNotificationCategoryOptions(rawValue: UInt(category["options"] as? Int ?? 0))))
    }
    center.getNotificationCategories { existing in
      center.setNotificationCategories(existing.union(categories))
      var options: UNAuthorizationOptions = []
      if (arguments["requestAlertPermission"] as? NSNumber)?.boolValue == true { options.insert(.alert) }
      if (arguments["requestSoundPermission"] as? NSNumber)?.boolValue == true { options.formUnion([.sound]) }
      if #available(iOS 12.0, *), arguments["requestProvisionalPermission"] as? Bool == true {
        options = options.union(.provisional)
      }
      guard !options.isEmpty else {
        self.initialized = true
        return result(true)
      }
      center.requestAuthorization(options: options) { granted, error in
        self.initialized = error == nil
        result(NSNumber(value: granted))
      }
    }
  }

  private func calendarTrigger(_ arguments: [String: Any]) -> UNCalendarNotificationTrigger? {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
    formatter.locale = Locale(identifier: "en_US_POSIX")
    let zone = TimeZone(identifier: arguments["timeZoneName"] as? String ?? "") ?? TimeZone.current
    formatter.timeZone = zone
    guard let text = arguments["scheduledDate"] as? String, let date = formatter.date(from: text) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let units: Set<Calendar.Component>
    switch (arguments["matchDateTimeComponents"] as? NSNumber)?.intValue {
    case 0: units = [.hour, .minute, .second, .timeZone]
    case 1: units = [.weekday, .hour, .minute, .second, .timeZone]
    default: units = [.year, .month, .day, .hour, .minute, .second, .timeZone]
    }
    return UNCalendarNotificationTrigger(
      dateMatching: calendar.dateComponents(units, from: date), repeats: arguments["matchDateTimeComponents"] != nil)
  }

  private func show(_ arguments: [String: Any], trigger: UNNotificationTrigger?, _ result: @escaping PluginResult) {
    guard let id = arguments["id"] as? NSNumber else {
      return result(PluginError(code: "invalid_id", message: "id is required", details: nil))
    }
    let content = UNMutableNotificationContent()
    if let title = arguments["title"] as? String { content.title = title }
    if let body = arguments["body"] as? String { content.body = body }
    let specifics = arguments["platformSpecifics"] as? [String: Any] ?? [:]
    if let badge = specifics["badgeNumber"] as? NSNumber { content.badge = badge }
    if let subtitle = specifics["subtitle"], !(subtitle is NSNull) { content.subtitle = subtitle as! String }
    content.categoryIdentifier = specifics["categoryIdentifier"] as? String ?? ""
    content.threadIdentifier = specifics["threadIdentifier"] as? String ?? ""
    if let level = specifics["interruptionLevel"] as? Int,
      let interruptionLevel = UNNotificationInterruptionLevel(rawValue: UInt(level))
    {
      content.interruptionLevel = interruptionLevel
    }
    do {
      content.attachments = try (specifics["attachments"] as? [[String: Any]] ?? []).map { attachment in
        try UNNotificationAttachment(
          identifier: attachment["identifier"] as? String ?? "",
          url: URL(fileURLWithPath: attachment["filePath"] as! String),
          options: attachment["hideThumbnail"].map { [UNNotificationAttachmentOptionsThumbnailHiddenKey: $0] })
      }
    } catch {
      let error = error as NSError
      return result(PluginError(code: "\(error.code)", message: error.localizedDescription, details: error.domain))
    }
    content.userInfo = [
      "NotificationId": id, Self.presentAlertKey: specifics[Self.presentAlertKey] as? NSNumber ?? NSNumber(value: true),
      Self.payloadKey: arguments[Self.payloadKey] ?? NSNull(),
    ]
    let request = UNNotificationRequest(identifier: id.stringValue, content: content, trigger: trigger)
    UNUserNotificationCenter.current().add(request) { error in
      if let error = error as NSError? {
        result(PluginError(code: "\(error.code)", message: error.localizedDescription, details: error.domain))
      } else {
        result(nil)
      }
    }
  }

  private func dictionary(of notification: UNNotification) -> [String: Any] {
    let content = notification.request.content
    var values: [String: Any] = ["id": content.userInfo["NotificationId"] as Any, "title": content.title]
    values["date"] = Int(notification.date.timeIntervalSince1970 * 1000)
    values["badge"] = content.badge
    return values
  }
}

extension LocalNotificationsPlugin: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    guard notification.request.content.userInfo["NotificationId"] != nil else {
      if let original = originalDelegate {
        return original.userNotificationCenter(
          center, willPresent: notification, withCompletionHandler: completionHandler)
      }
      return completionHandler([])
    }
    let isShown = (notification.request.content.userInfo[Self.presentAlertKey] as? NSNumber)?.boolValue ?? false
    completionHandler(isShown ? [.alert, .sound] : [])
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    var arguments: [String: Any] = ["actionId": response.actionIdentifier]
    let userInfo = response.notification.request.content.userInfo
    arguments["notificationId"] = userInfo["NotificationId"] as? Int
    arguments[Self.payloadKey] = userInfo[Self.payloadKey] is NSNull ? nil : userInfo[Self.payloadKey]
    if let response = response as? UNTextInputNotificationResponse { arguments["input"] = response.userText }
    launchDetails = arguments
    channel?("didReceiveNotificationResponse", arguments)
    completionHandler()
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {
    channel?("openSettings", notification.map { dictionary(of: $0) })
  }
}
