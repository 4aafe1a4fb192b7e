// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Whether an app may know the location.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum CLAuthorizationStatus: Int32, Sendable {
  /// The app has not asked.
  case notDetermined
  /// It cannot be allowed.
  case restricted
  /// The user does not allow it.
  case denied
  /// Always.
  case authorizedAlways
  /// While the app is used. On Linux the permission is one for always.
  case authorizedWhenInUse

  /// Always, by its older name.
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How exact the location is that an app may know.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum CLAccuracyAuthorization: Int, Sendable {
  /// As exact as it is known.
  case fullAccuracy
  /// About.
  case reducedAccuracy
}

/// How a machine moves.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum CLActivityType: Int, Sendable {
  /// In another way, or unknown.
  case other = 1
  /// In a car, with a route.
  case automotiveNavigation
  /// On foot.
  case fitness
  /// With a route, but not in a car.
  case otherNavigation
  /// In the air.
  case airborne
}

/// What an app implements to learn about the location. The main thread calls all methods.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  /// The permission has changed, or is known now.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// The same in its older form.
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// The location was found.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// The location could not be found.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// Never called: updates are not paused.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// Never called: updates are not paused.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
  /// A region cannot be watched.
  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  /// Never called: a notification with a location trigger says when the machine enters a region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// Never called: a notification with a location trigger says when the machine leaves a region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// Never called, as regions are not watched.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// Whether the machine is in a region.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
}

extension CLLocationManagerDelegate {
  /// Calls the older form.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  /// Does nothing.
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  /// Does nothing.
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}
}
