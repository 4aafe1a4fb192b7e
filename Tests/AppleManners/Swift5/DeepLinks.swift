// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of an app with deep links: a Codable payload that goes through JSON into userInfo and back, continuations
// around completion handlers, and errors told apart by their codes. Swift 5.

public struct Payload: Codable, Equatable {
  public enum Kind: String, Codable { case task, message }

  public var kind: Kind
  public var id: Int
  public var flag: Bool
  public var ratio: Double
  public var tags: [String]
  public var due: Date?

  public init(kind: Kind, id: Int) {
    self.kind = kind
    self.id = id
    flag = true
    ratio = 1
    tags = ["a", "b"]
    due = Date(timeIntervalSinceReferenceDate: 0)
  }
}

extension UNMutableNotificationContent {
  public func set<T: Encodable>(_ value: T) throws {
    let data = try JSONEncoder().encode(value)
    guard let object = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? [String: Any] else {
      throw CocoaError(.coderInvalidValue)
    }
    userInfo.merge(object as [AnyHashable: Any]) { _, new in new }
  }
}

extension UNNotificationContent {
  public func get<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    let data = try JSONSerialization.data(withJSONObject: userInfo, options: [])
    return try JSONDecoder().decode(type, from: data)
  }
}

public class DeepLinkRouter: NSObject, UNUserNotificationCenterDelegate {
  public static let shared = DeepLinkRouter()
  public var handlers: [String: (Payload) -> Void] = [:]

  private override init() { super.init() }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    DispatchQueue.main.async {
      do {
        let payload: Payload = try response.notification.request.content.get()
        self.handlers[payload.kind.rawValue]?(payload)
      } catch {
        let error = error as NSError
        print("\(error.domain) \(error.code) \(error.userInfo)")
      }
      completionHandler()
    }
  }

  public func schedule(_ payload: Payload, completion: @escaping (Error?) -> Void = { _ in }) {
    let content = UNMutableNotificationContent()
    content.title = "\(payload.kind)"
    try? content.set(payload)
    UNUserNotificationCenter.current().add(
      .init(identifier: "\(payload.id)", content: content, trigger: nil), withCompletionHandler: completion)
  }

  public func describe(_ error: Error) -> String {
    if let error = error as? UNError {
      switch error.code {
      case .notificationsNotAllowed: return "not allowed"
      case .attachmentInvalidURL, .attachmentUnrecognizedType, .attachmentInvalidFileSize, .attachmentNotInDataStore,
        .attachmentMoveIntoDataStoreFailed, .attachmentCorrupt:
        return "attachment"
      case .notificationInvalidNoDate, .notificationInvalidNoContent: return "invalid"
      case .badgeInputInvalid: return "badge"
      default: return error.localizedDescription
      }
    }
    let error = error as NSError
    guard error.domain == UNErrorDomain else { return "another domain" }
    switch UNError.Code(rawValue: error.code) {
    case .notificationsNotAllowed?: return "not allowed"
    default: return "\(error.code)"
    }
  }
}

/// Awaits what the center hands to completion handlers.
public final class AsyncCenter {
  private let center = UNUserNotificationCenter.current()

  public init() {}

  public func status() async -> UNAuthorizationStatus {
    await withCheckedContinuation { continuation in
      center.getNotificationSettings { settings in continuation.resume(returning: settings.authorizationStatus) }
    }
  }

  public func pending() async -> [UNNotificationRequest] {
    await withCheckedContinuation { continuation in
      center.getPendingNotificationRequests(completionHandler: { continuation.resume(returning: $0) })
    }
  }

  public func delivered() async -> [UNNotification] {
    await withUnsafeContinuation { continuation in
      center.getDeliveredNotifications { continuation.resume(returning: $0) }
    }
  }

  public func ask() async throws -> Bool {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Bool, Error>) in
      center.requestAuthorization(options: [.alert, .sound]) { granted, error in
        if let error = error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
      }
    }
  }

  public func add(_ request: UNNotificationRequest) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
      center.add(request) { if let error = $0 { continuation.resume(throwing: error) } else { continuation.resume() } }
    }
  }
}
