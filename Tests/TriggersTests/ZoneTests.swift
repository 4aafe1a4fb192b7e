// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests repetitions around changes of the clock in difficult zones.
@Suite struct ZoneTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var zone: String
    var expression: String
    var after: String
    /// What the clocks then show, with their offset.
    var shown: [String]
    var testDescription: String { "\(zone): \(expression) after \(after)" }
  }

  static let rows: [Row] = [
    // An hour is missing on 29 March: the time is taken by the offset before, and there is one a day.
    Row(
      zone: "Europe/London", expression: "01:30", after: "2026-03-27T12:00:00Z",
      shown: ["2026-03-28T01:30:00+00:00", "2026-03-29T02:30:00+01:00", "2026-03-30T01:30:00+01:00"]),
    // What falls on the same moment is once.
    Row(
      zone: "Europe/London", expression: "1,2:30", after: "2026-03-28T12:00:00Z",
      shown: ["2026-03-29T02:30:00+01:00", "2026-03-30T01:30:00+01:00"]),
    // Two skipped times keep their distance.
    Row(
      zone: "Europe/London", expression: "*-*-* 01:45,50:00", after: "2026-03-28T12:00:00Z",
      shown: ["2026-03-29T02:45:00+01:00", "2026-03-29T02:50:00+01:00", "2026-03-30T01:45:00+01:00"]),
    // An hour comes twice on 25 October: the first counts.
    Row(
      zone: "Europe/London", expression: "01:30", after: "2026-10-24T12:00:00Z",
      shown: ["2026-10-25T01:30:00+01:00", "2026-10-26T01:30:00+00:00"]),
    // Without an hour, every real one.
    Row(
      zone: "Europe/London", expression: "*:30", after: "2026-10-24T23:00:00Z",
      shown: [
        "2026-10-25T00:30:00+01:00", "2026-10-25T01:30:00+01:00", "2026-10-25T01:30:00+00:00",
        "2026-10-25T02:30:00+00:00",
      ]),
    Row(
      zone: "Europe/London", expression: "hourly", after: "2026-03-28T23:30:00Z",
      shown: ["2026-03-29T00:00:00+00:00", "2026-03-29T02:00:00+01:00", "2026-03-29T03:00:00+01:00"]),
    // Half an hour, at Lord Howe.
    Row(
      zone: "Australia/Lord_Howe", expression: "02:15", after: "2026-10-02T00:00:00Z",
      shown: ["2026-10-03T02:15:00+10:30", "2026-10-04T02:45:00+11:00", "2026-10-05T02:15:00+11:00"]),
    Row(
      zone: "Australia/Lord_Howe", expression: "*:45", after: "2026-04-04T13:50:00Z",
      shown: ["2026-04-05T01:45:00+11:00", "2026-04-05T01:45:00+10:30", "2026-04-05T02:45:00+10:30"]),
    Row(
      zone: "Australia/Lord_Howe", expression: "01:45", after: "2026-04-03T20:00:00Z",
      shown: ["2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30"]),
    // Two hours, at Troll.
    Row(
      zone: "Antarctica/Troll", expression: "02:15", after: "2026-03-27T12:00:00Z",
      shown: ["2026-03-28T02:15:00+00:00", "2026-03-29T04:15:00+02:00", "2026-03-30T02:15:00+02:00"]),
    Row(
      zone: "Antarctica/Troll", expression: "*:15", after: "2026-10-25T00:00:00Z",
      shown: [
        "2026-10-25T02:15:00+02:00", "2026-10-25T01:15:00+00:00", "2026-10-25T02:15:00+00:00",
        "2026-10-25T03:15:00+00:00",
      ]),
    // Midnight is missing in Cairo, on a Friday, which it still counts for.
    Row(
      zone: "Africa/Cairo", expression: "daily", after: "2026-04-22T12:00:00Z",
      shown: ["2026-04-23T00:00:00+02:00", "2026-04-24T01:00:00+03:00", "2026-04-25T00:00:00+03:00"]),
    Row(
      zone: "Africa/Cairo", expression: "Fri 00:30", after: "2026-04-22T12:00:00Z",
      shown: ["2026-04-24T01:30:00+03:00", "2026-05-01T00:30:00+03:00"]),
    // And comes twice there: Thursday's 23:30 once, that of the day before it.
    Row(
      zone: "Africa/Cairo", expression: "23:30", after: "2026-10-28T12:00:00Z",
      shown: ["2026-10-28T23:30:00+03:00", "2026-10-29T23:30:00+03:00", "2026-10-30T23:30:00+02:00"]),
    // Havana: midnight is missing, on a Sunday, and comes twice.
    Row(
      zone: "America/Havana", expression: "Sun 00:15", after: "2026-03-05T12:00:00Z",
      shown: ["2026-03-08T01:15:00-04:00", "2026-03-15T00:15:00-04:00"]),
    Row(
      zone: "America/Havana", expression: "00:15", after: "2026-10-31T12:00:00Z",
      shown: ["2026-11-01T00:15:00-04:00", "2026-11-02T00:15:00-05:00"]),
    // Apia had no 30 December 2011: that day's date is no other day's.
    Row(
      zone: "Pacific/Apia", expression: "09:00", after: "2011-12-29T00:00:00Z",
      shown: ["2011-12-29T09:00:00-10:00", "2011-12-31T09:00:00+14:00", "2012-01-01T09:00:00+14:00"]),
    Row(
      zone: "Pacific/Apia", expression: "Fri 09:00", after: "2011-12-24T00:00:00Z",
      shown: ["2012-01-06T09:00:00+14:00"]),
    // The date line the other way: Kwajalein left out a day too; Manila had one twice, in 1844.
    Row(
      zone: "Pacific/Kwajalein", expression: "12:00", after: "1993-08-20T00:00:00Z",
      shown: ["1993-08-20T12:00:00-12:00", "1993-08-22T12:00:00+12:00"]),
    // Far beyond the zone's table.
    Row(
      zone: "Europe/London", expression: "2490-07-01 12:00", after: "2026-01-01T00:00:00Z",
      shown: ["2490-07-01T12:00:00+01:00"]),
  ]

  @Test(arguments: rows) func `Changes of the clock neither skip nor double a date`(row: Row) throws {
    let rules = try ZoneDatabase(folder: try FixedZones.folder).zone(named: row.zone).rules
    let after = try #require(Instant(rfc3339: row.after))
    let trigger = try Trigger(.calendar(try CalendarExpression.parse(row.expression)), zone: row.zone, made: after)
    let found = Array(trigger.occurrences(after: after, in: rules).prefix(row.shown.count))
    #expect(found.map { $0.instant.rfc3339(at: rules.offset(at: $0.instant)) } == row.shown)
    for (index, occurrence) in found.enumerated() {
      #expect(trigger.count(after: after, through: occurrence.instant, in: rules) == index + 1)
      #expect(trigger.last(after: after, through: occurrence.instant, in: rules) == occurrence)
    }
    #expect(Set(found.map { "\($0.wall?.description ?? "") \($0.fold)" }).count == found.count)
  }

  /// Every change of clocks from 2012 to 2025 in zones of all kinds, as the machine has them: a time of day is once on
  /// every date that there is, and counting agrees with stepping. Later changes are for governments to decide.
  @Test(arguments: [
    "Europe/London", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Cairo", "America/Havana", "Pacific/Apia",
    "Africa/Casablanca", "America/St_Johns", "Asia/Gaza", "Pacific/Chatham", "America/Scoresbysund", "Asia/Kolkata",
  ])
  func `Every day has its time once`(zone: String) throws {
    let rules = try ZoneDatabase.system.zone(named: zone).rules
    let start = Instant(1_325_419_200)
    let end = Instant(1_767_225_600)
    var changes = 0
    var moment = start
    while let change = rules.nextTransition(after: moment), change.instant < end {
      moment = change.instant
      guard change.before.offset != change.after.offset else { continue }
      changes += 1
      let before = moment.adding(seconds: -36 * 3600)
      let after = moment.adding(seconds: 60 * 3600)
      let clock = try #require(moment.adding(seconds: -1).civil(at: change.before.offset))
      for minutes in [-90, -45, -30, -15, 0, 1, 15, 29, 30, 45, 60, 90, 119, 120] {
        let time = try #require(clock.adding(seconds: minutes * 60 + 1)).time
        let trigger = try Trigger(.calendar(try CalendarExpression.parse("\(time)")), zone: zone, made: before)
        let found = trigger.occurrences(after: before, in: rules).prefix { $0.instant <= after }
        let dates = found.compactMap(\.wall?.date)
        let days = zip(dates, dates.dropFirst()).map { $1.days(since: $0) }
        #expect(days.allSatisfy { $0 == 1 } && dates.count >= 3, "\(zone) \(time) around \(moment): \(dates)")
        #expect(trigger.count(after: before, through: after, in: rules) == Array(found).count)
      }
      let quarters = try Trigger(.calendar(try CalendarExpression.parse("*:0/15")), zone: zone, made: before)
      let found = Array(quarters.occurrences(after: before, in: rules).prefix { $0.instant <= after })
      // Every offset here is of whole quarters, and so is every quarter of real time one on the clock.
      #expect(found.count == 96 * 4, "\(zone) around \(moment): \(found.count)")
      #expect(quarters.count(after: before, through: after, in: rules) == found.count)
    }
    print("clocks: \(zone): \(changes) changes")
  }

  @Test func `A date that the clocks move has a note`() throws {
    let rules = try ZoneDatabase(folder: try FixedZones.folder).zone(named: "Europe/London").rules
    func notes(_ expression: String, _ after: String) throws -> [String?] {
      let after = try #require(Instant(rfc3339: after))
      let trigger = try Trigger(.calendar(try CalendarExpression.parse(expression)), made: after)
      return trigger.occurrences(after: after, in: rules).prefix(2).map { $0.note(in: rules) }
    }
    #expect(
      try notes("01:30", "2026-03-28T12:00:00Z") == ["clocks skip 01:30:00 on 2026-03-29: at 02:30:00 instead", nil])
    #expect(
      try notes("*:30", "2026-10-25T00:00:00Z")
        == ["the first of two 01:30:00 of that day", "the second 01:30:00 of that day"])
  }

  @Test func `A floating trigger follows the given zone`() throws {
    let zones = ZoneDatabase(folder: try FixedZones.folder)
    let (paris, tokyo) = (try zones.zone(named: "Europe/Paris").rules, try zones.zone(named: "Asia/Tokyo").rules)
    let made = try #require(Instant(rfc3339: "2026-11-20T12:00:00Z"))
    let trigger = try Trigger(.calendar(try CalendarExpression.parse("07:30")), made: made)
    let inParis = try #require(trigger.next(after: made, in: paris))
    let inTokyo = try #require(trigger.next(after: made, in: tokyo))
    #expect(inParis.instant.description == "2026-11-21T06:30:00Z")
    #expect(inTokyo.instant.description == "2026-11-20T22:30:00Z")
    // Its identity is the same date.
    #expect(inParis.wall == inTokyo.wall && inParis.zone == nil)
  }
}
