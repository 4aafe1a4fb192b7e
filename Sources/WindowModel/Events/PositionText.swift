// SPDX-License-Identifier: Apache-2.0

/// A position as the coordinates of an event.
package enum PositionText {
  /// `52.52,13.405 200m`: a circle that is larger than the position is inaccurate, or else it would never be known to
  /// be inside of it.
  package static func circle(_ position: (latitude: Double, longitude: Double, accuracy: Double)) -> String {
    let accuracy = position.accuracy.isFinite ? min(max(position.accuracy, 0), 100_000) : 100_000
    let radius = max(200, Int((accuracy * 2 / 50).rounded(.up)) * 50)
    return "\(number(position.latitude)),\(number(position.longitude)) \(radius)m"
  }

  /// To five digits, which is a metre.
  private static func number(_ degrees: Double) -> String { "\((degrees * 100_000).rounded() / 100_000)" }
}
