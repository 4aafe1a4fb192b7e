// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of an architecture: a struct of closures, and the delegate's calls as a stream of values.

public struct NotificationClient: Sendable {
  public enum Event: Sendable {
    case didReceive(UNNotificationResponse)
    case willPresent(UNNotification, @Sendable (UNNotificationPresentationOptions) -> Void)
  }

  public var add: @Sendable (UNNotificationRequest) async throws -> Void
  public var events: @Sendable () -> AsyncStream<Event>
  public var settings: @Sendable () async -> UNNotificationSettings
  public var pending: @Sendable () async -> [UNNotificationRequest]
  public var removePending: @Sendable ([String]) async -> Void
  public var requestAuthorization: @Sendable (UNAuthorizationOptions) async throws -> Bool

  public static let live = NotificationClient(
    add: { try await UNUserNotificationCenter.current().add($0) },
    events: {
      AsyncStream { continuation in
        let delegate = Delegate(continuation: continuation)
        UNUserNotificationCenter.current().delegate = delegate
        continuation.onTermination = { _ in _ = delegate }
      }
    },
    settings: { await UNUserNotificationCenter.current().notificationSettings() },
    pending: { await UNUserNotificationCenter.current().pendingNotificationRequests() },
    removePending: { UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: $0) },
    requestAuthorization: { try await UNUserNotificationCenter.current().requestAuthorization(options: $0) })
}

private final class Delegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
  let continuation: AsyncStream<NotificationClient.Event>.Continuation

  init(continuation: AsyncStream<NotificationClient.Event>.Continuation) {
    self.continuation = continuation
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    continuation.yield(.didReceive(response))
    completionHandler()
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    continuation.yield(.willPresent(notification, completionHandler))
  }
}

public actor Feature {
  private let client: NotificationClient
  public private(set) var seen: [String] = []

  public init(client: NotificationClient = .live) { self.client = client }

  public func run() async throws {
    let events = client.events()
    _ = try await client.requestAuthorization([.alert])
    let content = UNMutableNotificationContent()
    content.title = "Feature"
    try await client.add(UNNotificationRequest(identifier: "feature", content: content, trigger: nil))
    for await event in events {
      switch event {
      case .willPresent(_, let completion): completion(.banner)
      case .didReceive(let response):
        seen.append(response.actionIdentifier)
        let count = await client.pending().count
        await MainActor.run {
          NotificationCenter.default.post(name: .init("manner"), object: "feature \(count)")
        }
      }
    }
  }
}
