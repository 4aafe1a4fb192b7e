// SPDX-License-Identifier: Apache-2.0
import Testing
import Triggers
import Zoneinfo

/// Tests calendar expressions written as recurrence rules, for calendar programs.
@Suite struct CalendarRuleTests {
  @Test(arguments: [
    "07:30", "Mon,Tue,Thu 07:30", "Mon..Fri 09:25", "*-*-01 09:00", "*-12-24 18:00", "*-*~1 18:00", "*-02~1 09:00",
    "Sat *-*-1..7 09:00", "*-*-* 08..18/2:00", "*-*-* 9,17:0/15", "*-1/3-1 00:00", "Sun *-10~01..07 02:30",
    "*-*-13 00:00:30",
    "Fri *-*-13 00:00", "daily", "weekly", "monthly", "yearly", "*-02-29 12:00",
  ])
  func `A rule has the same dates`(text: String) throws {
    let expression = try CalendarExpression.parse(text)
    let start = try #require(expression.first(from: wall("2026-11-21T15:00:00")))
    let rule = try #require(expression.rule)
    let recurrence = try Recurrence(RecurrenceRule.parse(rule), from: start)
    var (ours, theirs) = (start, start)
    for _ in 0..<60 {
      #expect(ours == theirs)
      guard let next = ours.adding(seconds: 1).flatMap({ expression.first(from: $0) }),
        let other = theirs.adding(seconds: 1).flatMap({ recurrence.first(from: $0) })
      else { break }
      (ours, theirs) = (next, other)
    }
  }

  @Test(arguments: ["hourly", "*:0/15", "*:*", "2027-*-* 09:00", "*-*~7/2 02:30"])
  func `An expression that no rule can express gives none`(text: String) throws {
    #expect(try CalendarExpression.parse(text).rule == nil)
  }
}
