// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import UserNotifications

// The manner of tests in Swift 6: protocols with handlers and with async methods that the center conforms to, a spy
// behind a lock, and wrappers of what only the system makes.

public protocol UserNotificationScheduling: AnyObject, Sendable {
  var delegate: (any UNUserNotificationCenterDelegate)? { get set }
  func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)?)
  func getPendingNotificationRequests(completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void)
  func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void)
  func removeAllPendingNotificationRequests()
  func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void)
}

extension UNUserNotificationCenter: UserNotificationScheduling {}

public protocol NotificationInfo {
  associatedtype Request: RequestInfo
  var request: Request { get }
  var date: Date { get }
}

public protocol RequestInfo {
  var identifier: String { get }
  var content: UNNotificationContent { get }
}

extension UNNotification: NotificationInfo {}
extension UNNotificationRequest: RequestInfo {}

public final class SpiedCenter: UserNotificationScheduling {
  private struct State {
    var requests: [UNNotificationRequest] = []
    var isGranted = true
  }

  private let state = Mutex(State())

  public init() {}

  public var requests: [UNNotificationRequest] { state.withLock { $0.requests } }

  // Set once, before the tested code runs.
  public nonisolated(unsafe) weak var delegate: (any UNUserNotificationCenterDelegate)?

  public func deny() { state.withLock { $0.isGranted = false } }

  public func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) {
    let error: UNError? = state.withLock { state in
      guard state.isGranted else { return UNError(.notificationsNotAllowed) }
      state.requests.removeAll { $0.identifier == request.identifier }
      state.requests.append(request)
      return nil
    }
    completionHandler?(error)
  }

  public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) { completionHandler(requests) }

  public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
    completionHandler([])
  }

  public func removeAllPendingNotificationRequests() { state.withLock { $0.requests = [] } }

  public func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { completionHandler(state.withLock { $0.isGranted } && !options.isEmpty, nil) }
}

/// Reminds of an article some days after it was saved. Works with the center and with the spy.
public final class ReadLater<Center: UserNotificationScheduling>: Sendable {
  private let center: Center
  private let now: @Sendable () -> Date

  public init(center: Center, now: @escaping @Sendable () -> Date = { Date() }) {
    self.center = center
    self.now = now
  }

  public func remind(of article: String, in days: Int) async -> Result<DateComponents, UNError> {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Vienna")!
    guard let date = calendar.date(byAdding: .day, value: days, to: now()) else {
      return .failure(UNError(.notificationInvalidNoDate))
    }
    var components = calendar.dateComponents([.year, .month, .day], from: date)
    (components.hour, components.minute, components.timeZone) = (9, 0, calendar.timeZone)
    let content = UNMutableNotificationContent()
    content.title = article
    let request = UNNotificationRequest(
      identifier: article, content: content,
      trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: false))
    return await withCheckedContinuation { [components] continuation in
      center.add(request) { error in
        if let error = error as? UNError { return continuation.resume(returning: .failure(error)) }
        continuation.resume(returning: .success(components))
      }
    }
  }

  public func titles() async -> [String] {
    await withCheckedContinuation { continuation in
      center.getPendingNotificationRequests { requests in
        continuation.resume(returning: requests.map { $0.content.title }.sorted())
      }
    }
  }
}
