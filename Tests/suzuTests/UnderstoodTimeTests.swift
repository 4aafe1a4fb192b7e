// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing
import Triggers
import Zoneinfo

@testable import suzu

/// Tests the remark of `suzu notify` about a given time.
@Suite struct UnderstoodTimeTests {
  /// A Friday, 11:00 in Paris.
  static func paris() throws -> LocalTime {
    let zone = try ListingTests.parisZone()
    return LocalTime(
      now: try #require(Instant(rfc3339: "2026-11-20T10:00:00Z")), zone: zone,
      database: ZoneDatabase(folder: try FixedZones.folder))
  }

  static func remark(_ schedule: Schedule) throws -> String {
    let time = try paris()
    let trigger = try #require(try schedule.trigger(made: time.now, rules: time.rules))
    let rules = try time.rules(trigger.zone)
    var search = DateSearch()
    return NotifyCommand.remark(
      on: try #require(try trigger.first(in: rules, &search)), of: trigger, in: rules, now: time.now)
  }

  @Test(
    arguments: try [
      (Schedule.every("Tue 07:30"), "first on Tuesday 2026-11-24 07:30:00 +01:00, in 3 days 20 h"),
      (Schedule.at("tomorrow 7:30"), "on Saturday 2026-11-21 07:30:00 +01:00, in 20 h 30 min"),
      (Schedule.in(.seconds(90)), "on Friday 2026-11-20 11:01:30 +01:00, in 1 min 30 s"),
      (Schedule.repeating(.after(.seconds(90))), "first on Friday 2026-11-20 11:01:30 +01:00, in 1 min 30 s"),
      (Schedule.match(["weekday": 1, "hour": 9]), "on Sunday 2026-11-22 09:00:00 +01:00, in 1 day 22 h"),
      (
        Schedule.every("07:30", zone: "Asia/Tokyo"),
        "first on Saturday 2026-11-21 07:30:00 +09:00 (Asia/Tokyo), in 12 h 30 min"
      ),
      (
        Schedule.at("2027-03-28 02:30"),
        "on Sunday 2027-03-28 03:30:00 +02:00, in 127 days; clocks skip 02:30:00 on 2027-03-28: at 03:30:00 instead"
      ),
    ])
  func `The first date is printed in full`(schedule: Schedule, remark: String) throws {
    #expect(try Self.remark(schedule) == remark)
  }

  @Test(
    arguments: [
      (0, "now"), (1, "in 1 s"), (59, "in 59 s"), (60, "in 1 min"), (90, "in 1 min 30 s"), (3600, "in 1 h"),
      (31_260, "in 8 h 41 min"), (31_299, "in 8 h 41 min"), (86_400, "in 1 day"), (176_400, "in 2 days 1 h"),
      (86_400 * 14, "in 14 days"), (86_400 * 400, "in 400 days"), (31_557_600 * 9, "in 9 years"),
      (-1, "1 s ago"), (-3599, "59 min ago"), (-12_600, "3 h ago"), (-100_000, "1 day ago"),
      (-86_400 * 40, "40 days ago"),
      (.min, "292271023045 years ago"),
    ] as [(Int64, String)])
  func `A distance has two units ahead and one in the past`(seconds: Int64, text: String) {
    #expect(Distance.text(seconds) == text)
  }

  @Test func `On a terminal a listing has a heading for each day, and distances`() throws {
    let near = NearDates(
      now: try #require(Instant(rfc3339: "2026-11-20T10:00:00Z")), rules: try Self.paris().rules(nil))
    #expect(near.day("2026-11-20T22:59:59Z") == "Today, Fri 2026-11-20")
    #expect(near.day("2026-11-20T23:00:00Z") == "Tomorrow, Sat 2026-11-21")
    #expect(near.day("2026-11-19T12:00:00Z") == "Yesterday, Thu 2026-11-19")
    #expect(near.day("2026-11-29T12:00:00Z") == "Sun 2026-11-29" && near.day("soon") == nil && near.day(nil) == nil)
    #expect(near.time("2026-11-20T18:41:00Z") == "19:41, in 8 h 41 min")
    #expect(near.time("2026-11-20T06:59:58Z") == "07:59:58, 3 h ago")
    #expect(near.time("soon") == "soon" && near.time(nil) == "")
  }

  @Test func `Tables show seconds only if they are not zero`() throws {
    let rules = try Self.paris().rules(nil)
    #expect(rules.tableText("2026-11-24T07:30:00+01:00") == "Tue 2026-11-24 07:30")
    #expect(rules.tableText("2026-11-24T06:30:05Z") == "Tue 2026-11-24 07:30:05")
    #expect(rules.tableText("soon") == "soon" && rules.tableText(nil) == "")
  }

  @Test func `A zone is read once and an unknown one is named`() throws {
    let time = try Self.paris()
    #expect(try time.rules("Asia/Tokyo") === time.rules("Asia/Tokyo"))
    #expect(try time.rules(nil) === time.zone().rules)
    let error = #expect(throws: TriggerError.self) { try time.rules("Mars") }
    #expect(error?.description.contains("'Mars'") == true)
  }
}
