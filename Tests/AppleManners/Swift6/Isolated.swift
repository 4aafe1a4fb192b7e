// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of strict code: conformances on the main actor, on an actor of its own, and with @preconcurrency.

@MainActor
public final class IsolatedDelegate: NSObject, @MainActor UNUserNotificationCenterDelegate {
  public private(set) var count = 0

  public func start() { UNUserNotificationCenter.current().delegate = self }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    count += 1
    NotificationCenter.default.post(name: .init("manner"), object: "isolated \(count)")
    completionHandler()
  }
}

@MainActor
public final class PreconcurrencyDelegate: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
  public private(set) var count = 0

  public func start() { UNUserNotificationCenter.current().delegate = self }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    count += 1
    NotificationCenter.default.post(name: .init("manner"), object: "preconcurrency \(count)")
    completionHandler()
  }
}

@globalActor
public actor NotificationActor {
  public static let shared = NotificationActor()
}

@NotificationActor
public final class ActorDelegate: NSObject, UNUserNotificationCenterDelegate {
  public private(set) var count = 0

  public override init() { super.init() }
  public func start() { UNUserNotificationCenter.current().delegate = self }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    count += 1
    NotificationCenter.default.post(name: .init("manner"), object: "actor \(count)")
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner] }
}
