// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests the advice about a time that was given beside an expression, in a flag without dashes, or as an offset.
@Suite struct CompletedScheduleTests {
  @Test(arguments: [
    ("Mon,Tue,Thu", "07:30", "--every 'Mon,Tue,Thu 07:30'"), ("daily", "9:00", "--every 09:00"),
    ("Mon Europe/Paris", "9:00", "--every 'Mon 09:00 Europe/Paris'"), ("monthly", "9:00", "--every '*-*-01 09:00'"),
    ("weekly", "9:00", "--every 'Mon 09:00'"), ("weekly", "mon 9:00", "--every 'Mon 09:00'"),
    ("daily", "tomorrow 9:00", "--every 09:00 --from 'tomorrow 9:00'"),
    ("monthly", "2027-02-14 9:00", "--every '*-*-14 09:00' --from '2027-02-14 9:00'"),
    ("Mon 07:30", "9:00", nil), ("15m", "9:00", nil), ("hourly", "9:00", nil), ("daily", "2027-02-14", nil),
    ("soon", "9:00", nil), ("daily", "in 10m", nil),
  ])
  func `A start gives its time to an expression without one`(every: String, start: String, flags: String?) throws {
    #expect(CompletedSchedule(every, startingAt: start, in: try UnderstoodTimeTests.paris())?.flags == flags)
  }

  @Test func `An expression at midnight whose start has a time gets a warning`() throws {
    let time = try UnderstoodTimeTests.paris()
    #expect(
      CompletedSchedule.warning(every: "daily", from: "9:00", in: time)
        == "'daily' names no time, so it comes at 00:00, and '--from' says only when it begins; write --every 09:00")
    #expect(CompletedSchedule.warning(every: "daily", from: "2027-01-01 00:00", in: time) == nil)
    #expect(CompletedSchedule.warning(every: "daily", from: "2027-01-01", in: time) == nil)
    #expect(CompletedSchedule.warning(every: "Mon 07:30", from: "9:00", in: time) == nil)
  }

  @Test(arguments: [
    (["Tea", "in", "4m"], "--in 4m"), (["Tea", "at", "8:00"], "--at 8:00"), (["Tea", "—in", "4m"], "--in 4m"),
    (["Tea", "Green", "at", "mon", "8:00"], "--at 'mon 8:00'"), (["Tea", "every", "15m"], "--every 15m"),
    (["Tea", "in", "China"], nil), (["Tea", "in"], nil), (["in", "4m"], nil),
  ])
  func `A flag without its dashes is recognized`(words: [String], flag: String?) {
    #expect(FlagWithoutDashes(words)?.flag == flag)
  }

  @Test(arguments: [
    ("GMT+2", "Etc/GMT-2"), ("utc+2", "Etc/GMT-2"), ("+02:00", "Etc/GMT-2"), ("-0500", "Etc/GMT+5"),
    ("UTC-5", "Etc/GMT+5"), ("+05:30", nil), ("+15", nil), ("-13", nil), ("+0", nil), ("GMT", nil), ("Etc/GMT+2", nil),
    ("+1:2:3", nil),
  ])
  func `An offset in whole hours is a zone with the opposite sign`(text: String, zone: String?) {
    #expect(ZoneGuess.fixed(text) == zone)
  }

  @Test(arguments: [
    ("Mon-Fri 9-17", "'9-17' is a month and a day; for the hours, write 'Mon-Fri 9..17:00'"),
    ("Mon..Fri 9-17", "'9-17' is a month and a day; for the hours, write 'Mon..Fri 9..17:00'"),
    ("9-17 08:00", nil), ("12-25", nil), ("*-09-17", nil),
    ("10:00..18:00", "'10:00..18:00' is minutes of one hour; for the hours, write '10..18:00'"),
    ("Mon..Fri 8:00..17:00", "'8:00..17:00' is minutes of one hour; for the hours, write 'Mon..Fri 8..17:00'"),
    ("10..18:00", nil), ("10:00..18", nil), ("10:15..45:00", nil), ("22:00..06:00", nil),
    ("Mon-Fri 8-17", "'8-17' is a month and a day; for the hours, write 'Mon-Fri 8..17:00'"),
    // This came at 08:00 and 08:12.
    ("8:00,12:00", "'8:00,12:00' is minutes and seconds of one hour; for these times, write '8,12:00'"),
    (
      "Mon 8:00,12:30",
      "'8:00,12:30' is minutes and seconds of one hour; for these times, make a request for each: 'Mon 08:00' and "
        + "'Mon 12:30'"
    ),
    ("8,12:00", nil), ("8:00,30", nil),
  ])
  func `A date or minutes that look like hours get a warning`(expression: String, warning: String?) {
    #expect(MonthOrHours.warning(expression) == warning)
  }

  @Test(arguments: [
    (["--daily", "8:00"], "'--daily' is not an option; use --every 08:00"),
    (["--weekdays", "7:30"], "'--weekdays' is not an option; use --every 'Mon..Fri 07:30'"),
    (["--daily=8:00"], "'--daily' is not an option; use --every 08:00"),
    (["--daily"], "'--daily' is not an option; use '--every daily'"),
    (["--exec", "x"], "'--exec' is not an option; use '--run'"),
    (["--link", "x"], "'--link' is not an option; use '--url'"),
    (["--replace", "x"], "'--replace' is not an option; use '--id'"),
    (["--sticky"], "'--sticky' is not an option; use '--style alert'"),
    (["--critical"], "'--critical' is not an option; use '--level critical'"),
    (["--input", "x"], "'--input' is not an option; use '--reply'"),
  ])
  func `A guessed flag keeps the time behind it`(words: [String], message: String) {
    let error = #expect(throws: CommandError.self) { try Arguments(["Tea"] + words, flags: Verb.notify.flags) }
    #expect(error == .usage(message))
  }

  @Test(arguments: [
    (["Tea", "--in", "4", "min"], "'min' would be the body; quote the time: --in 4m"),
    (["--in", "4", "min", "Tea"], "'min' would be the title; quote the time: --in 4m"),
    (["Tea", "in", "4m"], "unexpected argument '4m'; did you mean --in 4m?"),
  ])
  func `Words of a time that stand alone are named by what they would be`(words: [String], message: String) throws {
    let error = #expect(throws: CommandError.self) {
      try NotifyCommand(Arguments(words, flags: Verb.notify.flags), as: .suzu)
    }
    #expect(error == .usage(message))
  }

  @Test(arguments: [
    ("stop", "use 'suzu cancel ID'"), ("end", "use 'suzu cancel ID'"), ("get", "use 'suzu show ID'"),
    ("alarm", "use 'suzu notify TITLE'"),
  ])
  func `A guessed command is answered`(word: String, advice: String) {
    #expect(GuessedWords.advice(onVerb: word) == advice)
  }
}
