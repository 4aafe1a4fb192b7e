// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import Foundation
import UserNotifications

// The manner of a port from Objective-C: a shared instance, NSMutable collections, archives in the user's defaults,
// blocks in variables, error codes, and a snooze that copies the content of what was answered. Swift 5.

public typealias NotificationBlock = (_ success: Bool, _ error: NSError?) -> Void

open class AlarmService: NSObject, NSSecureCoding {
  public static var supportsSecureCoding: Bool { return true }
  public class var sharedInstance: AlarmService { return instance }
  private static let instance = AlarmService()

  public private(set) var scheduled = NSMutableDictionary()
  public var onResponse: NotificationBlock?
  private let lock = NSLock()

  public override init() {
    super.init()
    UNUserNotificationCenter.current().delegate = self
  }

  public required init?(coder: NSCoder) {
    super.init()
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, UNNotificationRequest.self]
    guard let kept = coder.decodeObject(of: classes, forKey: "scheduled") as? NSDictionary else { return nil }
    scheduled = kept.mutableCopy() as! NSMutableDictionary
  }

  public func encode(with coder: NSCoder) { coder.encode(scheduled, forKey: "scheduled") }

  open func register(_ block: NotificationBlock?) {
    let snooze = UNNotificationAction(
      identifier: "SNOOZE", title: "Snooze", options: UNNotificationActionOptions(rawValue: 0))
    let stop = UNNotificationAction(
      identifier: "STOP", title: "Stop", options: [.foreground, .destructive],
      icon: UNNotificationActionIcon(systemImageName: "stop.fill"))
    let category = UNNotificationCategory(
      identifier: "ALARM", actions: [snooze, stop], intentIdentifiers: [] as [String], options: [])
    UNUserNotificationCenter.current().setNotificationCategories(
      NSSet(array: [category]) as! Set<UNNotificationCategory>)
    let options: UNAuthorizationOptions = [UNAuthorizationOptions.alert, UNAuthorizationOptions.sound]
    UNUserNotificationCenter.current().requestAuthorization(options: options) {
      (granted: Bool, error: Error?) -> Void in
      block?(granted, error as NSError?)
    }
  }

  open func schedule(
    _ identifier: NSString, title: NSString, fire date: NSDate?, info: NSDictionary?, block: NotificationBlock? = nil
  ) {
    let content = UNMutableNotificationContent.init()
    content.title = title as String
    content.sound = UNNotificationSound.init(named: UNNotificationSoundName(rawValue: "alarm.caf"))
    content.categoryIdentifier = "ALARM"
    if let info = info as? [AnyHashable: Any] { content.userInfo = info }
    var trigger: UNNotificationTrigger? = nil
    if let date = date as Date? {
      let components = NSCalendar.current.dateComponents(
        Set([.year, .month, .day, .hour, .minute, .second]), from: date)
      trigger = UNCalendarNotificationTrigger.init(dateMatching: components, repeats: false)
    }
    let request = UNNotificationRequest.init(identifier: identifier as String, content: content, trigger: trigger)
    lock.lock()
    scheduled[identifier] = request
    lock.unlock()
    UNUserNotificationCenter.current().add(
      request,
      withCompletionHandler: { error in
        guard let error = error as NSError? else { block?(true, nil); return }
        if error.domain == UNErrorDomain && error.code == UNError.Code.notificationInvalidNoContent.rawValue {
          NSLog("%@", "no content")
        }
        block?(false, error)
      })
  }

  /// The scheduled requests, through an archive.
  open func archived() throws -> [UNNotificationRequest] {
    let data = try NSKeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true)
    let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: AlarmService.self, from: data)
    let requests = (copy?.scheduled.allValues ?? []).compactMap { $0 as? UNNotificationRequest }
    return (requests as NSArray).sortedArray(comparator: { (left: Any, right: Any) -> ComparisonResult in
      (left as! UNNotificationRequest).identifier.compare((right as! UNNotificationRequest).identifier)
    }) as! [UNNotificationRequest]
  }

  open func isScheduled(_ request: UNNotificationRequest) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard let known = scheduled[request.identifier as NSString] as? UNNotificationRequest else { return false }
    return known.isEqual(request) && known.hash == request.hash && NSSet(object: known).contains(request)
  }
}

extension AlarmService: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (_ options: UNNotificationPresentationOptions) -> Swift.Void
  ) {
    completionHandler(UNNotificationPresentationOptions(rawValue: UNNotificationPresentationOptions.alert.rawValue))
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Swift.Void
  ) {
    let request = response.notification.request
    if response.actionIdentifier == "SNOOZE" {
      let content = request.content.mutableCopy() as! UNMutableNotificationContent
      content.title = content.title.appendingFormat(" (%@)", "snoozed")
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 540, repeats: false)
      let copy = UNNotificationRequest(
        identifier: request.identifier, content: content.copy() as! UNNotificationContent, trigger: trigger)
      scheduled.setObject(copy, forKey: request.identifier as NSString)
      center.add(copy) { [weak self] in self?.onResponse?($0 == nil, $0 as NSError?) }
    } else if [UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier].contains(
      response.actionIdentifier) == false
    {
      onResponse?(
        false,
        NSError(
          domain: UNErrorDomain, code: UNError.notificationsNotAllowed.rawValue,
          userInfo: [NSLocalizedDescriptionKey: response.actionIdentifier]))
    }
    completionHandler()
  }
}
