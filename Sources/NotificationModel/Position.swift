// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Where the machine is.
public struct Position: Hashable, Sendable {
  /// In degrees.
  public let latitude: Double
  /// In degrees.
  public let longitude: Double
  /// How far from there the machine may be, in metres.
  public let accuracy: Double

  /// Where it is by some measurement.
  public init(latitude: Double, longitude: Double, accuracy: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
  }

  /// The accuracy in whole metres, rounded up. NaN means anywhere on the earth.
  package var wholeAccuracy: Int {
    0...Self.farthest ~= accuracy ? Int(accuracy.rounded(.up)) : accuracy < 0 ? 0 : Int(Self.farthest)
  }

  /// From pole to pole, in metres: nothing on the earth is farther away.
  private static let farthest = 20_015_087.0

  /// The mean radius of the earth in metres.
  private static let radiusOfEarth = 6_371_008.8

  /// The distance to another point on the earth in metres, on a sphere: wrong by at most half a percent.
  public func distance(toLatitude other: Double, longitude otherLongitude: Double) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (north, east) = (radians(other - latitude) / 2, radians(otherLongitude - longitude) / 2)
    let chord =
      sin(north) * sin(north) + cos(radians(latitude)) * cos(radians(other)) * sin(east) * sin(east)
    return 2 * Self.radiusOfEarth * asin(min(1, chord.squareRoot()))
  }
}
