// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Triggers
import Zoneinfo

/// Tests that an expression in another form than systemd's is refused with the right form.
@Suite struct ExpressionAdviceTests {
  private static func refusal(of text: String) -> TriggerError? {
    #expect(throws: TriggerError.self) { try CalendarExpression.parse(text) }
  }

  @Test(arguments: [
    ("every day", "daily"), ("every hour", "hourly"), ("every month", "monthly"), ("every day at 7:30", "7:30"),
    ("every Monday 7:30", "Mon 7:30"), ("every weekday at 7:30", "Mon..Fri 7:30"), ("every 15 minutes", "15m"),
    ("every day at noon", "12:00"), ("Tues 7:30", "Tue 7:30"), ("Mo,Tues 07:30", "Mon,Tue 07:30"),
    ("mo-fr 7:30", "Mon..Fri 7:30"), ("Munday 7:30", "Mon 7:30"), ("mondays 7:30", "Mon 7:30"), ("dayly", "daily"),
    ("7:30 am", "07:30"), ("Mon 7:30pm", "Mon 19:30"), ("12 am", "00:00"), ("1.5h", "1h30m"),
    ("Tues 7:30 Europe/Paris", "Tue 7:30 Europe/Paris"), ("mon tue thu 7:30", "Mon,Tue,Thu 7:30"),
    ("mon, tue and thu 7:30", "Mon,Tue,Thu 7:30"), ("mon to fri 7:30", "Mon..Fri 7:30"),
    ("15th of the month 9:00", "*-*-15 9:00"), ("every day at 8", "08:00"), ("mon at 18", "Mon 18:00"),
    ("mon - wed sat 7:30", "Mon..Wed,Sat 7:30"), ("every mon wed at 5pm", "Mon,Wed 17:00"),
    ("Mon & Wed 9:00", "Mon,Wed 9:00"), ("Mon/Wed 9:00", "Mon,Wed 9:00"), ("Mon;Wed 9:00", "Mon,Wed 9:00"),
    ("9-17:00", "9..17:00"), ("Mon-Fri 9-17:30", "Mon..Fri 9..17:30"),
    // The advice was 'Mon,Mon 9:00'.
    ("weekly monday 9:00", "Mon 9:00"), ("Mon 9:00 weekly", "Mon 9:00"), ("every week on monday at 9:00", "Mon 9:00"),
    ("mon monday 9:00", "Mon 9:00"), ("9:00 daily", "9:00"), ("9:00 weekly", "Mon 9:00"),
    // 'noon' and 'weekdays' were time zones.
    ("Mon noon", "Mon 12:00"), ("Mon..Fri midnight", "Mon..Fri 00:00"), ("15:00 weekdays", "Mon..Fri 15:00"),
    ("9:00-17:00", "9..17:00"), ("9:30-17:00", "9..16:30"), ("Mon-Fri 9:00-17:00", "Mon..Fri 9..17:00"),
    ("9am-5pm", "9..17:00"), ("1-5pm", "13..17:00"), ("9:00 - 17:00", "9..17:00"), ("22:00-6:00", "22..23,0..6:00"),
    ("Mon-Fri 9 to 17", "Mon..Fri 9..17:00"), ("between 9:00 and 17:00", "9..17:00"),
    ("08:00,12:00,18:00", "8,12,18:00"), ("Mon 8am and 8pm", "Mon 8,20:00"), ("8:15 and 20:15", "8,20:15"),
    ("Mon 7:30, Tue 7:30", "Mon,Tue 07:30"),
    ("Mon..Fri 8:00,12:00,18:00 Europe/Paris", "Mon..Fri 8,12,18:00 Europe/Paris"),
    ("31 7:30", "*-*-31 7:30"), ("1,15 9:00", "*-*-01,15 9:00"), ("monthly 15 9:00", "*-*-15 9:00"),
    ("monthly on the 15th at 9:00", "*-*-15 9:00"), ("24/12 18:00", "*-12-24 18:00"),
    ("every 24 december 18:00", "*-12-24 18:00"), ("yearly dec 24 18:00", "*-12-24 18:00"), ("1 month", "monthly"),
    ("every 1 year", "yearly"), ("P1D", "1d"), ("PT15M", "15m"),
    ("Mon 8", "Mon 08:00"), ("Mon-Fri 8h", "Mon..Fri 08:00"), ("Mon 8h30", "Mon 08:30"), ("Mon 9,17", "Mon 9,17:00"),
    ("7:30 and 19:30 on weekdays", "Mon..Fri 7,19:30"), ("Mon at 9 and Tue at 9", "Mon,Tue 09:00"),
    ("every hour from 9 to 17", "9..17:00"), ("1st and 15th 9:00", "*-*-01,15 9:00"), ("1. 9:00", "*-*-01 9:00"),
  ])
  func `The refusal of another form says what to write`(text: String, better: String) throws {
    #expect(Self.refusal(of: text)?.description.hasSuffix("; write '\(better)'") == true)
    if (try? Duration.parse(better)) == nil { #expect(throws: Never.self) { try CalendarExpression.parse(better) } }
  }

  @Test(arguments: [
    ("daily 07:30", "'daily' stands alone; write '07:30'"), ("weekly 9:00", "'weekly' stands alone; write 'Mon 9:00'"),
    ("Monthly 09:00", "'Monthly' stands alone; write '*-*-01 09:00'"),
    ("yearly 09:00", "'yearly' stands alone; write '*-01-01 09:00'"),
    ("hourly 07:30", "'hourly' stands alone; leave out the rest"),
    ("every day", "'every' is not needed; write 'daily'"),
    // It named a column of the letter P, and a month.
    ("P1D", "'P1D' is not a schedule; write '1d'"), ("31 7:30", "'31 7:30' is not a schedule; write '*-*-31 7:30'"),
    ("Mon noon", "'Mon noon' is not a schedule; write 'Mon 12:00'"),
    (
      "Mon 9:00 +01:00",
      "'+01:00' is an offset, and an expression ends with a zone (column 10); for example 'Mon..Fri 07:30 Europe/Paris'"
    ),
    ("Mon morning", "'morning' is not a time (column 5); for example 'Mon..Fri 07:30'"),
    ("3/4 18:00", "'3/4' is ambiguous; write '*-04-03 18:00' or '*-03-04 18:00'"),
    (
      "Mon 7:30, Tue 8:00",
      "'Mon 7:30, Tue 8:00' has several times; make a request for each: 'Mon 07:30' and 'Tue 08:00'"
    ),
    ("8:00 and 12:30", "'8:00 and 12:30' has several times; make a request for each: '08:00' and '12:30'"),
  ])
  func `A shorthand with more words is named`(text: String, line: String) {
    #expect(Self.refusal(of: text)?.description == line)
  }

  // These said only that 'last' is no weekday.
  @Test(arguments: [
    ("last friday", "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9"), ("last fri 16:00", "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=16"),
    ("every first monday of the month at 7:30 am", "FREQ=MONTHLY;BYDAY=1MO;BYHOUR=7;BYMINUTE=30"),
    ("2nd tuesday 5pm", "FREQ=MONTHLY;BYDAY=2TU;BYHOUR=17"),
    ("every other day", "FREQ=DAILY;INTERVAL=2;BYHOUR=9"), ("each second week", "FREQ=WEEKLY;INTERVAL=2;BYHOUR=9"),
    ("every other day 9:00", "FREQ=DAILY;INTERVAL=2;BYHOUR=9"),
    ("every other day at 7:30", "FREQ=DAILY;INTERVAL=2;BYHOUR=7;BYMINUTE=30"),
    // The advice was 'monthly'.
    ("bimonthly", "FREQ=MONTHLY;INTERVAL=2;BYHOUR=9"), ("biweekly", "FREQ=WEEKLY;INTERVAL=2;BYHOUR=9"),
    ("every other monday 9:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9"),
    ("3 months", "FREQ=MONTHLY;INTERVAL=3;BYHOUR=9"), ("3mo", "FREQ=MONTHLY;INTERVAL=3;BYHOUR=9"),
    ("every 3 months at 9:30", "FREQ=MONTHLY;INTERVAL=3;BYHOUR=9;BYMINUTE=30"),
    ("every 2 months on the 15th 9:00", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15;BYHOUR=9"),
    ("2 years", "FREQ=YEARLY;INTERVAL=2;BYHOUR=9"),
    ("every 2 weeks on monday and friday 9:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;BYHOUR=9"),
  ])
  func `A weekday of the month, or every other day or week, gets a rule`(text: String, rule: String) throws {
    #expect(Self.refusal(of: text)?.description.hasSuffix("; use the rule '\(rule)'") == true)
    let schedule = try Schedule.rule(rule)
    #expect(try schedule.trigger(made: Instant(0)) { _ in .utc } != nil)
  }

  @Test(arguments: [
    ("Mon 07:30", "Mon 08:00"), ("Mon..Fri 07:30 Europe/Paris", "Mon..Fri 08:00 Europe/Paris"),
    ("*-*-01 09:00", "*-*-01 08:00"), ("weekly", "Mon 08:00"), ("Sat *-*-01..07T09:00", "Sat *-*-01..07 08:00"),
    ("07:30", nil), ("hourly", nil), ("15m", nil),
  ])
  func `Another time of day keeps the days of an expression`(old: String, new: String?) {
    #expect(CalendarExpression.text("08:00", completedFrom: old) == new)
    for more in ["Tue 08:00", "*-*-* 08:00", "hourly", "1h", "25:00", "", "@1795000000"] {
      #expect(CalendarExpression.text(more, completedFrom: old, keepsZone: false) == nil)
    }
  }

  // `suzu edit --every Tue` moved an alarm to midnight, and another expression lost the zone.
  @Test(arguments: [
    ("Mon 07:30", "Tue", "Tue 07:30"), ("Mon,Tue 07:30:15", "Sat,Sun", "Sat,Sun 07:30:15"),
    ("Mon 07:30 Europe/Paris", "*-*-01", "*-*-01 07:30 Europe/Paris"), ("weekly", "Tue", nil),
    ("Mon 07:30", "Tue Europe/Paris", "Tue 07:30 Europe/Paris"), ("Mon *:0/15", "Tue", "Tue *:00/15"),
    ("Mon 07:30", "daily", "07:30"), ("Mon 07:30", "weekly", "Mon 07:30"), ("Mon 07:30", "monthly", "*-*-01 07:30"),
    ("Mon 07:30", "hourly", nil), ("Mon 07:30", "Tue 08:00", nil), ("Mon 07:30", "2099-01-02T08:00", nil),
    ("Mon 07:30 Europe/Paris", "Tue 08:00", "Tue 08:00 Europe/Paris"), ("15m", "Tue", nil),
    ("Mon 07:30 Europe/Paris", "Tue 08:00 Asia/Tokyo", nil), ("weekly Europe/Paris", "Tue", "Tue Europe/Paris"),
  ])
  func `Days without a time keep the time, and the zone stays`(old: String, typed: String, new: String?) throws {
    #expect(CalendarExpression.text(typed, completedFrom: old) == new)
    if let new { _ = try CalendarExpression.parse(new) }
  }

  @Test func `A descending range of days from the month's end is shown in order`() {
    // The advice was '7..28,1..1', which is nearly every day.
    #expect(
      Self.refusal(of: "Fri *-*~07..01 16:00")?.description
        == "a range must ascend: 1 is less than 7 (column 11); for example '1..7'")
  }

  @Test(arguments: [
    "every", "every other", "every other thing", "last", "last second friday", "soon", "", "7:60 am",
    "mon tue foo 7:30", "Mon evening", "every 2 foos", "9-17-20", "32 7:30", "Mon 7:30, foo 8:00",
  ])
  func `An expression that cannot be understood gets no false advice`(text: String) {
    #expect(Self.refusal(of: text)?.advice == nil)
  }
}
