// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Triggers
import Zoneinfo

@testable import Calendars

/// Tests rules shifted by an alarm's offset against dateutil, which expands the event's own rule and shifts each date.
@Suite(.timeLimit(.minutes(2))) struct ShiftedRuleTests {
  static let rules: [(String, String)] = [
    ("FREQ=DAILY", "20260301T000500"), ("FREQ=DAILY;INTERVAL=3;COUNT=20", "20260301T090000"),
    ("FREQ=DAILY;BYDAY=MO,WE,FR", "20260302T001000"), ("FREQ=WEEKLY", "20260304T003000"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,TH", "20260302T073000"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=MO", "20260302T001500"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE;WKST=SU;COUNT=12", "20260301T001500"),
    ("FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SA;UNTIL=20260601T000000", "20260303T120000"),
    ("FREQ=MONTHLY", "20260301T090000"),
    ("FREQ=MONTHLY;INTERVAL=2", "20260301T001000"), ("FREQ=MONTHLY;BYMONTHDAY=1,15", "20260301T001000"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "20260331T080000"), ("FREQ=MONTHLY;BYMONTHDAY=-3,-10", "20260328T001000"),
    ("FREQ=MONTHLY;BYDAY=2TU", "20260310T001000"), ("FREQ=MONTHLY;BYDAY=-1FR", "20260327T170000"),
    ("FREQ=MONTHLY;BYDAY=1MO", "20260302T090000"), ("FREQ=YEARLY", "20260615T090000"),
    ("FREQ=YEARLY", "20260101T000000"),
    ("FREQ=YEARLY", "20240229T090000"), ("FREQ=YEARLY", "20260301T001000"),
    ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "20261224T180000"),
    ("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "20260329T020000"),
    ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0;BYSECOND=0", "20260301T090000"),
    ("FREQ=DAILY;BYHOUR=7;BYMINUTE=30;BYSECOND=0", "20260301T073000"),
    ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=0;BYMINUTE=5;BYSECOND=0", "20260302T000500"),
    ("FREQ=HOURLY;INTERVAL=5", "20260301T003000"),
    ("FREQ=MINUTELY;INTERVAL=45;COUNT=10", "20260301T000000"), ("FREQ=MONTHLY;BYMONTHDAY=31", "20260331T001000"),
    ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "20260331T001000"), ("FREQ=DAILY;BYMONTH=3", "20260301T001000"),
    ("FREQ=YEARLY;BYDAY=MO;BYWEEKNO=20", "20260511T090000"), ("FREQ=MONTHLY;BYDAY=5SA", "20260530T090000"),
  ]
  static let offsets = [0, -600, -36_000, -54_000, -86_400, -87_300, -172_800, 3600, 86_400, 259_200]

  private struct Case: Codable { let rule, start: String, offset: Int }

  // A sum or a product that overflows ends the process.
  @Test(arguments: [
    "FREQ=DAILY;BYHOUR=9223372036854775807;BYMINUTE=0;BYSECOND=0", "FREQ=DAILY;BYHOUR=-9223372036854775808",
    "FREQ=DAILY;BYHOUR=1;BYMINUTE=9223372036854775807", "FREQ=MONTHLY;BYMONTHDAY=9223372036854775807",
    "FREQ=MONTHLY;BYMONTHDAY=-9223372036854775808", "FREQ=DAILY;BYHOUR=9,9223372036854775807",
  ])
  func `A rule with numbers that no rule has is rejected`(rule: String) throws {
    let start = try #require(CivilDateTime("2026-03-01T09:00:00"))
    #expect(throws: ShiftedRule.Unsupported.self) {
      try ShiftedRule(rule, from: start, by: -86_400, until: nil)
    }
  }

  @Test func `Every date is shifted equally, or the rule is rejected`() throws {
    let cases = Self.rules.flatMap { rule, start in
      Self.offsets.map { Case(rule: rule, start: start, offset: $0) }
    }
    let script = """
      import datetime, itertools, json, sys
      from dateutil.rrule import rrulestr
      def dates(c):
        start = datetime.datetime.strptime(c['start'], '%Y%m%dT%H%M%S')
        rule = rrulestr(c['rule'], dtstart=start)
        return [(d + datetime.timedelta(seconds=c['offset'])).strftime('%Y%m%dT%H%M%S') for d in itertools.islice(rule, 40)]
      print(json.dumps([dates(c) for c in json.load(sys.stdin)]))
      """
    let python =
      FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dateutil") ? "/usr/bin/python3" : "python3"
    let result = try RunningProgram.run(
      python, ["-c", script], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
      input: String(decoding: try JSONEncoder().encode(cases), as: UTF8.self))
    #expect(result.status == 0, "\(result.errors)")
    let expected = try JSONDecoder().decode([[String]].self, from: Data(result.output.utf8))
    var said = 0
    for (one, expected) in zip(cases, expected) {
      let start = try #require(CalendarTime(one.start, zone: nil)).wall
      let parsed = try RecurrenceRule.parse(one.rule)
      let until: String? =
        if case .wall(let wall)? = parsed.until {
          CalendarTime.text(try #require(wall.adding(seconds: one.offset)))
        } else { nil }
      guard let shifted = try? ShiftedRule(one.rule, from: start, by: one.offset, until: until) else {
        #expect(one.offset != 0)
        continue
      }
      said += 1
      let from = try #require(start.adding(seconds: one.offset))
      let recurrence = try Recurrence(RecurrenceRule.parse(shifted.text), from: from)
      let dates = (1...expected.count).compactMap { number in
        var search = DateSearch()
        return try? recurrence.date(number, &search)
      }.map { CalendarTime.text($0) }
      #expect(dates == expected, "\(one) became \(shifted.text)")
    }
    #expect(said > cases.count * 6 / 10, "\(said) of \(cases.count)")
  }
}
