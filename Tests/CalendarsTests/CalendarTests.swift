// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Triggers
import Zoneinfo

@testable import Calendars

/// Tests parsing of calendar lines and their values.
@Suite struct CalendarTests {
  private static func calendars(_ text: String) throws -> [CalendarComponent] {
    try CalendarComponent.calendars(Array(text.utf8))
  }

  @Test func `Lines are unfolded even inside a character and keep their line numbers`() throws {
    var bytes = Array("\u{FEFF}BEGIN:VCALENDAR\r\nBEGIN:vevent\nSUMMARY;X=\"a:b;c\";Y=d:Tee mit \r\n".utf8)
    bytes += [0x20, 0xC3, 0x0D, 0x0A, 0x09, 0xBC] + Array("ber\r\n\r\nUID:x\r\nEND:VEVENT\r\nEND:VCALENDAR".utf8)
    let calendar = try #require(try CalendarComponent.calendars(bytes).first)
    let event = try #require(calendar.children("VEVENT").first)
    let summary = try #require(event.line("SUMMARY"))
    #expect(summary.value == "Tee mit über" && summary.parameters == ["X": "a:b;c", "Y": "d"] && summary.number == 3)
    #expect(summary.valueColumn == 23 && event.line("UID")?.number == 7)
    #expect(CalendarComponent.recognizes(bytes) && !CalendarComponent.recognizes(Array("{}".utf8)))
  }

  @Test(arguments: [
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", 2, "the file ends before END:VEVENT (its BEGIN is in line 2)"),
    (
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VTODO\n", 3,
      "END:VTODO has no BEGIN:VTODO before it; the BEGIN:VEVENT in line 2 has no END yet"
    ),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n", 3, "the BEGIN:VEVENT in line 2 has no END"),
    ("END:VCALENDAR\n", 1, "END:VCALENDAR has no BEGIN:VCALENDAR before it"),
    ("BEGIN:VEVENT\nEND:VEVENT\n", 1, "BEGIN:VCALENDAR is expected here"),
    ("BEGIN:VCALENDAR\nEND:VCALENDAR\nUID:x\n", 3, "BEGIN:VCALENDAR is expected here"),
    ("BEGIN:VCALENDAR\nnonsense\n", 2, "NAME:VALUE is expected here"),
    ("BEGIN:VCALENDAR\nA;B:c\n", 2, "NAME:VALUE is expected here"),
    ("BEGIN:VCALENDAR\nA;B=\"c:d\n", 2, "NAME:VALUE is expected here"), (" \n \n", 1, "NAME:VALUE is expected here"),
    ("BEGIN:VCALENDAR\nA:\0\n", 2, "is not UTF-8 text"),
    (String(repeating: "BEGIN:VCALENDAR\n", count: 20), 9, "nested deeper than 8 levels"),
  ])
  func `A syntax error names its line`(text: String, line: Int, problem: String) {
    let error = #expect(throws: CalendarError.self) { try Self.calendars(text) }
    #expect(error?.line == line && error?.problem == problem, "\(String(describing: error))")
  }

  // Not an argument of the test above: those are printed with its results.
  @Test func `A line that is folded too often is named`() {
    let text = "BEGIN:VCALENDAR\nA:" + String(repeating: "x\n ", count: 1_100_000)
    let error = #expect(throws: CalendarError.self) { try Self.calendars(text) }
    #expect(error?.line == 2 && error?.problem == "longer than 1048576 bytes", "\(String(describing: error))")
  }

  @Test(
    arguments: [
      ("20261124", "2026-11-24 00:00:00", nil), ("20261124T073000", "2026-11-24 07:30:00", "Europe/Paris"),
      ("20261124T073000Z", "2026-11-24 07:30:00", "UTC"), ("20261124T235960", "2026-11-24 23:59:59", "Europe/Paris"),
    ] as [(String, String, String?)])
  func `Dates are read`(text: String, wall: String, zone: String?) throws {
    let time = try #require(CalendarTime(text, zone: "Europe/Paris"))
    #expect(CalendarTime.words(time.wall) == wall && time.zone == zone && time.isDate == (text.count == 8))
  }

  @Test(arguments: [
    "", "2026112", "20261324", "20260229", "20261124T", "20261124T2530", "20261124T253000", "20261124T073000X",
  ])
  func `Invalid dates are rejected`(text: String) { #expect(CalendarTime(text, zone: nil) == nil) }

  @Test(arguments: [
    ("-PT15M", 0, -900), ("P1DT2H", 1, 7200), ("-P300S", 0, -300), ("-PT1D", -1, 0), ("PT0S", 0, 0), ("-P2W", -14, 0),
    ("+PT1H30M5S", 0, 5405),
  ])
  func `Durations are read`(text: String, days: Int, seconds: Int) {
    #expect(CalendarDuration(text) == CalendarDuration(days: days, seconds: seconds))
  }

  @Test(arguments: [
    "", "P", "PT", "-PT", "P1DT", "15M", "PT15", "-PT15", "foo", "-15M", "P15M", "P99999999999999999999D",
    "PTT1S", "P-1D",
  ])
  func `Invalid durations are rejected`(text: String) { #expect(CalendarDuration(text) == nil) }

  // The sum was checked at the end only, and ended the process that read the calendar: 60 KB of weeks were enough.
  @Test(arguments: [("P", "3155760000W"), ("PT", "3155760000H"), ("P", "3155760000D"), ("-PT", "3155760000S")])
  func `A duration of thousands of long parts is rejected`(start: String, part: String) {
    #expect(CalendarDuration(start + String(repeating: part, count: 10_000)) == nil)
  }

  @Test func `A zone is found by its id, by the end of the id, or by its location`() throws {
    let calendar = try #require(
      try Self.calendars(
        """
        BEGIN:VCALENDAR
        BEGIN:VTIMEZONE
        TZID:My Zone
        X-LIC-LOCATION:Europe/Berlin
        END:VTIMEZONE
        END:VCALENDAR
        """
      ).first)
    let zones = CalendarZones(calendar)
    #expect(zones.name(of: "Europe/Paris") == "Europe/Paris" && zones.name(of: "My Zone") == "Europe/Berlin")
    #expect(zones.name(of: "/citadel.org/20260101_1/America/Argentina/Ushuaia") == "America/Argentina/Ushuaia")
    #expect(zones.name(of: "W. Europe Standard Time") == nil && zones.name(of: "../../etc/passwd") == nil)
  }

  // Each unknown name was compared with those of all zones, to suggest one in an error that was never shown.
  @Test func `A thousand zones that do not exist are looked up quickly`() throws {
    let zones = CalendarZones(try #require(try Self.calendars("BEGIN:VCALENDAR\nEND:VCALENDAR").first))
    let time = ContinuousClock().measure {
      for number in 0..<1000 { #expect(zones.name(of: "/example.org/Planet\(number)/Colony") == nil) }
    }
    #expect(time < .seconds(2))
  }
}
