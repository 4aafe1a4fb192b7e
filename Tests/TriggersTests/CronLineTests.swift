// SPDX-License-Identifier: Apache-2.0
import Testing
import Zoneinfo

@testable import Triggers

/// Tests what users of cron are told: the same dates in an expression, wherever a time is read.
@Suite struct CronLineTests {
  @Test(
    arguments: [
      ("0 9 * * *", "*-*-* 09:00"), ("30 7 * * 1-5", "Mon..Fri 07:30"), ("30 7 * * 1", "Mon 07:30"),
      ("30 7 * * 1,2,4", "Mon,Tue,Thu 07:30"), ("0 7 * * MON-FRI", "Mon..Fri 07:00"), ("5 4 * * sun", "Sun 04:05"),
      ("0 0 * * 7", "Sun 00:00"), ("0 8 * * 6,0", "Sat,Sun 08:00"), ("0 8 * * 5-7", "Fri..Sun 08:00"),
      ("*/15 * * * *", "*:0/15"), ("*/15", "*:0/15"), ("* * * * *", "minutely"), ("*/1 * * * *", "*:0/1"),
      ("0 * * * *", "hourly"), ("30 * * * *", "*:30"), ("0,30 9-17 * * *", "*-*-* 09..17:00,30"),
      ("0 */2 * * *", "*-*-* 0/2:00"), ("10-50/20 8 * * *", "*-*-* 08:10..50/20"), ("0 9 1 * *", "*-*-01 09:00"),
      ("0 9 1 jan *", "*-01-01 09:00"), ("0 9 */10 3,6 ?", "*-03,06-1/10 09:00"), ("0 9 * feb mon", "Mon *-02-* 09:00"),
      ("@daily", "daily"), ("@midnight", "daily"), ("@Hourly", "hourly"), ("@weekly", "Sun 00:00"),
      ("@monthly", "monthly"), ("@annually", "yearly"),
    ])
  func `A line for cron is translated`(line: String, expression: String) throws {
    let read = try #require(CronLine(line))
    #expect(read.translation == expression)
    var search = DateSearch()
    _ = try CalendarExpression.parse(expression, &search)
    // The error of each parser says it, also where a field looks like a date.
    #expect(throws: TriggerError.self) { try CalendarExpression.parse(line) }
    do { _ = try CalendarExpression.parse(line) } catch {
      #expect(error.description == "\(line.lowercased().inQuotes) is a line for cron; \(read.advice)")
    }
    do {
      _ = try HumanTime.parse(line, now: Instant(0), zone: .utc)
      Issue.record("'\(line)' is no time")
    } catch {
      #expect(error.description == "\(line.lowercased().inQuotes) is a line for cron; \(read.advice)")
    }
  }

  @Test func `A line without an equal is named, with what to write`() throws {
    #expect(CronLine("*/15 * * * *")?.advice == "write '15m' or '*:0/15'")
    // Days of the month or of the week.
    #expect(CronLine("0 0 1 * 1")?.advice == "write days and a time such as 'Mon..Fri 07:30'")
    #expect(CronLine("@reboot")?.advice == "start 'suzu notify' where the desktop starts its programs")
  }

  @Test(
    arguments: [
      "Mon..Fri 07:30", "24 dec 18:00", "@1795000000", "1 2 3 4", "60 7 * * *", "30 24 * * *", "30 7 0 * *",
      "5 4 * * fun",
      "30 7 * * 5-1", "*/0 * * * *", "a b c d e", "@", "@never", "*", "@never suzu",
    ])
  func `Other texts are no line for cron`(text: String) { #expect(CronLine(text) == nil) }

  @Test func `The command of a crontab does not hide the dates`() throws {
    let line = try #require(CronLine("30 7 * * 1\t/usr/bin/foo  -x A"))
    #expect(line.translation == "Mon 07:30" && line.command == "/usr/bin/foo -x A")
    #expect(CronLine("@daily backup")?.translation == "daily")
    #expect(CronLine("@reboot backup")?.command == "backup")
    #expect(CronLine("30 7 * * 1")?.command == nil)
  }
}
