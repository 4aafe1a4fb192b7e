// SPDX-License-Identifier: Apache-2.0
import Testing
import Triggers
import Zoneinfo

/// Every example of [RFC 5545, 3.8.5.3](https://www.rfc-editor.org/rfc/rfc5545#section-3.8.5.3), with its dates; all in
/// the wall clock's time of America/New_York, from 1997-09-02 09:00 where nothing else is said.
@Suite struct ExampleTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var rule: String
    var start = "1997-09-02T09:00"
    /// `9/2` are days of the year before it, `@9:20` times of one day; `…` says that there are more.
    var dates: String
    var except = ""
    var testDescription: String { rule }
  }

  static let examples: [Example] = [
    Example(rule: "FREQ=DAILY;COUNT=10", dates: "1997: 9/2-11"),
    Example(rule: "FREQ=DAILY;UNTIL=19971224T000000Z", dates: "1997: 9/2-30 10/1-31 11/1-30 12/1-23"),
    Example(rule: "FREQ=DAILY;INTERVAL=2", dates: "1997: 9/2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 10/2,4,6 …"),
    Example(rule: "FREQ=DAILY;INTERVAL=10;COUNT=5", dates: "1997: 9/2,12,22 10/2,12"),
    Example(
      rule: "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", start: "1998-01-01T09:00",
      dates: "1998: 1/1-31 1999: 1/1-31 2000: 1/1-31"),
    Example(
      rule: "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", start: "1998-01-01T09:00",
      dates: "1998: 1/1-31 1999: 1/1-31 2000: 1/1-31"),
    Example(rule: "FREQ=WEEKLY;COUNT=10", dates: "1997: 9/2,9,16,23,30 10/7,14,21,28 11/4"),
    Example(
      rule: "FREQ=WEEKLY;UNTIL=19971224T000000Z",
      dates: "1997: 9/2,9,16,23,30 10/7,14,21,28 11/4,11,18,25 12/2,9,16,23"),
    Example(
      rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
      dates: "1997: 9/2,16,30 10/14,28 11/11,25 12/9,23 1998: 1/6,20 2/3,17 …"),
    Example(
      rule: "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
      dates: "1997: 9/2,4,9,11,16,18,23,25,30 10/2"),
    Example(rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", dates: "1997: 9/2,4,9,11,16,18,23,25,30 10/2"),
    Example(
      rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", start: "1997-09-01T09:00",
      dates: "1997: 9/1,3,5,15,17,19,29 10/1,3,13,15,17,27,29,31 11/10,12,14,24,26,28 12/8,10,12,22"),
    Example(
      rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", dates: "1997: 9/2,4,16,18,30 10/2,14,16"),
    Example(
      rule: "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", start: "1997-09-05T09:00",
      dates: "1997: 9/5 10/3 11/7 12/5 1998: 1/2 2/6 3/6 4/3 5/1 6/5"),
    Example(
      rule: "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", start: "1997-09-05T09:00",
      dates: "1997: 9/5 10/3 11/7 12/5"),
    Example(
      rule: "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", start: "1997-09-07T09:00",
      dates: "1997: 9/7,28 11/2,30 1998: 1/4,25 3/1,29 5/3,31"),
    Example(
      rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", start: "1997-09-22T09:00",
      dates: "1997: 9/22 10/20 11/17 12/22 1998: 1/19 2/16"),
    Example(
      rule: "FREQ=MONTHLY;BYMONTHDAY=-3", start: "1997-09-28T09:00",
      dates: "1997: 9/28 10/29 11/28 12/29 1998: 1/29 2/26 …"),
    Example(
      rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
      dates: "1997: 9/2,15 10/2,15 11/2,15 12/2,15 1998: 1/2,15"),
    Example(
      rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", start: "1997-09-30T09:00",
      dates: "1997: 9/30 10/1,31 11/1,30 12/1,31 1998: 1/1,31 2/1"),
    Example(
      rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", start: "1997-09-10T09:00",
      dates: "1997: 9/10-15 1999: 3/10-13"),
    Example(
      rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
      dates: "1997: 9/2,9,16,23,30 11/4,11,18,25 1998: 1/6,13,20,27 3/3,10,17,24,31 …"),
    Example(
      rule: "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", start: "1997-06-10T09:00",
      dates: "1997: 6/10 7/10 1998: 6/10 7/10 1999: 6/10 7/10 2000: 6/10 7/10 2001: 6/10 7/10"),
    Example(
      rule: "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", start: "1997-03-10T09:00",
      dates: "1997: 3/10 1999: 1/10 2/10 3/10 2001: 1/10 2/10 3/10 2003: 1/10 2/10 3/10"),
    Example(
      rule: "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", start: "1997-01-01T09:00",
      dates: "1997: 1/1 4/10 7/19 2000: 1/1 4/9 7/18 2003: 1/1 4/10 7/19 2006: 1/1"),
    Example(
      rule: "FREQ=YEARLY;BYDAY=20MO", start: "1997-05-19T09:00", dates: "1997: 5/19 1998: 5/18 1999: 5/17 …"),
    Example(
      rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", start: "1997-05-12T09:00", dates: "1997: 5/12 1998: 5/11 1999: 5/17 …"),
    Example(
      rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", start: "1997-03-13T09:00",
      dates: "1997: 3/13,20,27 1998: 3/5,12,19,26 1999: 3/4,11,18,25 …"),
    Example(
      rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", start: "1997-06-05T09:00",
      dates:
        "1997: 6/5,12,19,26 7/3,10,17,24,31 8/7,14,21,28 1998: 6/4,11,18,25 7/2,9,16,23,30 8/6,13,20,27 1999: 6/3,10,17,24 7/1,8,15,22,29 8/5,12,19,26 …"
    ),
    Example(
      rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", dates: "1998: 2/13 3/13 11/13 1999: 8/13 2000: 10/13 …",
      except: "EXDATE;TZID=America/New_York:19970902T090000"),
    Example(
      rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", start: "1997-09-13T09:00",
      dates: "1997: 9/13 10/11 11/8 12/13 1998: 1/10 2/7 3/7 4/11 5/9 6/13 …"),
    Example(
      rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", start: "1996-11-05T09:00",
      dates: "1996: 11/5 2000: 11/7 2004: 11/2 …"),
    Example(
      rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", start: "1997-09-04T09:00", dates: "1997: 9/4 10/7 11/6"),
    Example(
      rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", start: "1997-09-29T09:00",
      dates: "1997: 9/29 10/30 11/27 12/30 1998: 1/29 2/26 3/30 …"),
    // Erratum 3883: the end is at 17:00 of New York, 21:00Z.
    Example(rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", dates: "1997: 9/2 @9:00,12:00,15:00"),
    Example(
      rule: "FREQ=MINUTELY;INTERVAL=15;COUNT=6", dates: "1997: 9/2 @9:00,9:15,9:30,9:45,10:00,10:15"),
    Example(rule: "FREQ=MINUTELY;INTERVAL=90;COUNT=4", dates: "1997: 9/2 @9:00,10:30,12:00,13:30"),
    Example(
      rule: "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
      dates:
        "1997: 9/2 @9:00,9:20,9:40,10:00,10:20,10:40,11:00,11:20,11:40,12:00,12:20,12:40,13:00,13:20,13:40,14:00,14:20,14:40,15:00,15:20,15:40,16:00,16:20,16:40 9/3 @9:00,9:20 …"
    ),
    Example(
      rule: "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
      dates:
        "1997: 9/2 @9:00,9:20,9:40,10:00,10:20,10:40,11:00,11:20,11:40,12:00,12:20,12:40,13:00,13:20,13:40,14:00,14:20,14:40,15:00,15:20,15:40,16:00,16:20,16:40 9/3 @9:00,9:20 …"
    ),
    Example(
      rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", start: "1997-08-05T09:00",
      dates: "1997: 8/5,10,19,24"),
    Example(
      rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", start: "1997-08-05T09:00",
      dates: "1997: 8/5,17,19,31"),
    Example(
      rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", start: "2007-01-15T09:00",
      dates: "2007: 1/15,30 2/15 3/15,30"),
  ]

  /// `1997: 9/2,4-6 10/1 @9:00,12:00 …` as dates and times.
  private static func expand(_ text: String) -> [String] {
    var dates: [String] = []
    var year = ""
    func two(_ text: some StringProtocol) -> String { text.count == 1 ? "0\(text)" : String(text) }
    for word in text.split(separator: " ") {
      if word.last == ":" {
        year = String(word.dropLast())
      } else if word.first == "@" {
        let day = dates.removeLast().prefix(10)
        dates += word.dropFirst().split(separator: ",").map { time in
          let parts = time.split(separator: ":")
          return "\(day)T\(two(parts[0])):\(parts[1]):00"
        }
      } else if word != "…" {
        let parts = word.split(separator: "/")
        for days in parts[1].split(separator: ",") {
          let ends = days.split(separator: "-").compactMap { Int($0) }
          dates += (ends[0]...ends[ends.count - 1]).map { "\(year)-\(two(parts[0]))-\(two(String($0)))T09:00:00" }
        }
      }
    }
    return dates
  }

  @Test(arguments: examples) func `The examples of the standard have their dates`(example: Example) throws {
    let rules = try ZoneDatabase.system.zone(named: "America/New_York").rules
    let start = wall(example.start)
    let recurrence = try Recurrence(
      try RecurrenceRule.parse("RRULE:" + example.rule), from: start,
      except: example.except.isEmpty ? ExceptionDates() : try ExceptionDates.parse(example.except))
    let trigger = try Trigger(.rule(recurrence), zone: "America/New_York", made: rules.resolve(start))
    let expected = Self.expand(example.dates)
    let goesOn = example.dates.contains("…")
    let found = trigger.occurrences(after: Instant(0), in: rules).prefix(expected.count + 1).compactMap(
      \.wall?.description)
    #expect(Array(found.prefix(expected.count)) == expected)
    #expect(found.count == expected.count + (goesOn ? 1 : 0))
  }

  @Test func `All examples of the standard are tested`() {
    let dates = Self.examples.map { Self.expand($0.dates).count }.reduce(0, +)
    print("rules: \(Self.examples.count) examples of RFC 5545, 3.8.5.3, with \(dates) dates")
    #expect(Self.examples.count >= 40)
  }

  @Test(arguments: [
    ("FREQ=FORTNIGHTLY", "FREQ must be one of"), ("INTERVAL=2", "FREQ= is missing"),
    ("FREQ=DAILY;INTERVAL=0", "INTERVAL must"),
    ("FREQ=DAILY;COUNT=3;UNTIL=20261224", "cannot be combined"), ("FREQ=DAILY;FREQ=DAILY", "duplicate FREQ"),
    ("FREQ=WEEKLY;BYDAY=1MO", "MONTHLY or YEARLY"), ("FREQ=WEEKLY;BYMONTHDAY=1", "combined with FREQ=WEEKLY"),
    ("FREQ=MONTHLY;BYWEEKNO=1", "requires FREQ=YEARLY"), ("FREQ=MONTHLY;BYYEARDAY=1", "cannot be combined"),
    ("FREQ=DAILY;BYSETPOS=1", "another BY"), ("FREQ=DAILY;BYHOUR=24", "0 to 23"),
    ("FREQ=DAILY;BYMONTHDAY=0", "1 to 31"),
    ("FREQ=DAILY;BYDAY=XX", "BYDAY takes"), ("FREQ=DAILY;X-THING=1", "parts are"),
    ("FREQ=DAILY;THING=1", "unknown part"),
    ("FREQ=DAILY;UNTIL=2026-12-24", "UNTIL must"), ("FREQ=DAILY;UNTIL=20260230", "UNTIL must"),
    ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO", "combined with BYWEEKNO"), ("", "parts are"),
  ])
  func `An invalid rule is refused with the reason`(rule: String, reason: String) {
    let error = #expect(throws: TriggerError.self) { try RecurrenceRule.parse(rule) }
    #expect(error?.problem.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
    "FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1;BYDAY=MO", "FREQ=HOURLY;INTERVAL=2;BYHOUR=3",
    "FREQ=SECONDLY;INTERVAL=60;BYSECOND=7",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYHOUR=1;BYSETPOS=2", "FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29",
  ])
  func `A rule without dates is refused at once`(rule: String) throws {
    let start = wall("2026-11-21T10:00:00")
    let parsed = try RecurrenceRule.parse(rule)
    var error: TriggerError?
    let time = ContinuousClock().measure {
      error = #expect(throws: TriggerError.self) { try Recurrence(parsed, from: start) }
    }
    #expect(error?.code == .impossible)
    #expect(time < .seconds(2), "\(rule): \(time)")
  }

  @Test func `Known differences from dateutil are as documented`() throws {
    func dates(_ rule: String, _ start: String, _ count: Int) throws -> [String] {
      let recurrence = try Recurrence(try RecurrenceRule.parse(rule), from: wall(start))
      return Array(recurrence.dates(from: wall(start)).prefix(count)).map { String($0.description.prefix(16)) }
    }
    #expect(
      try dates("FREQ=YEARLY;BYWEEKNO=20", "2026-05-13T08:00", 3)
        == ["2026-05-13T08:00", "2027-05-19T08:00", "2028-05-17T08:00"])
    #expect(
      try dates("FREQ=MONTHLY;BYDAY=2MO,MO", "2026-11-01T08:00", 3)
        == ["2026-11-02T08:00", "2026-11-09T08:00", "2026-11-16T08:00"])
    #expect(try dates("FREQ=DAILY;UNTIL=20261103", "2026-11-01T08:00", 9).count == 3)
    #expect(try dates("FREQ=DAILY;BYSECOND=60", "2026-11-01T08:00", 1) == ["2026-11-01T08:00"])
    // The whole week contains Monday and Wednesday, and its first date has passed.
    #expect(
      try dates("FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=1", "2026-11-03T08:00", 2) == [
        "2026-11-09T08:00", "2026-11-16T08:00",
      ])
  }

  @Test func `Excluded dates count towards COUNT`() throws {
    let start = wall("2026-11-01T08:00:00")
    let recurrence = try Recurrence(
      try RecurrenceRule.parse("FREQ=DAILY;COUNT=5"), from: start,
      except: try ExceptionDates.parse("20261102T080000,20261104,20270101"))
    #expect(recurrence.dates(from: start).map(\.date.day) == [1, 3, 5])
    #expect(recurrence.count(from: start, before: .last) == 3)
    #expect(recurrence.date(5) == wall("2026-11-05T08:00:00"))
    #expect(recurrence.date(6) == nil)
  }
}
