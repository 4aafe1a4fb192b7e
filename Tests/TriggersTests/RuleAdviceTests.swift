// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Triggers
import Zoneinfo

/// Tests what a rule in a form of other programs is answered: with the part to write instead.
@Suite struct RuleAdviceTests {
  private static func refusal(of rule: String) -> TriggerError? {
    #expect(throws: TriggerError.self) { try RecurrenceRule.parse(rule) }
  }

  @Test(arguments: [
    ("FREQ=DAILY;BYHOUR=16:00", "BYHOUR=16"), ("FREQ=DAILY;BYHOUR=9:30", "BYHOUR=9;BYMINUTE=30"),
    ("FREQ=DAILY;BYHOUR=9am,5pm", "BYHOUR=9,17"), ("FREQ=MONTHLY;BYDAY=LASTFR", "BYDAY=-1FR"),
    ("FREQ=MONTHLY;LASTFR", "BYDAY=-1FR"), ("FREQ=MONTHLY;BYDAY=1stMO", "BYDAY=1MO"),
    ("FREQ=MONTHLY;BYDAY=FR-1", "BYDAY=-1FR"), ("FREQ=MONTHLY;BYDAY=MO1", "BYDAY=1MO"),
    ("FREQ=WEEKLY;BYDAY=MO-FR", "BYDAY=MO,TU,WE,TH,FR"), ("FREQ=WEEKLY;BYDAY=weekdays", "BYDAY=MO,TU,WE,TH,FR"),
    ("FREQ=MONTHLY;BYMONTHDAY=last", "BYMONTHDAY=-1"), ("FREQ=MONTHLY;BYMONTHDAY=1st,15th", "BYMONTHDAY=1,15"),
    ("FREQ=DAILY;UNTIL=2035-01-04", "UNTIL=20350104"), ("FREQ=YEARLY;BYMONTH=jan,6", "BYMONTH=1,6"),
    ("WEEKLY;BYDAY=MO", "FREQ=WEEKLY"), ("FREQ:DAILY", "FREQ=DAILY"),
  ])
  func `A part in another form is answered with the right one`(rule: String, part: String) throws {
    let text = try #require(Self.refusal(of: rule)).description
    #expect(text.hasSuffix("; did you mean '\(part)'?"), "\(text)")
    #expect(throws: Never.self) { try RecurrenceRule.parse(part.hasPrefix("FREQ") ? part : "FREQ=YEARLY;" + part) }
  }

  @Test(arguments: [
    ("FREQ=DAILY;TZID=Europe/Paris", "'TZID' is not part of a rule; give a time zone by 'zone: Europe/Paris'"),
    ("TZID=Europe/Paris:FREQ=DAILY", "'TZID' is not part of a rule; give a time zone by 'zone: Europe/Paris'"),
    ("FREQ=DAILY;DTSTART=20350104", "'DTSTART' is not part of a rule; give the start by 'from: 2035-01-04'"),
    (
      "DTSTART:20350104T090000Z;FREQ=DAILY",
      "'DTSTART:20350104T090000Z' is not NAME=VALUE (column 1); give the start by 'from: 2035-01-04T09:00Z'"
    ),
    ("FREQ=DAILY;BYTIME=9:30", "'BYTIME' is not part of a rule; write 'BYHOUR=9;BYMINUTE=30'"),
  ])
  func `A part that belongs to another key names the key`(rule: String, line: String) {
    #expect(Self.refusal(of: rule)?.description == line)
  }

  @Test(arguments: ["FREQ=WEEKLY,BYDAY=MO", "FREQ=WEEKLY BYDAY=MO"])
  func `Parts with another separator are named`(rule: String) {
    #expect(Self.refusal(of: rule)?.advice == "separate the parts by ';'")
  }

  @Test(arguments: ["FREQ=DAILY;BYHOUR=9,17:30", "FREQ=DAILY;BYHOUR=x", "FREQ=MONTHLY;BYDAY=LASTXX", "FREQ=DAILY;FOO"])
  func `A part that cannot be understood gets no false advice`(rule: String) {
    #expect(Self.refusal(of: rule)?.advice == nil)
  }
}
