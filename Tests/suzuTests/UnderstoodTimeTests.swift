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
    return NotifyCommand.remark(on: try #require(try trigger.first(in: rules, &search)), of: trigger, in: rules)
  }

  @Test(
    arguments: try [
      (Schedule.every("Tue 07:30"), "first on Tuesday 2026-11-24 07:30:00 +01:00"),
      (Schedule.at("tomorrow 7:30"), "on Saturday 2026-11-21 07:30:00 +01:00"),
      (Schedule.in(.seconds(90)), "on Friday 2026-11-20 11:01:30 +01:00"),
      (Schedule.repeating(.after(.seconds(90))), "first on Friday 2026-11-20 11:01:30 +01:00"),
      (Schedule.match(["weekday": 1, "hour": 9]), "on Sunday 2026-11-22 09:00:00 +01:00"),
      (
        Schedule.every("07:30", zone: "Asia/Tokyo"),
        "first on Saturday 2026-11-21 07:30:00 +09:00 (Asia/Tokyo)"
      ),
      (
        Schedule.at("2027-03-28 02:30"),
        "on Sunday 2027-03-28 03:30:00 +02:00; clocks skip 02:30:00 on 2027-03-28: at 03:30:00 instead"
      ),
    ])
  func `The first date is printed in full`(schedule: Schedule, remark: String) throws {
    #expect(try Self.remark(schedule) == remark)
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
