// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests the errors of `suzu` for values in the form of another flag or program: they say what to write.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct MeantValueTests {
  @Test(
    arguments: [
      (["--rule", "8:00"], "'--rule' is for a calendar rule; for times, use --every 8:00"),
      (["--rule", "Mon 8:00"], "'--rule' is for a calendar rule; for times, use --every 'Mon 8:00'"),
      (["--rule", "tomorrow 8:00"], "'--rule' is for a calendar rule; for one date, use --at 'tomorrow 8:00'"),
      (["--rule", "FREQ=WEEKLY;BYDY=MO"], "'--rule': unknown part 'BYDY'; did you mean 'BYDAY'?"),
      (["--rule", "FRQ=DAILY"], "'--rule': unknown part 'FRQ'; did you mean 'FREQ'?"),
      (["--rule", "FREQ=DALY"], "but found 'DALY' (column 6); did you mean 'DAILY'?"),
      (["--rule", "FREQ=WEEK"], "but found 'WEEK' (column 6); did you mean 'WEEKLY'?"),
      (["--rule", "FREQ=WEEKLY;BYDAY=MO,Tue"], "but found 'Tue' (column 22); did you mean 'TU'?"),
      (["--rule", "FREQ=MONTHLY;BYDAY=-1Friday"], "but found '-1Friday' (column 20); did you mean '-1FR'?"),
      (["--rule", "FREQ=WEEKLY;WKST=Sunday"], "but found 'Sunday' (column 18); did you mean 'SU'?"),
      (["--at", "8:00 PST"], "'--at' has no time zone; give it by --zone: --at 8:00 --zone America/Los_Angeles"),
      // The zone of this name knows no summer time.
      (["--at", "8:00 EST"], "'--at' has no time zone; give it by --zone: --at 8:00 --zone America/New_York"),
      (["--at", "8:00 New York"], "'--at' has no time zone; give it by --zone: --at 8:00 --zone America/New_York"),
      (
        ["--at", "tomorrow 8:00 berlin"],
        "'--at' has no time zone; give it by --zone: --at 'tomorrow 8:00' --zone Europe/Berlin"
      ),
      // It offered 'EST' as the right spelling.
      (
        ["--every", "8:00 PST"], "'--every': 'PST' is an abbreviation; write a city's zone, such as America/Los_Angeles"
      ),
      (["--at", "2026-11-23T25:00:00"], "'--at': '25:00:00' is not a time: the hour must be 0 to 23"),
      (["--at", "2026-11-23T08:75:00Z"], "'--at': '08:75:00' is not a time: the minute must be 0 to 59"),
      (
        ["--every", "*-02-30 08:00"],
        "'--every': '*-02-30 08:00:00' never occurs: no month of any of these years has such a day; write '*-02~1' for "
          + "the last day of that month"
      ),
      // A year was expected, and two quotation marks found.
      (
        ["--every", "'*-02~1 08:00'"],
        "'--every' has quotation marks of its own; leave them out: --every '*-02~1 08:00'"
      ),
      (["--match", "hours=8"], "'--match': unknown component 'hours'; did you mean 'hour'?"),
      (["--match", "dayOfWeek=2"], "'--match': unknown component 'dayOfWeek'; did you mean 'weekday'?"),
      (["--match", "hour=x "], "'--match': hour must be an integer, not 'x'"),
    ] as [([String], String)])
  func `A value that is meant for another flag, or misspelt, is corrected`(flags: [String], problem: String) throws {
    let session = try Session()
    let ended = try session.suzu(["notify", "T"] + flags)
    #expect(ended.status == 65 && ended.output == "")
    #expect(ended.errors.hasSuffix("\(problem)\n"), "\(ended.errors)")
  }

  @Test(arguments: ["hour=8 ", " weekday = 2 , hour = 8 "])
  func `Blanks between the parts of a date do not matter`(parts: String) throws {
    let ended = try BareCommand.suzu(["next", "--match", parts, "-n", "1", "--from", "2027-01-04", "--zone", "UTC"])
    #expect(ended.status == 0 && ended.output.contains("Mon 2027-01-04 08:00:00"), "\(ended.errors)")
  }
}
