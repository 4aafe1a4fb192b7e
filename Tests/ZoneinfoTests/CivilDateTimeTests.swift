// SPDX-License-Identifier: Apache-2.0
import Testing
import Zoneinfo

/// Tests times of day, and dates with times.
@Suite struct CivilDateTimeTests {
  @Test(arguments: [(24, 0, 0), (-1, 0, 0), (0, 60, 0), (0, 0, 60), (Int.max, 0, 0), (0, Int.min, Int.max)])
  func `An invalid time cannot be made`(hour: Int, minute: Int, second: Int) {
    #expect(CivilTime(hour: hour, minute: minute, second: second) == nil)
  }

  @Test func `Every second of a day exists and is in order`() {
    var last: CivilTime?
    for second in stride(from: 0, to: 86_400, by: 7) {
      let time = CivilTime(secondOfDay: second)
      #expect(time?.secondOfDay == second)
      if let last, let time { #expect(last < time) }
      last = time
    }
    #expect(CivilTime(secondOfDay: 86_400) == nil)
    #expect(CivilTime(secondOfDay: -1) == nil)
  }

  @Test func `Formatted text is parsed back`() {
    #expect(CivilTime("07:30")?.description == "07:30:00")
    #expect(CivilTime("23:59:59")?.description == "23:59:59")
    for text in ["7:30", "07:30:", "07:30:0", "24:00", "07:60", "07:30:60", "0730", "07:30 ", ""] {
      #expect(CivilTime(text) == nil, "\(text)")
    }
    #expect(CivilDateTime("2026-11-21 07:30")?.description == "2026-11-21T07:30:00")
    for text in ["2026-11-21", "2026-11-21T", "2026-11-21T07:30Z", "2026-11-21  07:30"] {
      #expect(CivilDateTime(text) == nil, "\(text)")
    }
  }

  @Test func `Adding seconds carries into the date`() throws {
    let eve = try #require(CivilDateTime("2026-12-31T23:59:59"))
    #expect(eve.adding(seconds: 1)?.description == "2027-01-01T00:00:00")
    #expect(eve.adding(seconds: -86_400)?.description == "2026-12-30T23:59:59")
    for seconds in [Int.min, Int.min + 1, Int.max, Int.max - 86_400, 400_000_000_000] {
      #expect(eve.adding(seconds: seconds) == nil)
    }
    #expect(CivilDateTime.first.adding(seconds: -1) == nil)
    #expect(CivilDateTime.last.adding(seconds: 1) == nil)
    #expect(CivilDateTime.first < eve && eve < .last)
    #expect(try #require(CivilDateTime("2026-12-31T23:59:58")) < eve)
  }
}
