// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests places with the real GeoClue and a scripted satellite receiver.
@Suite(.timeLimit(.minutes(2))) struct PlaceSourceTests {
  private static let place = "place 52.52,13.405 200m"
  private static let geoclue: BusName = "org.freedesktop.GeoClue2"

  /// The distance of the next observation that has one.
  private func distance(_ reader: Reader<Observation>) async -> (metres: Double, accuracy: Double)? {
    while let observation = await reader.next() {
      if case .distance(let metres, _, let accuracy, _) = observation { return (metres, accuracy) }
    }
    return nil
  }

  /// Starts GeoClue, and waits until it owns its name.
  private func start(_ stage: GeoClueStage, _ stand: SourceStand) async throws {
    try stage.start()
    var owners = try await stand.session.owners(of: Self.geoclue).makeAsyncIterator()
    while let owner = await owners.next(isolation: #isolation), owner == nil {}
  }

  @Test(.enabled(if: GeoClueStage.isPossible))
  func `The machine arrives and leaves, by the real GeoClue, which also ends and comes back`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let stage = try GeoClueStage(bus)
      stage.move(to: 48.8566, 2.3522)
      try await start(stage, stand)
      try stage.allow()
      let places = NamedPlaces()
      let source = PlaceSource(PositionFeed(on: loop, system: stand.link), places)
      let reader = try stand.watch(source, Self.place)
      let far = try #require(await distance(reader))
      // Paris to Berlin.
      #expect(870_000...890_000 ~= far.metres && far.accuracy < 10)
      stage.move(to: 52.5201, 13.4049)
      var near = try #require(await distance(reader))
      while near.metres > 1000 { near = try #require(await distance(reader)) }
      #expect(near.metres < 20)
      // A name is looked up at once.
      places.all = [try NamedPlace("office", latitude: 52.52, longitude: 13.405, radius: 100)]
      let named = try stand.watch(source, "place office")
      guard case .distance(_, 100, _, ["place": "office"])? = await named.next() else { return #expect(Bool(false)) }
      stage.end()
      var last = await reader.next()
      while let observed = last, observed != .unknown("GeoClue has ended") { last = await reader.next() }
      #expect(last != nil)
      source.unwatch(try Condition(Self.place).subject)
      source.unwatch(.place(.named("office")))
    }
  }

  @Test(.enabled(if: GeoClueStage.isPossible))
  func `Without a program that asks the user it is told what is missing, and works once there is one`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let stage = try GeoClueStage(bus)
      stage.move(to: 52.52, 13.405)
      try await start(stage, stand)
      let source = PlaceSource(PositionFeed(on: loop, system: stand.link, limit: .seconds(2)), NamedPlaces())
      let reader = try stand.watch(source, Self.place)
      guard case .unknown(let reason)? = await reader.next() else { return #expect(Bool(false)) }
      #expect(reason.hasPrefix("GeoClue does not answer: it waits for a program that asks the user"), "\(reason)")
      try stage.allow()
      #expect(try #require(await distance(reader)).metres < 1)
      source.unwatch(try Condition(Self.place).subject)
    }
  }

  @Test(.enabled(if: GeoClueStage.isPossible))
  func `A radius below the accuracy is refused with the figure`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let stage = try GeoClueStage(bus)
      stage.move(to: 52.52, 13.405, hdop: 25)
      try await start(stage, stand)
      try stage.allow()
      let source = PlaceSource(PositionFeed(on: loop, system: stand.link), NamedPlaces())
      let reader = try stand.watch(source, Self.place)
      let reason = "the position is accurate to 300 m only; the radius is 200 m, and must not be smaller than that"
      #expect(await reader.next() == .unknown(reason))
      #expect(source.refusal(of: try Condition(Self.place).subject) == reason)
      #expect(source.refusal(of: try Condition("place 52.52,13.405 400m").subject) == nil)
      // It is known to be far from there, however inaccurate.
      #expect(source.refusal(of: try Condition("place 48.8566,2.3522 200m").subject) == nil)
      source.unwatch(try Condition(Self.place).subject)
    }
  }

  @Test(.enabled(if: GeoClueStage.isPossible))
  func `GeoClue that starts after all attempts have failed is used`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let feed = PositionFeed(on: loop, system: stand.link, retries: [])
      let source = PlaceSource(feed, NamedPlaces())
      let reader = try stand.watch(source, Self.place)
      #expect(await reader.next() == .unknown("GeoClue is not installed; install geoclue-2.0"))
      let stage = try GeoClueStage(bus)
      stage.move(to: 52.52, 13.405)
      try await start(stage, stand)
      try stage.allow()
      #expect(try #require(await distance(reader)).metres < 1)
      source.unwatch(try Condition(Self.place).subject)
    }
  }

  @Test func `GeoClue that is not installed is named, and so is a name without a place`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = PlaceSource(PositionFeed(on: loop, system: stand.link), NamedPlaces())
      let reader = try stand.watch(source, Self.place)
      #expect(await reader.next() == .unknown("GeoClue is not installed; install geoclue-2.0"))
      #expect(
        source.refusal(of: .place(.named("office")))
          == "no place has the name 'office'; add it with 'suzu place add'")
      source.unwatch(try Condition(Self.place).subject)
    }
  }

  @Test(arguments: [
    // By the tables of a geodesist: Berlin to Paris, and around the corner of the dates.
    (52.52, 13.405, 48.8566, 2.3522, 877_464.0), (0, 179.9, 0, -179.9, 22_239.0), (90, 0, 90, 120, 0),
  ])
  func `Distances are those on the earth`(
    _ latitude: Double, _ longitude: Double, _ other: Double, _ otherLongitude: Double, _ metres: Double
  ) {
    let position = Position(latitude: latitude, longitude: longitude, accuracy: 0)
    #expect(abs(position.distance(toLatitude: other, longitude: otherLongitude) - metres) <= metres * 0.005 + 1e-6)
  }

  // An accuracy without an end was rounded for an error message, which ended the center.
  @Test(arguments: [
    (12.2, 13), (0, 0), (-1, 0), (20_015_087, 20_015_087), (1e300, 20_015_087), (Double.infinity, 20_015_087),
    (Double.nan, 20_015_087),
  ])
  func `Any accuracy has a text in whole metres`(accuracy: Double, metres: Int) {
    #expect(Position(latitude: 0, longitude: 0, accuracy: accuracy).wholeAccuracy == metres)
    let read = Position(["Latitude": .double(52), "Longitude": .double(13), "Accuracy": .double(accuracy)])
    #expect(read?.wholeAccuracy == metres && read?.accuracy.isNaN == false)
  }

  @Test(arguments: [
    ("Latitude", 90.5), ("Latitude", -Double.infinity), ("Longitude", 181), ("Longitude", Double.nan),
  ])
  func `A position that is not on the earth is ignored`(key: String, degrees: Double) {
    var properties: [String: Value] = ["Latitude": .double(52), "Longitude": .double(13)]
    #expect(Position(properties)?.accuracy == 0)
    properties[key] = .double(degrees)
    #expect(Position(properties) == nil)
  }
}
