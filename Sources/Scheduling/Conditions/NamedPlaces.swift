// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// The places that the user has named. The center keeps them, and the source that observes places looks them up.
public final class NamedPlaces {
  private var places: [String: NamedPlace] = [:]
  /// Called when they have changed.
  public var whenChanged: () -> Void = {}

  /// No places.
  public init() {}

  /// All of them, by name.
  public var all: [NamedPlace] {
    get { places.values.sorted { $0.name < $1.name } }
    set {
      places = Dictionary(newValue.map { ($0.name, $0) }) { $1 }
      whenChanged()
    }
  }

  /// The place with this name.
  public subscript(_ name: String) -> NamedPlace? { places[name] }
}
