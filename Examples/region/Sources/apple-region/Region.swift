// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import UserNotifications

/// The region with Apple's names: the requests are added once the user lets the app know the location.
@MainActor
final class Region: NSObject {
  private let manager = CLLocationManager()
  private let center = UNUserNotificationCenter.current()
  private let place: CLLocationCoordinate2D
  private let radius: CLLocationDistance
  let (lines, line) = AsyncStream<String>.makeStream()

  init(_ place: CLLocationCoordinate2D, radius: CLLocationDistance) {
    self.place = place
    self.radius = radius
  }

  /// The manager tells its delegate at once what the app may know.
  func watch() {
    center.delegate = self
    manager.delegate = self
  }

  private func add() async {
    do {
      guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
      try await add("arrived", "You have arrived", "Start the time sheet.") { $0.notifyOnExit = false }
      try await add("left", "You have left", "Have you locked the door?") { $0.notifyOnEntry = false }
      line.yield("waiting")
    } catch {
      line.yield("\(error)")
    }
  }

  private func add(_ id: String, _ title: String, _ body: String, _ choose: (CLRegion) -> Void) async throws {
    let circle = CLCircularRegion(center: place, radius: radius, identifier: id)
    choose(circle)
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    let trigger = UNLocationNotificationTrigger(region: circle, repeats: true)
    try await center.add(UNNotificationRequest(identifier: id, content: content, trigger: trigger))
  }
}

extension Region: @MainActor CLLocationManagerDelegate {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestAlwaysAuthorization()
    case .authorizedAlways: Task { await add() }
    default: line.yield("The user does not let this app know the location.")
    }
  }
}

extension Region: UNUserNotificationCenterDelegate {
  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner, .list, .sound] }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let id = response.notification.request.identifier
    await MainActor.run { _ = line.yield("opened: \(id)") }
  }
}
