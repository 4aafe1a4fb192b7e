// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of an app that is driven by tests: every method of the center in a protocol, settings from a coder, and
// mocks that override what only the system makes. Swift 5.

public protocol NotificationSettingsProtocol {
  var authorizationStatus: UNAuthorizationStatus { get }
  var alertSetting: UNNotificationSetting { get }
}

extension UNNotificationSettings: NotificationSettingsProtocol {}

public protocol UNUserNotificationCenterProtocol: AnyObject {
  var delegate: UNUserNotificationCenterDelegate? { get set }
  var supportsContentExtensions: Bool { get }
  func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?)
  func add(_ request: UNNotificationRequest) async throws
  func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool
  func requestAuthorization(options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void)
  func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void)
  func notificationSettings() async -> UNNotificationSettings
  func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void)
  func pendingNotificationRequests() async -> [UNNotificationRequest]
  func removePendingNotificationRequests(withIdentifiers identifiers: [String])
  func removeAllPendingNotificationRequests()
  func getDeliveredNotifications(completionHandler: @escaping ([UNNotification]) -> Void)
  func deliveredNotifications() async -> [UNNotification]
  func removeDeliveredNotifications(withIdentifiers identifiers: [String])
  func removeAllDeliveredNotifications()
  func setNotificationCategories(_ categories: Set<UNNotificationCategory>)
  func getNotificationCategories(completionHandler: @escaping (Set<UNNotificationCategory>) -> Void)
  func notificationCategories() async -> Set<UNNotificationCategory>
  @available(iOS 16.0, *)
  func setBadgeCount(_ newBadgeCount: Int, withCompletionHandler completionHandler: ((Error?) -> Void)?)
  @available(iOS 16.0, *)
  func setBadgeCount(_ newBadgeCount: Int) async throws
}

extension UNUserNotificationCenter: UNUserNotificationCenterProtocol {}

public final class MockUserNotificationCenter: UNUserNotificationCenterProtocol {
  public weak var delegate: UNUserNotificationCenterDelegate?
  public var supportsContentExtensions = false
  public var stubbedSettings = UNNotificationSettings.mock(.authorized)
  public var stubbedError: Error?
  public private(set) var requests: [UNNotificationRequest] = []
  public private(set) var badge = 0
  private var categories: Set<UNNotificationCategory> = []

  public init() {}

  public func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?) {
    if stubbedError == nil { requests.append(request) }
    completionHandler?(stubbedError)
  }
  public func add(_ request: UNNotificationRequest) async throws {
    if let error = stubbedError { throw error }
    requests.append(request)
  }
  public func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool { return true }
  public func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void
  ) { completionHandler(stubbedError == nil, stubbedError) }
  public func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void) {
    completionHandler(stubbedSettings)
  }
  public func notificationSettings() async -> UNNotificationSettings { return stubbedSettings }
  public func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void) {
    completionHandler(requests)
  }
  public func pendingNotificationRequests() async -> [UNNotificationRequest] { return requests }
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    requests.removeAll { identifiers.contains($0.identifier) }
  }
  public func removeAllPendingNotificationRequests() { requests = [] }
  public func getDeliveredNotifications(completionHandler: @escaping ([UNNotification]) -> Void) {
    completionHandler([])
  }
  public func deliveredNotifications() async -> [UNNotification] { return [] }
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
  public func removeAllDeliveredNotifications() {}
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { self.categories = categories }
  public func getNotificationCategories(completionHandler: @escaping (Set<UNNotificationCategory>) -> Void) {
    completionHandler(categories)
  }
  public func notificationCategories() async -> Set<UNNotificationCategory> { return categories }
  public func setBadgeCount(_ newBadgeCount: Int, withCompletionHandler completionHandler: ((Error?) -> Void)?) {
    badge = newBadgeCount
    completionHandler?(nil)
  }
  public func setBadgeCount(_ newBadgeCount: Int) async throws { badge = newBadgeCount }
}

// MARK: What only the system makes

/// The usual way to settings in tests.
private final class MockSettingsCoder: NSCoder {
  var authorizationStatus = UNAuthorizationStatus.authorized.rawValue

