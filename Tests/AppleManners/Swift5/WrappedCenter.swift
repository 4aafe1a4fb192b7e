// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(UserNotifications)
  import UserNotifications
#endif

// The manner of an app with tests: the center behind a protocol, a spy beside it, and Result in its handlers.

public protocol UserNotificationCenter: AnyObject {
  var delegate: UNUserNotificationCenterDelegate? { get set }
  func requestAuthorization(options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void)
  func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?)
  func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void)
  func removePendingNotificationRequests(withIdentifiers identifiers: [String])
  func setNotificationCategories(_ categories: Set<UNNotificationCategory>)
}

extension UNUserNotificationCenter: UserNotificationCenter {}

public final class SpyCenter: UserNotificationCenter {
  public weak var delegate: UNUserNotificationCenterDelegate?
  public private(set) var added: [UNNotificationRequest] = []
  public init() {}
  public func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void
  ) { completionHandler(true, nil) }
  public func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?) {
    added.append(request)
    completionHandler?(nil)
  }
  public func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void) {
    completionHandler(added)
  }
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    added.removeAll { identifiers.contains($0.identifier) }
  }
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {}
}

public final class AlarmScheduler: NSObject {
  public enum AlarmError: Error { case denied, failed(Error) }

  private let center: UserNotificationCenter

  public init(center: UserNotificationCenter = UNUserNotificationCenter.current()) {
    self.center = center
    super.init()
    self.center.delegate = self
    let snooze = UNNotificationAction(
      identifier: "snooze", title: "Snooze", options: [], icon: UNNotificationActionIcon(systemImageName: "clock"))
    self.center.setNotificationCategories([
      UNNotificationCategory(identifier: "alarm", actions: [snooze], intentIdentifiers: [], options: [])
    ])
  }

  /// Every Monday, Tuesday … at a time.
  public func schedule(
    _ weekdays: [Int], hour: Int, minute: Int,
    completion: @escaping (Result<[UNNotificationRequest], AlarmError>) -> Void
  ) {
    center.requestAuthorization(options: [.alert, .sound]) { [center] granted, error in
      if let error = error { return completion(.failure(.failed(error))) }
      guard granted else { return completion(.failure(.denied)) }
      for weekday in weekdays {
        var components = DateComponents()
        components.calendar = Calendar.current
        components.weekday = weekday
        components.hour = hour
        components.minute = minute
        let content = UNMutableNotificationContent()
        content.title = "Alarm"
        content.categoryIdentifier = "alarm"
        content.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: "bell.caf"))
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        center.add(
          UNNotificationRequest(identifier: "alarm.\(weekday)", content: content, trigger: trigger),
          withCompletionHandler: nil)
      }
      center.getPendingNotificationRequests { completion(.success($0)) }
    }
  }

  public func ringNow() {
    let content = UNMutableNotificationContent()
    content.title = "Wake up"
    content.categoryIdentifier = "alarm"
    center.add(
      UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil), withCompletionHandler: nil)
  }
}

extension AlarmScheduler: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Swift.Void
  ) {
    NotificationCenter.default.post(name: .init("manner"), object: "alarm \(response.actionIdentifier)")
    completionHandler()
  }
}
