// SPDX-License-Identifier: Apache-2.0
internal import CoreLocation
internal import Foundation
internal import NotificationModel
internal import UserNotifications

/// Notifications in the older form as requests in the newer one, which keep them whole.
extension UILocalNotification {
  /// The value of the content under which it is kept.
  private static let keptKey = "dev.suzu.UILocalNotification"

  /// Everything but the values of the app, as a property list.
  var kept: [String: Any] {
    let values = values
    var kept: [String: Any] = [
      "hasAction": values.hasAction, "repeatInterval": Int(clamping: values.repeatInterval.rawValue),
      "badge": values.applicationIconBadgeNumber, "once": values.regionTriggersOnce,
    ]
    kept["fireDate"] = values.fireDate
    kept["timeZone"] = values.timeZone?.identifier
    kept["alertBody"] = values.alertBody
    kept["alertTitle"] = values.alertTitle
    kept["alertAction"] = values.alertAction
    kept["alertLaunchImage"] = values.alertLaunchImage
    kept["soundName"] = values.soundName
    kept["category"] = values.category
    kept["region"] = values.region?.kept
    // An archive without the values that cannot be kept; adding such a notification is an error.
    if let info = values.userInfo, PropertyListSerialization.propertyList(info, isValidFor: .binary) {
      kept["userInfo"] = info
    }
    return kept
  }

  convenience init(kept: [String: Any]) {
    var values = Values()
    func number(_ name: String) -> Int? { (kept[name] as? NSNumber)?.intValue }
    values.hasAction = number("hasAction") != 0
    values.repeatInterval = NSCalendar.Unit(rawValue: number("repeatInterval").flatMap { UInt(exactly: $0) } ?? 0)
    values.applicationIconBadgeNumber = number("badge") ?? 0
    values.regionTriggersOnce = number("once") != 0
    values.fireDate = kept["fireDate"] as? Date
    values.timeZone = (kept["timeZone"] as? String).flatMap { TimeZone(identifier: $0) }
    values.alertBody = kept["alertBody"] as? String
    values.alertTitle = kept["alertTitle"] as? String
    values.alertAction = kept["alertAction"] as? String
    values.alertLaunchImage = kept["alertLaunchImage"] as? String
    values.soundName = kept["soundName"] as? String
    values.category = kept["category"] as? String
    values.region = (kept["region"] as? [String: Any]).flatMap { CLRegion.region(kept: $0) }
    values.userInfo = kept["userInfo"] as? [AnyHashable: Any]
    self.init(values)
  }

  // MARK: Requests

  /// The request that it becomes, with a new identifier.
  func request(isNow: Bool = false) throws(UNError) -> UNNotificationRequest {
    let values = values
    let content = UNMutableNotificationContent()
    content.title = values.alertTitle ?? ""
    content.body = values.alertBody ?? ""
    if let name = values.soundName {
      content.sound =
        name == UILocalNotificationDefaultSoundName
        ? .default : UNNotificationSound(named: UNNotificationSoundName(name))
    }
    if values.applicationIconBadgeNumber > 0 { content.badge = NSNumber(value: values.applicationIconBadgeNumber) }
    content.categoryIdentifier = values.category ?? ""
    content.launchImageName = values.alertLaunchImage ?? ""
    content.userInfo = values.userInfo ?? [:]
    var kept = kept
    kept["userInfo"] = nil
    let data = try? PropertyListSerialization.data(fromPropertyList: kept, format: .binary, options: 0)
    content.userInfo[Self.keptKey] = data
    return UNNotificationRequest(
      identifier: values.id ?? UUID().uuidString, content: content, trigger: isNow ? nil : try trigger())
  }

  private func trigger() throws(UNError) -> UNNotificationTrigger? {
    let values = values
    if let region = values.region {
      return UNLocationNotificationTrigger(region: region, repeats: !values.regionTriggersOnce)
    }
    do throws(RequestError) {
      return try LocalSchedule(values).map { (schedule) throws(RequestError) in .of(try schedule.made()) }
    } catch {
      throw UNError.invalidDate(error.description)
    }
  }

  /// The notification that a request was made from, or one with its texts.
  convenience init(_ request: UNNotificationRequest) {
    var info = request.content.userInfo
    let data = info.removeValue(forKey: Self.keptKey) as? Data
    let read = data.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
    var values = UILocalNotification(kept: read as? [String: Any] ?? [:]).values
    if data == nil {
      values.alertTitle = request.content.title
      values.alertBody = request.content.body
      values.category = request.content.categoryIdentifier
      values.applicationIconBadgeNumber = request.content.badge?.intValue ?? 0
      values.fireDate = (request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate()
    }
    values.userInfo = info.isEmpty ? nil : info
    values.id = request.identifier
    self.init(values)
  }
}
