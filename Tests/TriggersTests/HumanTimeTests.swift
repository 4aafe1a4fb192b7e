// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests parsing and printing of times as people write them.
@Suite struct HumanTimeTests {
  /// A Friday, 11:00 in Paris.
  private static let now = Instant(rfc3339: "2026-11-20T10:00:00Z") ?? Instant(0)
  private static func paris() throws -> ZoneRules {
    try ZoneDatabase(folder: try FixedZones.folder).zone(named: "Europe/Paris").rules
  }

  @Test(arguments: [
    ("07:30", "2026-11-21 07:30:00"), ("7:30", "2026-11-21 07:30:00"), ("12:00", "2026-11-20 12:00:00"),
    ("7:30 pm", "2026-11-20 19:30:00"), ("7:30PM", "2026-11-20 19:30:00"), ("7pm", "2026-11-20 19:00:00"),
    ("7 pm", "2026-11-20 19:00:00"), ("12 am", "2026-11-21 00:00:00"), ("12 pm", "2026-11-20 12:00:00"),
    ("07:30:15", "2026-11-21 07:30:15"), ("2026-11-21 07:30", "2026-11-21 07:30:00"),
    ("2026-11-21T07:30", "2026-11-21 07:30:00"), ("2026-11-21T07:30:00+09:00", "2026-11-20T22:30:00Z"),
    ("2026-11-21 07:30Z", "2026-11-21T07:30:00Z"), ("2026-11-21 07:30 +01:00", "2026-11-21T06:30:00Z"),
    ("tomorrow 07:30", "2026-11-21 07:30:00"), ("tomorrow", "2026-11-21"), ("today 18:00", "2026-11-20 18:00:00"),
    ("tonight 8pm", "2026-11-20 20:00:00"), ("mon 07:30", "2026-11-23 07:30:00"), ("monday", "2026-11-23"),
    ("fri 12:00", "2026-11-20 12:00:00"), ("fri 09:00", "2026-11-27 09:00:00"), ("friday", "2026-11-27"),
    ("next fri 9:00", "2026-11-27 09:00:00"), ("next fri 12:00", "2026-11-27 12:00:00"),
    ("next mon 9:00", "2026-11-23 09:00:00"),
    ("on monday at 7:30", "2026-11-23 07:30:00"), ("7:30 on monday", "2026-11-23 07:30:00"),
    ("noon", "2026-11-20 12:00:00"), ("midnight", "2026-11-21 00:00:00"), ("tomorrow noon", "2026-11-21 12:00:00"),
    ("24 dec 18:00", "2026-12-24 18:00:00"), ("dec 24, 18:00", "2026-12-24 18:00:00"),
    ("24th of December", "2026-12-24"),
    ("1 jan", "2027-01-01"), ("20 nov 09:00", "2027-11-20 09:00:00"), ("20 nov 12:00", "2026-11-20 12:00:00"),
    ("29 feb", "2028-02-29"), ("24 december 2027 18:00", "2027-12-24 18:00:00"),
    ("24.12.2026 18:00", "2026-12-24 18:00:00"),
    ("24.12. 18:00", "2026-12-24 18:00:00"), ("Thu 24 Dec 2026 18:00", "2026-12-24 18:00:00"),
    ("in 10m", "in 10m"), ("10m", "in 10m"), ("in 1h 30m", "in 1h30m"), ("in 2 hours", "in 2h"),
    ("in an hour", "in 1h"),
    ("1 hour and 5 minutes", "in 1h5m"), ("in 2 weeks", "in 14d"), ("now", "in 0s"),
    ("@1795000000", "2026-11-18T11:06:40Z"),
    ("  TOMORROW   7:30  ", "2026-11-21 07:30:00"), ("2026-12-24", "2026-12-24"),
  ])
  func `Human times are parsed and printed exactly`(text: String, meaning: String) throws {
    let zone = try Self.paris()
    let time = try HumanTime.parse(text, now: Self.now, zone: zone)
    #expect(time.description == meaning)
    let again = try HumanTime.parse(time.description, now: Self.now, zone: zone)
    #expect(again == time)
    #expect(again.instant(now: Self.now, zone: zone) == time.instant(now: Self.now, zone: zone))
  }

