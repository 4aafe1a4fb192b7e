// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import Foundation
import UserNotifications

// The manner of an app on its way to async: @MainActor, `try await` beside handlers, locations, Swift 5.

@MainActor
public class Reminders: NSObject, UNUserNotificationCenterDelegate, CLLocationManagerDelegate {
  private let center = UNUserNotificationCenter.current()
  private let locationManager = CLLocationManager()
  public private(set) var handled: [String] = []

  public override init() {
    super.init()
    center.delegate = self
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyHundredMeters
  }

  public func start() async throws {
    let granted = try await center.requestAuthorization(options: [.alert, .sound, .badge, .provisional])
    guard granted else { return }
    let settings = await center.notificationSettings()
    guard settings.alertSetting == .enabled else { return }
    locationManager.requestAlwaysAuthorization()
    let office = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405), radius: 200, identifier: "office")
    office.notifyOnEntry = false
    office.notifyOnExit = true
    let content = UNMutableNotificationContent()
    content.title = "Time sheet"
    try await center.add(
      UNNotificationRequest(
        identifier: "office", content: content,
        trigger: UNLocationNotificationTrigger(region: office, repeats: true)))
    let now = UNMutableNotificationContent()
    now.title = "Hello"
    now.userInfo = ["list": [1, 2, 3]]
    try await center.add(UNNotificationRequest(identifier: "hello", content: now, trigger: nil))
  }

  public func pending() async -> [String] {
    await center.pendingNotificationRequests().map { $0.identifier }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let list = response.notification.request.content.userInfo["list"] as? [Int] ?? []
    handled.append(response.actionIdentifier)
    NotificationCenter.default.post(name: .init("manner"), object: "main actor \(list) \(handled.count)")
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    return [.banner, .sound]
  }

  nonisolated public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse:
      NotificationCenter.default.post(name: .init("location"), object: "always")
    case .notDetermined, .restricted, .denied: break
    @unknown default: break
    }
  }
}
