// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import Foundation
import UserNotifications

// The manner of an app with a screen for its notification settings: rows for every setting, provisional authorization,
// attachments with options, regions and beacons, and each error told in its own words. Swift 5.

public struct SettingRow: Equatable {
  public let title: String
  public let value: String
}

public final class SettingsScreen: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let center: UNUserNotificationCenter
  private var whenAuthorized: (() -> Void)?

  public init(center: UNUserNotificationCenter = .current()) {
    self.center = center
    super.init()
    manager.delegate = self
  }

  public func load(_ completion: @escaping ([SettingRow]) -> Void) {
    center.getNotificationSettings { [unowned self] settings in
      var rows = [
        SettingRow(title: "Status", value: describe(settings.authorizationStatus)),
        SettingRow(title: "Previews", value: describe(settings.showPreviewsSetting)),
        SettingRow(title: "Style", value: describe(settings.alertStyle)),
      ]
      let settings: [(String, UNNotificationSetting)] = [
        ("Sounds", settings.soundSetting), ("Badges", settings.badgeSetting), ("Alerts", settings.alertSetting),
        ("Lock screen", settings.lockScreenSetting), ("List", settings.notificationCenterSetting),
        ("CarPlay", settings.carPlaySetting), ("Critical", settings.criticalAlertSetting),
        ("Announcements", settings.announcementSetting), ("Time sensitive", settings.timeSensitiveSetting),
        ("Scheduled", settings.scheduledDeliverySetting), ("Direct messages", settings.directMessagesSetting),
      ]
      rows += settings.filter { $0.1 != .notSupported }.map {
        SettingRow(title: $0.0, value: $0.1 == .enabled ? "on" : "off")
      }
      DispatchQueue.main.async { completion(rows) }
    }
  }

  private func describe(_ status: UNAuthorizationStatus) -> String {
    switch status {
    case .notDetermined: return "Not asked"
    case .denied: return "Denied"
    case .authorized: return "Allowed"
    case .provisional: return "Quiet"
    case .ephemeral: return "For now"
    @unknown default: fatalError()
    }
  }

  private func describe(_ previews: UNShowPreviewsSetting) -> String {
    switch previews {
    case .always: return "Always"
    case .whenAuthenticated: return "When unlocked"
    case .never: return "Never"
    @unknown default: return "?"
    }
  }

  private func describe(_ style: UNAlertStyle) -> String {
    switch style {
    case .none: return "None"
    case .banner: return "Banners"
    case .alert: return "Alerts"
    @unknown default: return "?"
    }
  }

  // MARK: Trying them out

  public func enableQuietly(_ completion: @escaping (Result<Bool, Error>) -> Void) {
    center.requestAuthorization(options: [.alert, .badge, .sound, .provisional, .providesAppNotificationSettings]) {
      completion($1.map(Result.failure) ?? .success($0))
    }
  }

  public func showPicture(_ data: Data, name: String, completion: @escaping (String) -> Void) {
    do {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + "-" + name)
      try data.write(to: url, options: [.atomic])
      let clip = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
      let attachment = try UNNotificationAttachment(
        identifier: "picture", url: url,
        options: [
          UNNotificationAttachmentOptionsTypeHintKey: "public.png",
          UNNotificationAttachmentOptionsThumbnailClippingRectKey: clip.dictionaryRepresentation,
        ])
      let content = UNMutableNotificationContent()
      content.title = "Picture"
      content.attachments.append(attachment)
      content.relevanceScore = 0.5
      center.add(UNNotificationRequest(identifier: "picture", content: content, trigger: nil)) { error in
        completion((error as? UNError).map(self.text) ?? "shown")
      }
    } catch let error as UNError {
      completion(text(error))
    } catch CocoaError.fileWriteOutOfSpace {
      completion("disk full")
    } catch {
      completion(error.localizedDescription)
    }
  }

  private func text(_ error: UNError) -> String {
    switch error.code {
    case .attachmentInvalidURL: return "no such file"
    case .attachmentUnrecognizedType: return "unknown type"
    case .attachmentInvalidFileSize: return "too large"
    case .notificationsNotAllowed: return "not allowed"
    case let code where code.rawValue >= 1400: return "content"
    default: return "error \(error.errorCode)"
    }
  }

  public func remindAtPlaces(_ completion: @escaping ([Error?]) -> Void) {
    whenAuthorized = { [self] in
      let circle = CLCircularRegion(
        center: CLLocationCoordinate2DMake(48.2, 16.37), radius: min(100, manager.maximumRegionMonitoringDistance),
        identifier: "shop")
      circle.notifyOnExit = false
      let beacon = CLBeaconRegion(
        uuid: UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!, major: 1, minor: 2, identifier: "desk")
      beacon.notifyOnEntry = false
      let regions: [CLRegion] = [circle, beacon]
      let group = DispatchGroup()
      var errors = [Error?](repeating: nil, count: regions.count)
      let queue = DispatchQueue(label: "errors")
      for (index, region) in regions.enumerated() {
        let content = UNMutableNotificationContent()
        content.title = region.identifier.capitalized
        group.enter()
        center.add(
          UNNotificationRequest(
            identifier: region.identifier, content: content,
            trigger: UNLocationNotificationTrigger(region: region, repeats: index == 0))
        ) { error in
          queue.sync { errors[index] = error }
          group.leave()
        }
      }
      group.notify(queue: queue) { completion(errors) }
    }
    if CLLocationManager.locationServicesEnabled() { manager.requestAlwaysAuthorization() }
  }

  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    guard manager.authorizationStatus == .authorizedAlways || manager.authorizationStatus == .authorizedWhenInUse
    else { return }
    whenAuthorized?()
    whenAuthorized = nil
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    if (error as? CLError)?.code == .denied { whenAuthorized = nil }
  }
}
