// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests the time keys of a request, from text to dates.
@Suite struct TriggerTests {
  private static let made = Instant(rfc3339: "2026-11-20T10:00:00Z") ?? Instant(0)

  private static func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    guard let zone = try? ZoneDatabase(folder: FixedZones.folder).zone(named: name ?? "Europe/Paris") else {
      preconditionFailure("there is no zone \(name ?? "")")
    }
    return zone.rules
  }

  private static func trigger(_ fill: (inout ScheduleKeys) -> Void) throws -> Trigger? {
    var keys = ScheduleKeys()
    fill(&keys)
    return try keys.schedule().trigger(made: made, rules: rules)
  }

  private static func dates(_ count: Int, _ fill: (inout ScheduleKeys) -> Void) throws -> [String] {
    guard let trigger = try trigger(fill) else { return [] }
    return try Array(trigger.occurrences(after: made, in: rules(trigger.zone)).prefix(count)).map {
      try $0.instant.rfc3339(at: rules(trigger.zone).offset(at: $0.instant)) ?? ""
    }
  }

  /// The weekly alarm of the clock app, which had to be registered again every seven days.
  @Test func `An alarm on three weekdays repeats for ever`() throws {
    let trigger = try #require(try Self.trigger { $0.every = "Mon,Tue,Thu 07:30" })
    let paris = try Self.rules(nil)
    var last = Self.made
    var count = 0
    for occurrence in trigger.occurrences(after: last, in: paris).prefix(3 * 52 * 12) {
      let shown = try #require(paris.civil(at: occurrence.instant))
      #expect(shown.time == CivilTime(hour: 7, minute: 30) && shown == occurrence.wall)
      #expect([.monday, .tuesday, .thursday].contains(shown.date.weekday))
      #expect(occurrence.instant > last && occurrence.number == nil)
      last = occurrence.instant
      count += 1
    }
    #expect(count == 3 * 52 * 12)
    // The same as a rule, and in the year 9000.
    let far = try #require(Instant(rfc3339: "9000-01-01T00:00:00Z"))
    let rule = try #require(try Self.trigger { $0.rule = "FREQ=WEEKLY;BYDAY=MO,TU,TH;BYHOUR=7;BYMINUTE=30;BYSECOND=0" })
    #expect(trigger.next(after: far, in: paris)?.instant == rule.next(after: far, in: paris)?.instant)
    #expect(trigger.next(after: far, in: paris)?.wall?.description == "9000-01-02T07:30:00")
    let later = try #require(Instant(rfc3339: "3000-01-01T00:00:00Z"))
    #expect(
      trigger.count(after: Self.made, through: later, in: paris)
        == rule.count(after: Self.made, through: later, in: paris))
  }

  /// In Paris, 02:00 to 03:00 do not exist on 29 March 2026. A rule that began at 03:05 once left out the 02:45 of that day.
  @Test(arguments: [
    ("FREQ=DAILY;BYHOUR=2;BYMINUTE=45;BYSECOND=0", "2026-03-29T03:45:00+02:00"),
    ("FREQ=DAILY;BYHOUR=2;BYMINUTE=4;BYSECOND=0", "2026-03-30T02:04:00+02:00"),
    ("FREQ=DAILY;BYHOUR=3;BYMINUTE=4;BYSECOND=0", "2026-03-30T03:04:00+02:00"),
    ("FREQ=DAILY;BYSECOND=0", "2026-03-29T03:05:00+02:00"),
  ])
  func `A rule made right after a gap includes the skipped times that are still to come`(
    rule: String, first: String
  ) throws {
    let made = try #require(Instant(rfc3339: "2026-03-29T01:05:00Z"))
    let rules = try Self.rules(nil)
    let schedule = try Schedule.rule(rule)
    let trigger = try #require(try schedule.trigger(made: made, rules: Self.rules))
    let next = try #require(trigger.next(after: made.adding(seconds: -1), in: rules)).instant
    #expect(next.rfc3339(at: rules.offset(at: next)) == first)
    let again = try #require(try schedule.settled(as: trigger).trigger(made: made, rules: Self.rules))
    #expect(again.next(after: made.adding(seconds: -1), in: rules)?.instant == next)
  }

  /// Users who write 16 mean 16:00, and not 16:23:45, the time at which the rule was made, as RFC 5545 has it.
  @Test(arguments: [
    ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=7;BYMINUTE=30", "2026-11-23T07:30:00+01:00"),
    ("FREQ=DAILY;BYHOUR=16", "2026-11-20T16:00:00+01:00"), ("FREQ=DAILY;BYHOUR=11", "2026-11-21T11:00:00+01:00"),
    ("FREQ=HOURLY;BYMINUTE=50", "2026-11-20T11:50:00+01:00"),
    ("FREQ=DAILY;BYHOUR=16;BYSECOND=5", "2026-11-20T16:23:05+01:00"),
    ("FREQ=DAILY", "2026-11-21T11:23:45+01:00"), ("FREQ=MINUTELY;BYHOUR=12", "2026-11-20T12:00:00+01:00"),
  ])
  func `A rule without a start begins at the full hour and minute`(rule: String, first: String) throws {
    let made = try #require(Instant(rfc3339: "2026-11-20T10:23:45Z"))
    let schedule = try Schedule.rule(rule)
    let trigger = try #require(try schedule.trigger(made: made, rules: Self.rules))
    let next = try #require(trigger.next(after: made, in: try Self.rules(nil)))
    #expect(next.instant == Instant(rfc3339: first))
    // Read again from its settled form, it means the same.
    let settled = schedule.settled(as: trigger)
    let again = try #require(try settled.trigger(made: made, rules: Self.rules))
    #expect(again.next(after: made, in: try Self.rules(nil))?.instant == next.instant)
  }

  @Test func `Every fifteen minutes, six times, is one request`() throws {
    let found = try Self.dates(10) {
      $0.every = "15m"
      $0.count = 6
    }
    #expect(
      found == [
        "2026-11-20T11:15:00+01:00", "2026-11-20T11:30:00+01:00", "2026-11-20T11:45:00+01:00",
        "2026-11-20T12:00:00+01:00", "2026-11-20T12:15:00+01:00", "2026-11-20T12:30:00+01:00",
      ])
    let later = try Self.dates(10) {
      $0.every = "15m"
      $0.from = "18:00"
      $0.count = 2
    }
    #expect(later == ["2026-11-20T18:00:00+01:00", "2026-11-20T18:15:00+01:00"])
  }

  @Test func `An interval ignores clocks and daylight saving`() throws {
    let trigger = try #require(
      try Self.trigger {
        $0.every = "6h"
        $0.from = "2027-03-27T23:00:00Z"
      })
    let found = Array(trigger.occurrences(after: Self.made, in: try Self.rules(nil)).prefix(6)).map(\.instant.seconds)
    #expect(zip(found, found.dropFirst()).allSatisfy { $1 - $0 == 6 * 3600 })
    // Ten years off: one leap.
    let late = Self.made.adding(seconds: 315_360_000)
    #expect(trigger.next(after: late, in: .utc)?.instant.seconds.isMultiple(of: 3600) == true)
    #expect(trigger.count(after: Self.made, through: late, in: .utc) > 14_000)
  }

  @Test func `Bounds and counts limit the dates`() throws {
    #expect(
      try Self.dates(9) {
        $0.every = "07:30"
        $0.from = "2026-12-24"
        $0.until = "2026-12-26"
      } == ["2026-12-24T07:30:00+01:00", "2026-12-25T07:30:00+01:00", "2026-12-26T07:30:00+01:00"])
    #expect(
      try Self.dates(9) {
        $0.every = "hourly"
        $0.zone = "Europe/London"
        $0.from = "2027-10-31 00:30"
        $0.count = 3
      } == ["2027-10-31T01:00:00+01:00", "2027-10-31T01:00:00+00:00", "2027-10-31T02:00:00+00:00"])
    #expect(
      try Self.dates(9) {
        $0.rule = "RRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261122T110000"
        $0.zone = "Europe/Paris"
      } == ["2026-11-21T11:00:00+01:00", "2026-11-23T11:00:00+01:00"])
    #expect(
      try Self.dates(9) {
        $0.rule = "FREQ=DAILY;UNTIL=20261122T063000Z;BYHOUR=7;BYMINUTE=30"
      } == ["2026-11-21T07:30:00+01:00", "2026-11-22T07:30:00+01:00"])
    #expect(try Self.dates(9) { $0.match = ["weekday": 2, "hour": 7] } == ["2026-11-23T07:00:00+01:00"])
    #expect(
      try Self.dates(2) {
        $0.match = ["weekday": 2, "hour": 7]
        $0.repeats = true
      } == ["2026-11-23T07:00:00+01:00", "2026-11-30T07:00:00+01:00"])
    #expect(try Self.dates(9) { $0.delay = .seconds(90) } == ["2026-11-20T11:01:30+01:00"])
    #expect(try Self.dates(9) { $0.delay = .milliseconds(1500) } == ["2026-11-20T11:00:02+01:00"])
    #expect(
      try Self.dates(2) {
        $0.delay = .seconds(600)
        $0.repeats = true
      } == ["2026-11-20T11:10:00+01:00", "2026-11-20T11:20:00+01:00"])
    #expect(try Self.dates(9) { $0.at = "2027-03-28 02:30" } == ["2027-03-28T03:30:00+02:00"])
    #expect(try Self.dates(1) { $0.every = "Mon 07:30 Asia/Tokyo" } == ["2026-11-23T07:30:00+09:00"])
    #expect(try Self.trigger { _ in } == nil)
  }

  @Test func `The number of a date continues from the last date alone`() throws {
    let paris = try Self.rules(nil)
    let trigger = try #require(
      try Self.trigger {
        $0.every = "*:0/20"
        $0.count = 100_000
      })
    let first = try #require(trigger.next(after: Self.made, in: paris))
    #expect(first.number == 1)
    let late = Self.made.adding(seconds: 86_400 * 365)
    let next = try #require(trigger.next(after: late, in: paris, last: first))
    #expect(next.number == 365 * 72 + 1 && next == trigger.next(after: late, in: paris))
    let last = try #require(trigger.last(after: Self.made, through: .init(8_000_000_000), in: paris))
    #expect(last.number == 100_000)
    #expect(trigger.next(after: last.instant, in: paris) == nil)
    #expect(trigger.count(after: late, through: .init(8_000_000_000), in: paris) == 100_000 - 365 * 72)
  }

  @Test(arguments: [
    ("at", "yesterday 07:30"), ("at", "today 08:00"), ("at", "2026-11-20 10:58"), ("at", "3/4 07:30"), ("at", "7"),
    ("at", ""),
    ("every", "0s"), ("every", "250ms"), ("every", "1500ms"), ("every", "15x"), ("every", "*-02-30"),
    ("every", "2020-01-01"),
    ("every", "*:*:0/0.5"), ("rule", "FREQ=DAILY;UNTIL=20200101"), ("rule", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
  ])
  func `An invalid time is refused with its key`(key: String, text: String) throws {
    let error = try #require(
      #expect(throws: TriggerError.self) {
        try Self.trigger {
          switch key {
          case "at": $0.at = text
          case "every": $0.every = text
          default: $0.rule = text
          }
        }
      })
    #expect(error.key == key || error.code == .inThePast, "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test func `Keys that cannot be combined are refused`() {
    for fill: (inout ScheduleKeys) -> Void in [
      { ($0.at, $0.every) = ("07:30", "1h") }, { ($0.at, $0.count) = ("07:30", 2) },
      { ($0.delay, $0.until) = (.seconds(1), "tomorrow") }, { ($0.at, $0.repeats) = ("07:30", true) },
      { ($0.every, $0.repeats) = ("1h", false) }, { ($0.match, $0.count) = (["hour": 7], 2) }, { $0.count = 3 },
      { ($0.every, $0.count) = ("1h", 0) },
    ] {
      #expect(throws: RequestError.self) { try Self.trigger(fill) }
    }
    for fill: (inout ScheduleKeys) -> Void in [
      { ($0.every, $0.zone) = ("07:30 UTC", "Europe/Paris") }, { ($0.every, $0.until) = ("07:30", "2026-11-20 12:00") },
    ] {
      #expect(throws: TriggerError.self) { try Self.trigger(fill) }
    }
  }

  @Test func `A settled schedule means the same on another day and in another zone`() throws {
    let fills: [(inout ScheduleKeys) -> Void] = [
      { $0.at = "tomorrow 7:30" }, { $0.at = "in 10m" }, { $0.delay = .seconds(90) },
      { $0.at = "2026-12-01T07:30:00+09:00" },
      { $0.rule = "FREQ=DAILY;COUNT=5" }, { ($0.every, $0.until) = ("Mon 07:30", "24 dec") },
      { ($0.every, $0.count) = ("15m", 6) }, { ($0.delay, $0.repeats) = (.seconds(600), true) },
      { ($0.every, $0.count) = ("hourly", 30) }, { ($0.match, $0.repeats) = (["weekday": 2, "hour": 7], true) },
      { ($0.every, $0.from) = ("07:30", "next mon") }, { $0.match = ["hour": 7] },
    ]
    let paris = try Self.rules(nil)
    for fill in fills {
      var keys = ScheduleKeys()
      fill(&keys)
      let schedule = try keys.schedule()
      let trigger = try #require(try schedule.trigger(made: Self.made, rules: Self.rules))
      let settled = try schedule.settled(made: Self.made, rules: Self.rules)
      // Read again in Tokyo, as after a flight and a restart; then the zone is Paris again.
      let again = try #require(
        try settled.trigger(made: Self.made) { name throws(TriggerError) in try Self.rules(name ?? "Asia/Tokyo") })
      let dates = trigger.occurrences(after: Self.made, in: paris).prefix(40).map(\.instant)
      #expect(again.occurrences(after: Self.made, in: paris).prefix(40).map(\.instant) == Array(dates), "\(settled)")
      #expect(trigger.first(in: paris)?.instant == again.first(in: paris)?.instant)
      #expect(try settled.settled(made: Self.made, rules: Self.rules) == settled)
    }
  }

  // An edit of the time made it one of UTC.
  @Test(arguments: [
    ("2026-12-01T07:30:00+09:00", "2026-12-01T07:30:00+09:00"),
    ("2026-12-01 07:30 -05:30", "2026-12-01T07:30:00-05:30"),
    ("2026-12-01T07:30:00Z", "2026-12-01T07:30:00Z"), ("@1796110200", "2026-12-01T07:30:00Z"),
  ])
  func `A settled moment keeps the offset that it was given with`(at: String, settled: String) throws {
    var keys = ScheduleKeys()
    keys.at = at
    #expect(try keys.schedule().settled(made: Self.made, rules: Self.rules).dates == .at(settled))
  }

  /// RFC 5545: the start is the first date, and counted, if the rule agrees.
  @Test func `A rule without an hour begins now`() throws {
    let paris = try Self.rules(nil)
    let rule = try #require(try Self.trigger { $0.rule = "FREQ=MINUTELY;INTERVAL=15;COUNT=6" })
    #expect(rule.first(in: paris)?.instant == Self.made)
    #expect(rule.occurrences(after: Self.made, in: paris).map(\.instant).count == 5)
    let calendar = try #require(try Self.trigger { $0.every = "hourly" })
    #expect(calendar.first(in: paris)?.instant == Self.made.adding(seconds: 3600))
  }

  @Test func `A time up to a minute ago counts as now`() throws {
    let justBeen = try #require(try Self.trigger { $0.at = "2026-11-20T09:59:10Z" })
    #expect(justBeen.first(in: .utc)?.instant == Self.made.adding(seconds: -50))
    let error = #expect(throws: TriggerError.self) { try Self.trigger { $0.at = "2026-11-20T09:58:50Z" } }
    #expect(error?.code == .inThePast)
  }
}