  @Test(arguments: [
    "", "  ", "7", "3/4", "3/4/2026 07:30", "25:00", "7:60", "13 pm", "0 am", "yesterday", "next", "next 7:30",
    "next tuesday monday",
    "07:30 08:30", "tomorrow today", "30 feb", "31.4.", "mon 2026-11-21", "dec", "december 18:00", "today", "in",
    "in 10",
    "soon", "7:3", "2026-11-31", "24 dec 2026 2027", "１２:００", "07:30\u{0}", "-5m", "10 m ago",
  ])
  func `Ambiguous times are refused`(text: String) throws {
    let zone = try Self.paris()
    let error = #expect(throws: TriggerError.self) { try HumanTime.parse(text, now: Self.now, zone: zone) }
    #expect(error?.description.isEmpty == false)
  }

  @Test(arguments: [
    ("yesterday", "'yesterday' means a past date; for example 'tomorrow 07:30'"),
    ("last friday", "'last' means a past date (column 1); for example 'next fri 09:00'"),
    ("2026-02-30", "'2026-02-30' does not exist: 2026-02 has 28 days"),
    ("2028-02-30 07:30", "'2028-02-30' does not exist: 2028-02 has 29 days (column 1)"),
    ("2026-04-31T07:30", "'2026-04-31T07:30' does not exist: 2026-04 has 30 days"),
    ("mon 7.30", "'7.30' is not a time: write '7:30' (column 5)"),
    ("3/4", "'3/4' is ambiguous; write '3 april' or '4 march'"), ("4/4", "'4/4' is not a date; write '4 april'"),
    ("03/04/2035", "'03/04/2035' is ambiguous; write 2035-04-03 or 2035-03-04"),
    ("14/06/2035", "'14/06/2035' is not a date; write 2035-06-14"),
    ("6/14/35", "'6/14/35' is not a date; write 2035-06-14"),
    ("2035/6/14", "'2035/6/14' is not a date; write 2035-06-14"),
    ("14/14/2035", "'14/14/2035' is not a date; for example '2026-11-21'"),
    ("7:30 Europe/Paris", "'Europe/Paris' is not a date or time (column 6); give a time zone by 'zone: Europe/Paris'"),
    ("tomorow 7:30", "'tomorow' is not a date or time (column 1); did you mean 'tomorrow'?"),
    ("Tues 7:30", "'Tues' is not a date or time (column 1); did you mean 'Tue'?"),
    ("mo 7:30", "'mo' is not a date or time (column 1); did you mean 'Mon'?"),
    ("7:3", "'7:3' is not a date or time; write '07:03' or '07:30'"),
    ("1.5h", "'1.5h' is not a date or time; write '1h30m'"),
    ("24:00", "'24:00' is not a time: the hour must be 0 to 23"),
    ("7:60", "'7:60' is not a time: the minute must be 0 to 59"), ("13pm", "'13pm' is not a time: write '13:00'"),
    ("13:05pm", "'13:05pm' is not a time: write '13:05'"), ("0am", "'0am' is not a time: the hour must be 1 to 12"),
    ("tomorrow 25:00", "'25:00' is not a time: the hour must be 0 to 23 (column 10)"),
    ("7:30:61", "'7:30:61' is not a time: the second must be 0 to 59"),
    ("2027-13-01", "'2027-13-01' does not exist: there is no month 13"),
    (
      "12.24.2027",
      "'12.24.2027' does not exist: there is no month 24; write 2027-12-24: the day comes before the month"
    ),
    ("12.24.", "'12.24.' does not exist: there is no month 24; write '24 december': the day comes before the month"),
    ("8:00 13.13.2027", "'13.13.2027' does not exist: there is no month 13 (column 6)"),
    ("1.0.2027", "'1.0.2027' does not exist: there is no month 0"),
    ("tomorrow 2.60.", "'2.60.' does not exist: there is no month 60 (column 10)"),
    ("2027-13-01T07:30", "'2027-13-01T07:30' does not exist: there is no month 13"),
    ("31 feb 10:00", "'31 feb 10:00' does not exist: february has 29 days; for example '24 dec 18:00'"),
    ("30 feb 2027", "'30 feb 2027' does not exist: february 2027 has 28 days; for example '24 dec 18:00'"),
    ("in ten minutes", "'in ten minutes' needs digits; write 'in 10m'"),
    ("in 5", "'in 5' needs a unit; write 'in 5m'"),
    ("now + 5 minutes", "'now + 5 minutes' is not a time; write 'in 5m'"),
    ("now+5m", "'now+5m' is not a time; write 'in 5m'"), ("+2h", "'+2h' is not a time; write 'in 2h'"),
    ("5 minutes from now", "'5 minutes from now' is not a time; write 'in 5m'"),
    ("an hour later", "'an hour later' is not a time; write 'in 1h'"),
    ("2035-01-04 09:00 +1", "'+1' is not an offset from UTC; write '2035-01-04 09:00 +01:00'"),
    ("2035-01-04 09:00 -0530", "'-0530' is not an offset from UTC; write '2035-01-04 09:00 -05:30'"),
    ("2035-01-04 9:00 GMT+1", "'GMT+1' is not an offset from UTC; write '2035-01-04 09:00 +01:00'"),
    ("2035-01-04 09:00 UTC +1", "'UTC +1' is not an offset from UTC; write '2035-01-04 09:00 +01:00'"),
    ("2035-01-04T09:00:30+0100", "'+0100' is not an offset from UTC; write '2035-01-04T09:00:30+01:00'"),
    ("within 5 minutes", "'within 5 minutes' is not a time; write 'in 5m'"),
    (
      "in 2 months",
      "'in 2 months' is no duration: months and years differ in length; write a date such as '24 dec 09:00'"
    ),
    ("24/12 18:00", "'24/12' is not a date; write '24 december 18:00'"),
    ("3/4 18:00", "'3/4' is ambiguous; write '3 april 18:00' or '4 march 18:00'"),
    ("24/12/2035 at 18:00", "'24/12/2035' is not a date; write '2035-12-24 at 18:00'"),
    ("in half hours", "'in' is not a date or time (column 1); for example 'tomorrow 07:30'"),
    ("half past seven", "'half past seven' is not a time; write '07:30' or '19:30'"),
    ("tomorrow at quarter to 8", "'quarter to 8' is not a time; write '07:45' or '19:45'"),
    ("ten minutes past twelve", "'ten minutes past twelve' is not a time; write '00:10' or '12:10'"),
    ("next month", "'next month' names no day; write a date such as '24 dec 09:00'"),
    ("soon", "'soon' is not a date or time; for example 'tomorrow 07:30'"),
    ("tomorrow soon", "'soon' is not a date or time (column 10); for example 'tomorrow 07:30'"),
  ])
  func `A refusal shows the right form, and the column only where there are several`(text: String, line: String) throws
  {
    let zone = try Self.paris()
    let error = #expect(throws: TriggerError.self) { try HumanTime.parse(text, now: Self.now, zone: zone) }
    #expect(error?.description == line)
  }

  @Test func `A time is printed in full`() throws {
    let zone = try Self.paris()
    let time = try HumanTime.parse("mon 7:30", now: Self.now, zone: zone)
    #expect(time.text(now: Self.now, zone: zone) == "Monday 2026-11-23 07:30:00 +01:00")
    // In the gap of March the clocks will show another time.
    let gap = try HumanTime.parse("28 mar 2027 02:30", now: Self.now, zone: zone)
    #expect(gap.text(now: Self.now, zone: zone) == "Sunday 2027-03-28 03:30:00 +02:00")
  }
}