  override func decodeInt64(forKey key: String) -> Int64 { return Int64(authorizationStatus) }
  override func decodeBool(forKey key: String) -> Bool { return true }
}

extension UNNotificationSettings {
  public static func mock(_ status: UNAuthorizationStatus) -> UNNotificationSettings {
    let coder = MockSettingsCoder()
    coder.authorizationStatus = status.rawValue
    return UNNotificationSettings(coder: coder)!
  }
}

/// The usual way to responses in tests.
private final class TestCoder: NSCoder {
  private enum FieldKey: String {
    case request, originIdentifier, sourceIdentifier, actionIdentifier, notification
  }
  private let request: UNNotificationRequest
  private let action: String

  init(with request: UNNotificationRequest, action: String) {
    self.request = request
    self.action = action
  }

  override var allowsKeyedCoding: Bool { return true }
  override func decodeObject(forKey key: String) -> Any? {
    switch FieldKey(rawValue: key) {
    case .request: return request
    case .sourceIdentifier, .originIdentifier: return "test"
    case .actionIdentifier: return action
    case .notification: return UNNotification(coder: self)
    default: return nil
    }
  }
}

extension UNNotificationResponse {
  public static func mock(_ request: UNNotificationRequest, action: String) -> UNNotificationResponse {
    return UNNotificationResponse(coder: TestCoder(with: request, action: action))!
  }
}

public final class MockTextResponse: UNTextInputNotificationResponse, @unchecked Sendable {
  public static func typed(_ request: UNNotificationRequest) -> MockTextResponse {
    return MockTextResponse(coder: TestCoder(with: request, action: "reply"))!
  }
  public override var userText: String { return "typed" }
}

public final class MockNotification: UNNotification, @unchecked Sendable {
  public static func old() -> MockNotification {
    let request = UNNotificationRequest(identifier: "real", content: UNNotificationContent(), trigger: nil)
    return MockNotification(coder: TestCoder(with: request, action: ""))!
  }
  public override var date: Date { return Date(timeIntervalSince1970: 0) }
  public override var request: UNNotificationRequest {
    return UNNotificationRequest(identifier: "mock", content: UNNotificationContent(), trigger: nil)
  }
}

public final class MockTrigger: UNCalendarNotificationTrigger, @unchecked Sendable {
  public override func nextTriggerDate() -> Date? { return Date(timeIntervalSince1970: 1) }
}

// MARK: What is tested

public final class ReminderScheduler {
  public enum ReminderError: LocalizedError, Equatable {
    case notAuthorized
    case underlying(UNError.Code)

    public var errorDescription: String? {
      switch self {
      case .notAuthorized: return NSLocalizedString("Not authorized", comment: "")
      case .underlying(let code): return "\(code.rawValue)"
      }
    }
  }

  private let center: UNUserNotificationCenterProtocol
  private let calendar: Calendar

  public init(
    center: UNUserNotificationCenterProtocol = UNUserNotificationCenter.current(), calendar: Calendar = .current
  ) {
    self.center = center
    self.calendar = calendar
  }

  public func schedule(at date: Date, completion: @escaping (Result<String, ReminderError>) -> Void) {
    center.getNotificationSettings { [weak self] settings in
      guard let self = self else { return }
      guard [.authorized, .provisional].contains(settings.authorizationStatus) else {
        completion(.failure(.notAuthorized))
        return
      }
      let components = self.calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      let content = UNMutableNotificationContent()
      content.title = "Reminder"
      let request = UNNotificationRequest(
        identifier: UUID().uuidString, content: content,
        trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: false))
      self.center.add(request) { error in
        if let error = error as? UNError {
          completion(.failure(.underlying(error.code)))
        } else {
          completion(.success(request.identifier))
        }
      }
    }
  }

  public func describe(_ response: UNNotificationResponse) -> String {
    switch (response.actionIdentifier, response) {
    case (UNNotificationDefaultActionIdentifier, _): return "opened \(response.notification.request.identifier)"
    case (_, let text as UNTextInputNotificationResponse): return "reply \(text.userText)"
    default: return "other"
    }
  }
}
