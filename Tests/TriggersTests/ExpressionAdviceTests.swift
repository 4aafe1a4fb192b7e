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
    ("Tues 7:30 Europe/Paris", "Tue 7:30 Europe/Paris"),
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
  ])
  func `A shorthand with more words is named`(text: String, line: String) {
    #expect(Self.refusal(of: text)?.description == line)
  }

  @Test func `A descending range of days from the month's end is shown in order`() {
    // The advice was '7..28,1..1', which is nearly every day.
    #expect(
      Self.refusal(of: "Fri *-*~07..01 16:00")?.description
        == "a range must ascend: 1 is less than 7 (column 11); for example '1..7'")
  }

  @Test(arguments: ["every", "every other day", "first monday", "soon", "", "7:60 am"])
  func `An expression that cannot be understood gets no false advice`(text: String) {
    #expect(Self.refusal(of: text)?.advice == nil)
  }
}
