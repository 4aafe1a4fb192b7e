// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests conditions on places from the request to the notification, with the real GeoClue and a scripted receiver.
/// There is no satellite here.
@Suite(.onOwnThread, .timeLimit(.minutes(2)), .enabled(if: GeoClueStage.isPossible))
struct PlaceConditionTests {
  private static let here = (latitude: 48.8566, longitude: 2.3522)

  private func run(_ body: (ConditionStage, GeoClueStage) throws -> Void) throws {
    let stage = try ConditionStage()
    let geoclue = try GeoClueStage(stage.session.bus)
    geoclue.move(to: Self.here.latitude, Self.here.longitude, hdop: 25)
    try geoclue.start()
    #expect(try stage.session.awaitOwner(of: "org.freedesktop.GeoClue2"))
    try geoclue.allow()
    try body(stage, geoclue)
    geoclue.end()
  }

  /// The error of a call of `Notify`.
  private func refusal(_ stage: ConditionStage, _ condition: String) throws -> String {
    let called = try stage.notify("{'title': <'x'>, 'on': <\(condition)>}")
    #expect(called.status != 0, "\(called.output)")
    return called.errors
  }

  @Test(arguments: ConditionStage.Way.allCases)
  func `A place that the machine leaves and comes back to is told`(_ way: ConditionStage.Way) throws {
    try run { stage, geoclue in
      #expect(try stage.session.suzu("place", "add", "office", "48.8566,2.3522", "500m").status == 0)
      try stage.arm("in", "{event.edge} {event.place}", on: ("place office", "{'place': <'office'>}"), by: way)
      try stage.arm(
        "out", "{event.edge} {event.place}",
        on: (
          "leave place 48.8566,2.3522 500m",
          "{'place': <true>, 'latitude': <48.8566>, 'longitude': <2.3522>, 'radius': <500>, 'edge': <'leave'>}"
        ), by: way)
      for id in ["in", "out"] { try stage.await(id, true) }
      geoclue.move(to: 52.5201, 13.4049)
      #expect(stage.shown() == "leave 48.8566,2.3522")
      try stage.await("in", false)
      geoclue.move(to: Self.here.latitude, Self.here.longitude)
      #expect(stage.shown() == "enter office")
    }
  }

  // Only the source was tested: nothing showed that a request is refused.
  @Test func `A radius that is too small for the position is refused with the figure, and one beyond the limits`()
    throws
  {
    try run { stage, _ in
      // The accuracy is known as soon as something waits for a place.
      try stage.arm(
        "known", "x", on: ("place 48.8566,2.3522 500m", "unused"), by: .command)
      try stage.await("known", true)
      let reason =
        "the position is accurate to 300 m only; the radius is 100 m, and must not be smaller than that"
      let refused = try stage.session.suzu("notify", "x", "--on", "place 48.8566,2.3522 100m")
      #expect(refused.status == 65 && refused.errors.contains(reason), "\(refused)")
      #expect(try refusal(stage, "'place 48.8566,2.3522 100m'").contains(reason))
      let circle = "'place': <true>, 'latitude': <48.8566>, 'longitude': <2.3522>"
      #expect(try refusal(stage, "{\(circle), 'radius': <100>}").contains(reason))
      for radius in ["0", "0.5", "1000001", "-5"] {
        let errors = try refusal(stage, "{\(circle), 'radius': <\(radius)>}")
        #expect(errors.contains("InvalidRequest") && errors.contains("a radius from 1m to 1000km"), "\(errors)")
      }
      for radius in ["0m", "1001km"] {
        let errors = try refusal(stage, "'place 48.8566,2.3522 \(radius)'")
        #expect(errors.contains("InvalidRequest") && errors.contains("a radius from 1m to 1000km"), "\(errors)")
      }
      #expect(try stage.session.suzu("list", "--json").output.components(separatedBy: #""id":"#).count == 2)
    }
  }
}
