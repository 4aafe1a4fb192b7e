// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The places that the user has named, kept in the store, which only the user can read. They are never logged.
final class Places {
  private let store: Store
  private let named: NamedPlaces
  private let positions: (any PositionFinder)?
  /// How long GeoClue may take to find the position.
  private static let limit: Duration = .seconds(30)
  private static let setting = "places"

  init(store: Store, named: NamedPlaces, positions: (any PositionFinder)?) {
    self.store = store
    self.named = named
    self.positions = positions
    named.all = Self.stored(in: store)
  }

  private static func stored(in store: Store) -> [NamedPlace] {
    guard let text = try? store.setting(setting), case .list(let places)? = try? JSONReader.read(text) else {
      return []
    }
    return places.compactMap { place in
      guard case .dictionary(let words) = place else { return nil }
      return try? NamedPlace(words)
    }
  }

  var all: [NamedPlace] { named.all }

  /// Replaces all places.
  func set(_ places: [NamedPlace]) throws(CenterError) {
    guard places.count <= NamedPlace.most else {
      throw CenterError(.limitExceeded, "\(places.count) places; at most \(NamedPlace.most) can have a name")
    }
    var names: Set<String> = []
    for place in places where !names.insert(place.name).inserted {
      throw CenterError(.invalidRequest, "two places have the name '\(DisplayText.line(place.name))'")
    }
    let text = places.isEmpty ? nil : PlainValue.list(places.map { .dictionary($0.plain) }).json
    do throws(StoreError) {
      try store.withNeededTransaction { () throws(StoreError) in try store.set(Self.setting, to: text) }
    } catch {
      throw CenterError(error)
    }
    named.all = places
  }

  /// Where the machine is.
  func position() async throws(CenterError) -> Position {
    guard let positions else { throw CenterError(.unavailable, "this center cannot find the position") }
    do throws(PositionObstacle) { return try await positions.position(within: Self.limit) } catch {
      throw CenterError(.unavailable, error.reason)
    }
  }
}
