// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import CoreLocation
import Foundation

// Uses of CoreLocation: one of each name in the tables of docs/APPLE.md, behind a comment with the
// name. They are compiled, and not run.

// ### CoreLocation
func useCoreLocation(_ circle: CLCircularRegion, located: any CLLocationManagerDelegate) async throws {
  // `CLLocationCoordinate2D`
  take(CLLocationCoordinate2D(latitude: 1, longitude: 2))
  // `CLLocationCoordinate2DMake(_:_:)`
  take(CLLocationCoordinate2DMake(1, 2))
  // `CLLocationCoordinate2DIsValid(_:)`
  take(CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  // `latitude`
  take(CLLocationCoordinate2D().latitude)
  // `longitude`
  take(CLLocationCoordinate2D().longitude)
  // `kCLLocationCoordinate2DInvalid`
  take(kCLLocationCoordinate2DInvalid)
  // `CLLocationDegrees`
  take(CLLocationDegrees(1))
  // `CLLocationDistance`
  take(CLLocationDistance(1))
  // `CLLocationAccuracy`
  take(CLLocationAccuracy(1))
  // `CLLocationSpeed`
  take(CLLocationSpeed(1))
  // `CLLocationDirection`
  take(CLLocationDirection(1))
  // `CLLocationSpeedAccuracy`
  take(CLLocationSpeedAccuracy(1))
  // `CLLocationDirectionAccuracy`
  take(CLLocationDirectionAccuracy(1))
  // `CLLocationDistanceMax`
  take(CLLocationDistanceMax)
  // `CLTimeIntervalMax`
  take(CLTimeIntervalMax)
  // `CLLocation`
  take(CLLocation(latitude: 1, longitude: 2).distance(from: CLLocation(latitude: 1, longitude: 2)))
  // `CLLocation.init(coordinate:altitude:horizontalAccuracy:verticalAccuracy:course:courseAccuracy:speed:speedAccuracy:timestamp:)`
  let moving = CLLocation(
    coordinate: CLLocationCoordinate2D(), altitude: 0, horizontalAccuracy: 1, verticalAccuracy: 1, course: 1,
    courseAccuracy: 1, speed: 1, speedAccuracy: 1, timestamp: Date())
  // `courseAccuracy`
  take(moving.courseAccuracy)
  // `speedAccuracy`
  take(moving.speedAccuracy)
  // `distance(from:)`
  take(moving.distance(from: moving))
  // `CLRegion`
  take(CLRegion.self)
  // `CLRegion.identifier`
  take(circle.identifier)
  // `notifyOnEntry`
  circle.notifyOnEntry = true
  // `notifyOnExit`
  circle.notifyOnExit = false
  // `CLCircularRegion`
  take(circle.contains(CLLocationCoordinate2D()))
  // `CLCircularRegion.init(center:radius:identifier:)`
  take(CLCircularRegion(center: CLLocationCoordinate2D(), radius: 10, identifier: "a"))
  // `center`
  take(circle.center)
  // `radius`
  take(circle.radius)
  // `contains(_:)`
  take(circle.contains(CLLocationCoordinate2D()))
  // `CLBeaconRegion`
  take(CLBeaconRegion(uuid: UUID(), identifier: "a"))
  // `CLBeaconIdentityConstraint`
  take(CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 2))
  // `uuid`
  take(CLBeaconRegion(uuid: UUID(), identifier: "a").uuid)
  // `proximityUUID`
  take(CLBeaconRegion(proximityUUID: UUID(), identifier: "a").proximityUUID)
  // `major`
  take(CLBeaconRegion(uuid: UUID(), major: 1, identifier: "a").major as Any)
  // `minor`
  take(CLBeaconRegion(uuid: UUID(), major: 1, minor: 2, identifier: "a").minor as Any)
  // `CLBeaconMajorValue`
  take(CLBeaconMajorValue(1))
  // `CLBeaconMinorValue`
  take(CLBeaconMinorValue(1))
  // `beaconIdentityConstraint`
  take(CLBeaconRegion(uuid: UUID(), identifier: "a").beaconIdentityConstraint)
  // `notifyEntryStateOnDisplay`
  CLBeaconRegion(uuid: UUID(), identifier: "a").notifyEntryStateOnDisplay = true
  // `CLLocationManager`
  let manager = CLLocationManager()
  // `CLLocationManager.delegate`
  take(manager.delegate as Any)
  // `locationServicesEnabled()`
  take(CLLocationManager.locationServicesEnabled())
  // `accuracyAuthorization`
  take(manager.accuracyAuthorization)
  // `isMonitoringAvailable(for:)`
  take(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
  // `significantLocationChangeMonitoringAvailable()`
  take(CLLocationManager.significantLocationChangeMonitoringAvailable())
  // `isRangingAvailable()`
  take(CLLocationManager.isRangingAvailable())
  // `headingAvailable()`
  take(CLLocationManager.headingAvailable())
  // `requestWhenInUseAuthorization()`
  manager.requestWhenInUseAuthorization()
  // `requestAlwaysAuthorization()`
  manager.requestAlwaysAuthorization()
  // `requestTemporaryFullAccuracyAuthorization(withPurposeKey:)`
  try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "a")
  // `CLLocationManager.authorizationStatus`
  take(manager.authorizationStatus)
  // `requestLocation()`
  manager.requestLocation()
  // `startUpdatingLocation()`
  manager.startUpdatingLocation()
  // `stopUpdatingLocation()`
  manager.stopUpdatingLocation()
  // `startMonitoringSignificantLocationChanges()`
  manager.startMonitoringSignificantLocationChanges()
  // `stopMonitoringSignificantLocationChanges()`
  manager.stopMonitoringSignificantLocationChanges()
  // `CLLocationManager.location`
  take(manager.location as Any)
  // `startMonitoring(for:)`
  manager.startMonitoring(for: circle)
  // `stopMonitoring(for:)`
  manager.stopMonitoring(for: circle)
  // `monitoredRegions`
  take(manager.monitoredRegions)
  // `maximumRegionMonitoringDistance`
  take(manager.maximumRegionMonitoringDistance)
  // `requestState(for:)`
  manager.requestState(for: circle)
  // `desiredAccuracy`
  manager.desiredAccuracy = kCLLocationAccuracyBest
  // `kCLLocationAccuracyBest`
  take(kCLLocationAccuracyBest)
  // `kCLLocationAccuracyBestForNavigation`
  take(kCLLocationAccuracyBestForNavigation)
  // `kCLLocationAccuracyNearestTenMeters`
  take(kCLLocationAccuracyNearestTenMeters)
  // `kCLLocationAccuracyHundredMeters`
  take(kCLLocationAccuracyHundredMeters)
  // `kCLLocationAccuracyKilometer`
  take(kCLLocationAccuracyKilometer)
  // `kCLLocationAccuracyThreeKilometers`
  take(kCLLocationAccuracyThreeKilometers)
  // `kCLLocationAccuracyReduced`
  take(kCLLocationAccuracyReduced)
  // `distanceFilter`
  manager.distanceFilter = kCLDistanceFilterNone
  // `kCLDistanceFilterNone`
  take(kCLDistanceFilterNone)
  // `activityType`
  manager.activityType = CLActivityType.fitness
  // `showsBackgroundLocationIndicator`
  manager.showsBackgroundLocationIndicator = true
  // `allowsBackgroundLocationUpdates`
  manager.allowsBackgroundLocationUpdates = true
  // `pausesLocationUpdatesAutomatically`
  manager.pausesLocationUpdatesAutomatically = false
  // `CLLocationManagerDelegate`
  take((any CLLocationManagerDelegate).self)
  // `locationManagerDidChangeAuthorization(_:)`
  located.locationManagerDidChangeAuthorization(manager)
  // `locationManager(_:didChangeAuthorization:)`
  located.locationManager(manager, didChangeAuthorization: .denied)
  // `locationManager(_:didUpdateLocations:)`
  located.locationManager(manager, didUpdateLocations: [moving])
  // `locationManager(_:didFailWithError:)`
  located.locationManager(manager, didFailWithError: CLError(.denied))
  // `locationManager(_:monitoringDidFailFor:withError:)`
  located.locationManager(manager, monitoringDidFailFor: nil, withError: CLError(.denied))
  // `locationManager(_:didDetermineState:for:)`
  located.locationManager(manager, didDetermineState: .inside, for: circle)
  // `locationManager(_:didEnterRegion:)`
  located.locationManager(manager, didEnterRegion: circle)
  // `locationManager(_:didExitRegion:)`
  located.locationManager(manager, didExitRegion: circle)
  // `locationManager(_:didStartMonitoringFor:)`
  located.locationManager(manager, didStartMonitoringFor: circle)
  // `locationManagerDidPauseLocationUpdates(_:)`
  located.locationManagerDidPauseLocationUpdates(manager)
  // `locationManagerDidResumeLocationUpdates(_:)`
  located.locationManagerDidResumeLocationUpdates(manager)
  // `CLRegionState`
  take([CLRegionState.unknown, .inside, .outside])
  // `CLRegionState.unknown`
  take(CLRegionState.unknown)
  // `CLRegionState.inside`
  take(CLRegionState.inside)
  // `CLRegionState.outside`
  take(CLRegionState.outside)
  // `CLAuthorizationStatus`
  take(CLAuthorizationStatus.authorizedAlways)
  // `CLAuthorizationStatus.notDetermined`
  take(CLAuthorizationStatus.notDetermined)
  // `restricted`
  take(CLAuthorizationStatus.restricted)
  // `CLAuthorizationStatus.denied`
  take(CLAuthorizationStatus.denied)
  // `authorizedAlways`
  take([CLAuthorizationStatus.authorizedAlways, .authorized])
  // `authorizedWhenInUse`
  take(CLAuthorizationStatus.authorizedWhenInUse)
  // `CLAccuracyAuthorization`
  take([CLAccuracyAuthorization.fullAccuracy, .reducedAccuracy])
  // `fullAccuracy`
  take(CLAccuracyAuthorization.fullAccuracy)
  // `reducedAccuracy`
  take(CLAccuracyAuthorization.reducedAccuracy)
  // `CLActivityType`
  take([CLActivityType.other, .automotiveNavigation, .fitness, .otherNavigation, .airborne])
  // `CLActivityType.other`
  take(CLActivityType.other)
  // `CLActivityType.automotiveNavigation`
  take(CLActivityType.automotiveNavigation)
  // `CLActivityType.fitness`
  take(CLActivityType.fitness)
  // `CLActivityType.otherNavigation`
  take(CLActivityType.otherNavigation)
  // `CLActivityType.airborne`
  take(CLActivityType.airborne)
  // `CLError`
  take(CLError.denied)
  // `kCLErrorDomain`
  take(kCLErrorDomain)
  // `CLError.denied`
  take(CLError.denied)
  // `locationUnknown`
  take(CLError.locationUnknown)
  // `regionMonitoringDenied`
  take(CLError.regionMonitoringDenied)
  // `CLError.Code`
  take(CLError.Code.network)
  // `CLError.network`
  take([CLError.network, CLError.Code.network])
  // `CLError.headingFailure`
  take([CLError.headingFailure, CLError.Code.headingFailure])
  // `CLError.regionMonitoringFailure`
  take([CLError.regionMonitoringFailure, CLError.Code.regionMonitoringFailure])
  // `CLError.regionMonitoringSetupDelayed`
  take([CLError.regionMonitoringSetupDelayed, CLError.Code.regionMonitoringSetupDelayed])
  // `CLError.regionMonitoringResponseDelayed`
  take([CLError.regionMonitoringResponseDelayed, CLError.Code.regionMonitoringResponseDelayed])
  // `CLError.geocodeFoundNoResult`
  take([CLError.geocodeFoundNoResult, CLError.Code.geocodeFoundNoResult])
  // `CLError.geocodeFoundPartialResult`
  take([CLError.geocodeFoundPartialResult, CLError.Code.geocodeFoundPartialResult])
  // `CLError.geocodeCanceled`
  take([CLError.geocodeCanceled, CLError.Code.geocodeCanceled])
  // `CLError.deferredFailed`
  take([CLError.deferredFailed, CLError.Code.deferredFailed])
  // `CLError.deferredNotUpdatingLocation`
  take([CLError.deferredNotUpdatingLocation, CLError.Code.deferredNotUpdatingLocation])
  // `CLError.deferredAccuracyTooLow`
  take([CLError.deferredAccuracyTooLow, CLError.Code.deferredAccuracyTooLow])
  // `CLError.deferredDistanceFiltered`
  take([CLError.deferredDistanceFiltered, CLError.Code.deferredDistanceFiltered])
  // `CLError.deferredCanceled`
  take([CLError.deferredCanceled, CLError.Code.deferredCanceled])
  // `CLError.rangingUnavailable`
  take([CLError.rangingUnavailable, CLError.Code.rangingUnavailable])
  // `CLError.rangingFailure`
  take([CLError.rangingFailure, CLError.Code.rangingFailure])
  // `CLError.promptDeclined`
  take([CLError.promptDeclined, CLError.Code.promptDeclined])
  // `CLError.historicalLocationError`
  take([CLError.historicalLocationError, CLError.Code.historicalLocationError])
}
