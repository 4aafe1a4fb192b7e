// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import Foundation
import UserNotifications

// The manner of a tutorial about geofences: a Codable class for a place, a location manager whose older delegate method
// begins everything, and conformances that apps add to coordinates. Swift 5.

extension CLLocationCoordinate2D: Equatable {
  public static func == (lhs: CLLocationCoordinate2D, rhs: CLLocationCoordinate2D) -> Bool {
    return lhs.latitude == rhs.latitude && lhs.longitude == rhs.longitude
  }
}

public class Geotification: NSObject, Codable {
  public enum EventType: String, Codable {
    case onEntry = "On Entry"
    case onExit = "On Exit"
  }

  enum CodingKeys: String, CodingKey {
    case latitude, longitude, radius, identifier, note, eventType
  }

  public var coordinate: CLLocationCoordinate2D
  public var radius: CLLocationDistance
  public var identifier: String
  public var note: String
  public var eventType: EventType

  public init(
    coordinate: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String, note: String,
    eventType: EventType
  ) {
    self.coordinate = coordinate
    self.radius = radius
    self.identifier = identifier
    self.note = note
    self.eventType = eventType
  }

  public required init(from decoder: Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    coordinate = CLLocationCoordinate2DMake(
      try values.decode(Double.self, forKey: .latitude), try values.decode(Double.self, forKey: .longitude))
    radius = try values.decode(Double.self, forKey: .radius)
    identifier = try values.decode(String.self, forKey: .identifier)
    note = try values.decode(String.self, forKey: .note)
    eventType = try values.decode(EventType.self, forKey: .eventType)
  }

  public func encode(to encoder: Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(coordinate.latitude, forKey: .latitude)
    try container.encode(coordinate.longitude, forKey: .longitude)
    try container.encode(radius, forKey: .radius)
    try container.encode(identifier, forKey: .identifier)
    try container.encode(note, forKey: .note)
    try container.encode(eventType, forKey: .eventType)
  }

  var region: CLCircularRegion {
    let region = CLCircularRegion(center: coordinate, radius: radius, identifier: identifier)
    region.notifyOnEntry = (eventType == .onEntry)
    region.notifyOnExit = !region.notifyOnEntry
    return region
  }
}

public class GeofenceManager: NSObject {
  private let locationManager = CLLocationManager()
  private let center = UNUserNotificationCenter.current()
  private let geotifications: [Geotification]

  public init(_ geotifications: [Geotification]) {
    self.geotifications = geotifications
    super.init()
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyBest
    locationManager.distanceFilter = kCLDistanceFilterNone
    locationManager.allowsBackgroundLocationUpdates = true
    locationManager.pausesLocationUpdatesAutomatically = false
    switch CLLocationManager.authorizationStatus() {
    case .notDetermined: locationManager.requestAlwaysAuthorization()
    case .authorizedAlways, .authorizedWhenInUse: locationManager.startUpdatingLocation()
    case .restricted, .denied: break
    @unknown default: break
    }
  }

  private func monitor(_ geotification: Geotification) {
    geotification.radius = min(geotification.radius, locationManager.maximumRegionMonitoringDistance)
    let content = UNMutableNotificationContent()
    content.body = geotification.note
    content.sound = UNNotificationSound.default
    let trigger = UNLocationNotificationTrigger(region: geotification.region, repeats: true)
    center.add(
      UNNotificationRequest(identifier: geotification.identifier, content: content, trigger: trigger)
    ) { error in
      NotificationCenter.default.post(name: .init("manner"), object: "fence \(error.map { "\($0)" } ?? "added")")
    }
    guard CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) else { return }
    locationManager.startMonitoring(for: geotification.region)
  }
}

extension GeofenceManager: CLLocationManagerDelegate {
  public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
    if status == .authorizedAlways {
      for geotification in geotifications { monitor(geotification) }
    }
  }

  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last, location.horizontalAccuracy >= 0 else { return }
    print(location.coordinate.latitude, location.altitude, location.speed, location.timestamp, location.course)
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    if let error = error as? CLError, error.code == .denied { manager.stopUpdatingLocation() }
  }

  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    if region is CLCircularRegion { print(region.identifier) }
  }

  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}

  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
  ) {
    guard let region = region else { return }
    print("Monitoring failed for region with identifier: \(region.identifier)")
  }
}
