// SPDX-License-Identifier: Apache-2.0
import Testing

/// Tests the model's own calendar, which a wrong model would hide behind.
@Suite(.serialized) struct ModelTests {
  private static func instant(_ date: String, _ minute: Int64, _ zone: String) -> String {
    // The instant of midnight in UTC is the wall time of midnight.
    let midnight = CivilDay.instant("\(date)T00:00:00Z") ?? 0
    return CivilDay.rfc3339(LocalTime.zone(zone).instant(ofWall: midnight + minute * 60))
  }

  @Test func `A wall time that exists twice is the first, one that does not exist has the offset before`() {
    #expect(Self.instant("2025-10-26", 150, "Europe/Berlin") == "2025-10-26T00:30:00Z")
    #expect(Self.instant("2025-10-26", 180, "Europe/Berlin") == "2025-10-26T02:00:00Z")
    #expect(Self.instant("2025-03-30", 119, "Europe/Berlin") == "2025-03-30T00:59:00Z")
    #expect(Self.instant("2025-03-30", 150, "Europe/Berlin") == "2025-03-30T01:30:00Z")
    #expect(Self.instant("2025-03-30", 180, "Europe/Berlin") == "2025-03-30T01:00:00Z")
    // Half an hour.
    #expect(Self.instant("2025-10-05", 135, "Australia/Lord_Howe") == "2025-10-04T15:45:00Z")
    #expect(Self.instant("2025-04-06", 105, "Australia/Lord_Howe") == "2025-04-05T14:45:00Z")
  }

  @Test func `Days have their date, weekday and text`() {
    #expect(CivilDay(number: 0).text == "1970-01-01" && CivilDay(number: 0).weekday == 3)
    #expect(CivilDay(number: 20_512).text == "2026-02-28" && CivilDay(number: 20_513).text == "2026-03-01")
    #expect(CivilDay.instant("2028-02-29T12:00:00+01:00") == CivilDay.instant("2028-02-29T11:00:00Z"))
    #expect(CivilDay.instant("2028-02-29T11:00:00Z").map(CivilDay.rfc3339) == "2028-02-29T11:00:00Z")
  }

  @Test func `A pattern skips days that do not exist`() throws {
    let pattern = DatePattern(monthDays: [31], minutes: [9 * 60])
    let begin = try #require(CivilDay.instant("2026-01-31T09:00:00Z"))
    let next = try #require(pattern.next(afterWall: begin))
    #expect(CivilDay.rfc3339(next) == "2026-03-31T09:00:00Z")
    let weekly = DatePattern(weekdays: [0, 6], minutes: [60, 600])
    let dates = sequence(first: begin) { weekly.next(afterWall: $0) }.dropFirst().prefix(3).map(CivilDay.rfc3339)
    #expect(dates == ["2026-02-01T01:00:00Z", "2026-02-01T10:00:00Z", "2026-02-02T01:00:00Z"])
  }
}
