// SPDX-License-Identifier: Apache-2.0

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// An accuracy in metres; negative if the value is not known.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second; negative if it is not known.
public typealias CLLocationSpeed = Double
/// An accuracy of a speed in metres per second; negative if it is not known.
public typealias CLLocationSpeedAccuracy = Double
/// A direction in degrees from north; negative if it is not known.
public typealias CLLocationDirection = Double
/// An accuracy of a direction in degrees; negative if it is not known.
public typealias CLLocationDirectionAccuracy = Double
/// A number that groups beacons.
public typealias CLBeaconMajorValue = UInt16
/// The number of a beacon within its group.
public typealias CLBeaconMinorValue = UInt16

/// The most accurate position, with the help of other sensors.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The most accurate position.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Within a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Within three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Within some kilometres, for apps that may not know more.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The largest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time in seconds.
public let CLTimeIntervalMax: Double = .greatestFiniteMagnitude

/// A point on the earth.
public struct CLLocationCoordinate2D: Sendable {
  /// From -90 to 90 degrees.
  public var latitude: CLLocationDegrees
  /// From -180 to 180 degrees.
  public var longitude: CLLocationDegrees

  /// The point at 0, 0.
  public init() { (latitude, longitude) = (0, 0) }

  /// A point.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A point.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A point that is none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether the degrees are within their ranges.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}
