// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// The places that the user has named.
  public func places() async throws(SuzuError) -> [NamedPlace] {
    try await call(CenterMethods.places).compactMap { try? NamedPlace($0.compactMapValues { PlainValue($0) }) }
  }

  /// Replaces all places that the user has named.
  public func setPlaces(_ places: [NamedPlace]) async throws(SuzuError) {
    try await call(CenterMethods.setPlaces, places.map { $0.plain.mapValues { Value($0) } })
  }

  /// Where the machine is, and how accurate that is, in degrees and metres; waits until it is known.
  public func position() async throws(SuzuError) -> (latitude: Double, longitude: Double, accuracy: Double) {
    let (latitude, longitude, accuracy) = try await call(CenterMethods.position, limit: .seconds(60))
    return (latitude, longitude, accuracy)
  }
}
