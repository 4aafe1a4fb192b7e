// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

extension CenterLink {
  /// The places that the user has named.
  func places() async throws(SuzuError) -> [NamedPlace] { try await connected().places() }

  /// Stores a place. One with its name stays as it is.
  func add(_ place: NamedPlace) async throws(SuzuError) {
    let center = try await connected()
    let places = try await center.places()
    if places.contains(where: { $0.name.utf8.elementsEqual(place.name.utf8) }) { return }
    try await center.setPlaces(places + [place])
  }

  /// Where the machine is; waits until it is known.
  func position() async throws(SuzuError) -> (latitude: Double, longitude: Double, accuracy: Double) {
    try await connected().position()
  }
}
