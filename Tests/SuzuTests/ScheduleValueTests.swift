// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu
import Testing

/// Tests the schedules that are made of Swift's values.
@Suite struct ScheduleValueTests {
  /// The keys and values of a request with this schedule.
  static func words(_ schedule: Schedule) throws -> [String: PlainValue] {
    let json = try NotificationRequest(title: "a", schedule: schedule).json
    var words = try JSONDecoder().decode([String: PlainValue].self, from: Data(json.utf8))
    words["title"] = nil
    words["app"] = nil
    return words
  }

  @Test func `Durations and dates become the words of a request`() throws {
    let date = Date(timeIntervalSince1970: 1_795_246_200)
    #expect(try Self.words(.after(.minutes(4))) == ["in": .text("4m")])
    #expect(try Self.words(.at(date)) == ["at": .text("2026-11-21T07:30:00Z")])
    #expect(try Self.words(.at(date - 0.5)) == ["at": .text("2026-11-21T07:30:00Z")])
    #expect(try Self.words(.daily(at: "7:30")) == ["every": .text("07:30")])
    #expect(
      try Self.words(.weekly(on: [.thursday, .monday], at: "07:30:15", zone: TimeZone(identifier: "Asia/Tokyo")))
        == ["every": .text("Mon,Thu 07:30:15"), "zone": .text("Asia/Tokyo")])
    #expect(
      try Self.words(.every(.minutes(15), from: date, until: date + 3600, count: 6))
        == [
          "every": .text("15m"), "from": .text("2026-11-21T07:30:00Z"), "until": .text("2026-11-21T08:30:00Z"),
          "count": .integer(6),
        ])
    #expect(try Self.words(.on("battery < 20%")) == ["on": .text("battery < 20%")])
    #expect(try Self.words(.on(.locked)) == ["on": .text("leave unlocked")])
    #expect(
      try Self.words(.whenever(.power, pause: .hours(1), count: 3))
        == ["on": .text("power"), "repeat": .flag(true), "cooldown": .text("1h"), "count": .integer(3)])
    #expect(
      try Self.words(.daily(at: "07:30").whenMissed(.skip).waking())
        == ["every": .text("07:30"), "missed": .text("skip"), "wake": .flag(true)])
  }

  @Test(arguments: [
    Schedule.after(.seconds(-5)), .after(.days(Int.max)), .every(.minutes(15), count: 0),
    .whenever(.power, pause: .seconds(-1)), .whenever(.power, count: -1),
  ])
  func `Values that no request can have are refused by the request`(_ schedule: Schedule) {
    #expect(throws: RequestError.self) { try NotificationRequest(title: "a", schedule: schedule) }
  }

  @Test func `Units of durations are exact and do not overflow`() {
    #expect(Duration.minutes(4) == .seconds(240) && Duration.hours(2) == .seconds(7200))
    #expect(Duration.days(1) == .seconds(86_400) && Duration.minutes(1.5) == .seconds(90))
    #expect(Duration.days(Int.max) == .seconds(Int64.max) && Duration.days(Int.min) == .seconds(Int64.min))
  }

  @Test func `Times of day are checked`() throws {
    #expect(TimeOfDay(hour: 24, minute: 0) == nil && TimeOfDay(hour: 7, minute: 60) == nil)
    #expect(TimeOfDay(hour: 7, minute: 5)?.description == "07:05")
    #expect(TimeOfDay("7:05") < "07:05:01")
    for text in ["", "7", "7:", ":5", "7:5:", "07:30 ", "+7:30", "007:30", "24:00", "7:30:60", "7.30", "1:2:3:4"] {
      #expect(throws: RequestError.self, "\(text)") { try TimeOfDay(text) }
    }
  }

  @Test func `Dates of the center are read`() {
    let row = ListedRequest([
      "next": .text("2026-11-23T07:30:00+01:00"), "due": .text("2026-11-23T06:30:00Z"), "shown": .text("yesterday"),
    ])
    #expect(row.nextDate == Date(timeIntervalSince1970: 1_795_415_400))
    #expect(row.dueDate == row.nextDate && row.shownDate == nil && row.closedDate == nil)
    let response = Response(number: 1, app: "a", id: "b", action: "c", due: "2026-11-23T07:30:00+01:00")
    #expect(response.dueDate == row.nextDate)
  }
}
