// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import NotificationModel

/// Where the machine was at some time.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.
  private struct Values {
    let coordinate: CLLocationCoordinate2D
    let altitude: CLLocationDistance
    let horizontalAccuracy: CLLocationAccuracy
    let verticalAccuracy: CLLocationAccuracy
    let course: CLLocationDirection
    let courseAccuracy: CLLocationDirectionAccuracy
    let speed: CLLocationSpeed
    let speedAccuracy: CLLocationSpeedAccuracy
    let timestamp: Date
  }

  private let own: Values

  /// The point.
  open var coordinate: CLLocationCoordinate2D { own.coordinate }
  /// Metres above the sea.
  open var altitude: CLLocationDistance { own.altitude }
  /// How far from the point the machine may be.
  open var horizontalAccuracy: CLLocationAccuracy { own.horizontalAccuracy }
  /// How exact the altitude is; negative if it is not known.
  open var verticalAccuracy: CLLocationAccuracy { own.verticalAccuracy }
  /// The direction of the movement; negative if it is not known.
  open var course: CLLocationDirection { own.course }
  /// How exact the direction is; negative if it is not known.
  open var courseAccuracy: CLLocationDirectionAccuracy { own.courseAccuracy }
  /// The speed of the movement; negative if it is not known.
  open var speed: CLLocationSpeed { own.speed }
  /// How exact the speed is; negative if it is not known.
  open var speedAccuracy: CLLocationSpeedAccuracy { own.speedAccuracy }
  /// When it was measured.
  open var timestamp: Date { own.timestamp }

  /// A location at a point, now.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// A location without a movement.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// A location with a movement.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
      timestamp: timestamp)
  }

  /// A location with a movement whose accuracy is known.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    own = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp)
    super.init()
  }

  /// The distance to another location in metres, on a sphere.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    Position(latitude: coordinate.latitude, longitude: coordinate.longitude, accuracy: 0)
      .distance(toLatitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
  }

  private var numbers: [Double] {
    [
      coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy,
      speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
    ]
  }

  private static let keys = [
    "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "courseAccuracy", "speed",
    "speedAccuracy", "timestamp",
  ]

  /// Decodes a location.
  public required convenience init?(coder: NSCoder) {
    let numbers = Self.keys.map { coder.decodeDouble(forKey: $0) }
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]), altitude: numbers[2],
      horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4], course: numbers[5], courseAccuracy: numbers[6],
      speed: numbers[7], speedAccuracy: numbers[8], timestamp: Date(timeIntervalSinceReferenceDate: numbers[9]))
  }

  /// Locations can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the location.
  open func encode(with coder: NSCoder) {
    for (key, number) in zip(Self.keys, numbers) { coder.encode(number, forKey: key) }
  }
  /// Returns the location itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool { (object as? CLLocation)?.numbers == numbers }
  /// The hash of its values.
  open override var hash: Int { numbers.hashValue }
}
