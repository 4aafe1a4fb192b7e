// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests random texts and far searches: no crash, and a limited time.
@Suite struct FuzzTests {
  private static let seeds = [
    "Mon,Tue,Thu 07:30", "*-*~1 18:00", "Sat *-*-1..7 09:00", "*:0/15:30.5", "2026..2030/2-1,7-* 00:00 Europe/Paris",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,-1SU;BYHOUR=7;COUNT=10",
    "RRULE:FREQ=YEARLY;BYWEEKNO=-1;UNTIL=20261224T170000Z;WKST=SU",
    "FREQ=SECONDLY;INTERVAL=999999999;BYMONTHDAY=29;BYMONTH=2", "EXDATE;VALUE=DATE:20261224,20261225",
    "tomorrow 7:30 pm",
    "24 dec 2026 18:00", "in 1h 30m", "2026-11-21T07:30:00+01:00", "next fri 9:00", "@1795000000", "semiannually UTC",
    "24.12.2026 8:00", "fri 1.12.", "9pm 4 feb",
  ]

  private static func mutated(_ random: inout SeededNumbers) -> String {
    var bytes = Array(seeds[random.number(0...seeds.count - 1)].utf8)
    let alphabet = Array("0123456789*,./-~:;=@ TZ+MOab\u{e9}\n\0".utf8)
    for _ in 0..<random.number(0...5) {
      let place = random.number(0...bytes.count)
      switch random.number(0...3) {
      case 0: bytes.insert(alphabet[random.number(0...alphabet.count - 1)], at: place)
      case 1 where place < bytes.count: bytes.remove(at: place)
      case 2 where place < bytes.count: bytes[place] = alphabet[random.number(0...alphabet.count - 1)]
      default: bytes.insert(contentsOf: bytes.suffix(random.number(0...min(8, bytes.count))), at: place)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `No text crashes a parser or keeps it busy`() throws {
    var random = SeededNumbers(seed: 99)
    let zone = try ZoneDatabase(folder: try FixedZones.folder).zone(named: "Europe/Paris").rules
    let start = wall("2026-11-20T10:00:00")
    let now = zone.resolve(start)
    let clock = ContinuousClock()
    var (read, slowest, slowestText) = ([0, 0, 0, 0], Duration.zero, "")
    for _ in 0..<4000 {
      let text = Self.mutated(&random)
      let time = clock.measure {
        if let expression = try? CalendarExpression.parse(text) {
          read[0] += 1
          _ = expression.first(from: start)
          #expect((try? CalendarExpression.parse(expression.description)) == expression, "\(text)")
        }
        if let rule = try? RecurrenceRule.parse(text) {
          read[1] += 1
          #expect((try? RecurrenceRule.parse(rule.description)) == rule, "\(text)")
          _ = (try? Recurrence(rule, from: start))?.first(from: start)
        }
        if let time = try? HumanTime.parse(text, now: now, zone: zone) {
          read[2] += 1
          #expect((try? HumanTime.parse(time.description, now: now, zone: zone)) == time, "\(text)")
        }
        if (try? ExceptionDates.parse(text)) != nil { read[3] += 1 }
      }
      if time > slowest { (slowest, slowestText) = (time, text) }
    }
    print("fuzz: 4000 texts, read as expression, rule, time, exceptions: \(read); slowest \(slowest) '\(slowestText)'")
    #expect(read.allSatisfy { $0 > 50 })
    #expect(slowest < .seconds(3))
  }

  @Test func `A long text is refused unread`() {
    let long = String(repeating: "*-*-*,", count: 200_000)
    let time = ContinuousClock().measure {
      #expect(throws: TriggerError.self) { try CalendarExpression.parse(long) }
      #expect(throws: TriggerError.self) { try RecurrenceRule.parse(long) }
      #expect(throws: TriggerError.self) { try HumanTime.parse(long, now: Instant(0), zone: .utc) }
    }
    #expect(time < .seconds(1))
  }

  /// What is asked ten years, or seven thousand, after the start. The limit is of an optimised build; here, without
  /// optimisation and beside other tests, it is thirty times that.
  @Test(arguments: [
    "FREQ=SECONDLY", "FREQ=SECONDLY;INTERVAL=7", "FREQ=SECONDLY;INTERVAL=7;BYHOUR=3",
    "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=3;BYMINUTE=0",
    "FREQ=SECONDLY;COUNT=1000000000", "FREQ=SECONDLY;INTERVAL=1000003;BYDAY=MO",
    "FREQ=MINUTELY;INTERVAL=17;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=HOURLY;INTERVAL=5;BYHOUR=3;BYDAY=MO", "FREQ=DAILY;INTERVAL=13;BYMONTHDAY=29;BYMONTH=2",
    "FREQ=MONTHLY;BYMONTHDAY=31;BYSETPOS=-1",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;BYSETPOS=1",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYSETPOS=1",
    "FREQ=SECONDLY;INTERVAL=3;BYSETPOS=1;BYSECOND=0,3,6", "FREQ=MINUTELY;INTERVAL=90;COUNT=100000000",
  ])
  func `A search far from its start is short`(text: String) throws {
    let start = wall("2016-11-20T10:00:00")
    let clock = ContinuousClock()
    var recurrence: Recurrence?
    var times = [try clock.measure { recurrence = try Recurrence(try RecurrenceRule.parse(text), from: start) }]
    for far in ["2026-11-20T10:00:01", "2999-12-31T00:00:00", "9990-01-01T00:00:00"] {
      times.append(clock.measure { _ = recurrence?.first(from: wall(far)) })
    }
    times.append(clock.measure { _ = recurrence?.count(from: start, before: wall("2026-11-20T10:00:01")) })
    print("search: \(text): \(times.map { "\($0)" }.joined(separator: ", "))")
    #expect(times.allSatisfy { $0 < .milliseconds(1500) }, "\(times)")
  }
}
