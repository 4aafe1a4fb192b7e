// SPDX-License-Identifier: Apache-2.0
import Foundation
@preconcurrency import UserNotifications

// The manner of a service in Swift 6: an actor behind a protocol, a delegate that is @unchecked Sendable and hands on
// with `sending`, a protocol on the main actor whose handlers are Sendable, and a race with a time limit.

public struct ReminderItem: Sendable, Identifiable, Codable, Hashable {
  public let id: UUID
  public var title: String
  public var date: Date
  public var repeats = false

  public init(title: String, date: Date, repeats: Bool = false) {
    self.id = UUID()
    self.title = title
    self.date = date
    self.repeats = repeats
  }
}

public protocol ReminderScheduling: Sendable {
  func schedule(_ reminder: ReminderItem) async throws -> String
  func cancel(_ ids: [String]) async
  func count() async -> Int
}

/// What the service needs of the center.
public protocol NotificationCentering: Sendable {
  func add(_ request: UNNotificationRequest) async throws
  func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool
  func notificationSettings() async -> UNNotificationSettings
  func pendingNotificationRequests() async -> [UNNotificationRequest]
  func deliveredNotifications() async -> [UNNotification]
  func removeDeliveredNotifications(withIdentifiers: [String])
  func removePendingNotificationRequests(withIdentifiers: [String])
  func setBadgeCount(_ newBadgeCount: Int) async throws
}

extension UNUserNotificationCenter: NotificationCentering {}

/// The same with handlers that are Sendable.
@MainActor
public protocol HandlerCentering: AnyObject {
  var delegate: (any UNUserNotificationCenterDelegate)? { get set }
  func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)?)
  func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void)
}

extension UNUserNotificationCenter: HandlerCentering {}

public actor ReminderService: ReminderScheduling {
  private let center: any NotificationCentering
  private let calendar: Calendar
  private let proxy = DelegateProxy()
  private var handler: (@Sendable (sending UNNotificationResponse) async -> Void)?

  public init(center: any NotificationCentering = UNUserNotificationCenter.current(), calendar: Calendar = .current) {
    self.center = center
    self.calendar = calendar
  }

  public func start(_ handler: @escaping @Sendable (sending UNNotificationResponse) async -> Void) {
    self.handler = handler
    proxy.onResponse = { [weak self] response in await self?.handle(response) }
    UNUserNotificationCenter.current().delegate = proxy
  }

  private func handle(_ response: UNNotificationResponse) async { await handler?(response) }

  public func schedule(_ reminder: ReminderItem) async throws -> String {
    switch await center.notificationSettings().authorizationStatus {
    case .notDetermined:
      guard try await askWithinLimit() else { throw UNError(.notificationsNotAllowed) }
    case .denied: throw UNError(.notificationsNotAllowed)
    case .authorized, .provisional, .ephemeral: break
    @unknown default: break
    }
    let content = UNMutableNotificationContent()
    content.title = reminder.title
    content.userInfo = ["id": reminder.id.uuidString]
    let parts = calendar.dateComponents(
      reminder.repeats ? [.hour, .minute] : [.year, .month, .day, .hour, .minute, .second], from: reminder.date)
    let trigger = UNCalendarNotificationTrigger(dateMatching: parts, repeats: reminder.repeats)
    let request = UNNotificationRequest(identifier: reminder.id.uuidString, content: content, trigger: trigger)
    try await center.add(request)
    return request.identifier
  }

  private func askWithinLimit() async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { [center] group in
      group.addTask { try await center.requestAuthorization(options: [.alert, .badge, .sound]) }
      group.addTask {
        // A sleep is meant: it is the time limit of this app, and is cancelled by the answer.
        try await Task.sleep(for: .seconds(60))
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }

  public func cancel(_ ids: [String]) async {
    center.removePendingNotificationRequests(withIdentifiers: ids)
    center.removeDeliveredNotifications(withIdentifiers: ids)
  }

  public func count() async -> Int {
    async let pending = center.pendingNotificationRequests()
    async let delivered = center.deliveredNotifications()
    return await pending.count + delivered.count
  }
}

private final class DelegateProxy: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var stored: (@Sendable (UNNotificationResponse) async -> Void)?

  var onResponse: (@Sendable (UNNotificationResponse) async -> Void)? {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    let onResponse = onResponse
    Task {
      await onResponse?(response)
      completionHandler()
    }
  }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}

/// A model whose methods come from anywhere.
@MainActor
public final class ReminderModel: NSObject, UNUserNotificationCenterDelegate {
  public private(set) var selected: String?
  public private(set) var permission = "unknown"

  public func start() { UNUserNotificationCenter.current().delegate = self }

  public nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let id = response.notification.request.content.userInfo["id"] as? String
    await MainActor.run { selected = id }
    NotificationCenter.default.post(name: .init("manner"), object: "selected \(id != nil)")
  }

  public nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    await MainActor.run { selected == nil ? [.banner, .list] : [.banner] }
  }

  private let center: any HandlerCentering = UNUserNotificationCenter.current()

  public func ask() {
    UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { granted, error in
      Task { @MainActor in self.permission = granted ? "yes" : error?.localizedDescription ?? "no" }
    }
    center.getNotificationSettings { @Sendable settings in
      let status = settings.authorizationStatus
      DispatchQueue.main.async { MainActor.assumeIsolated { self.permission += " \(status.rawValue)" } }
    }
  }
}
