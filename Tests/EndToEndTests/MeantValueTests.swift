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
      // The advice was '--from', which gives no time: the alarm came at midnight.
      (
        ["--every", "Mon,Tue,Thu", "--at", "07:30"],
        "'--at' and '--every' cannot be combined; write --every 'Mon,Tue,Thu 07:30' instead of both"
      ),
      (["--every", "daily", "--at", "9:00"], "cannot be combined; write --every 09:00 instead of both"),
      (
        ["--every", "weekdays", "--at", "7:30am"], "cannot be combined; write --every 'Mon..Fri 07:30' instead of both"
      ),
      (["--every", "day", "--at", "7:30"], "cannot be combined; write --every 07:30 instead of both"),
      (["--every", "weekly", "--at", "tue 9:00"], "cannot be combined; write --every 'Tue 09:00' instead of both"),
      (
        ["--every", "weekly", "--at", "2035-06-14 9:00"],
        "cannot be combined; write --every 'Thu 09:00' --from '2035-06-14 9:00' instead of both"
      ),
      (
        ["--every", "Mon 8:00", "--at", "9:00"],
        "cannot be combined; for a repetition that begins then, write --from 9:00 instead of --at"
      ),
      (
        ["--at", "8:00", "--zone", "GMT+2"],
        "'--zone': 'GMT+2' is an offset; write 'Etc/GMT-2', whose sign is the opposite one, or a city's zone such as "
          + "'Europe/Paris', which also has summer time"
      ),
      (["--at", "8:00 GMT+2"], "give it by --zone: --at 8:00 --zone Etc/GMT-2"),
      (["--at", "2035-01-04 09:00 +1"], "'--at': '+1' is not an offset from UTC; write '2035-01-04 09:00 +01:00'"),
      (
        ["--at", "4 jan 2035 09:00 +1"],
        "'--at' needs a date such as 2035-01-04 before an offset; write '2035-01-04 09:00 +01:00'"
      ),
      (
        ["--at", "jan 4 2035 09:00 +01:00"],
        "'--at' needs a date such as 2035-01-04 before an offset; write '2035-01-04 09:00 +01:00'"
      ),
      (["--at", "tomorrow 09:00 +1"], "give it by --zone: --at 'tomorrow 09:00' --zone Etc/GMT-1"),
      (["--in", "now"], "'--in' is for a duration; to show it now, leave out --in"),
      (["--in", "5m30"], "not '5m30'; did you mean '5m30s'?"), (["--in", "1 hour 30"], "did you mean '1h30m'?"),
      // The question was asked twice.
      (["--every", "Mon 9:00 Paris"], "'--every': 'Paris': unknown time zone; did you mean 'Europe/Paris'?"),
      (["--at", "now + 5 minutes"], "'--at' is for a date or a time of day; for a duration, use --in 5m"),
      (["--at", "in 5"], "'--at' is for a date or a time of day; for a duration, use --in 5m"),
      (["--at", "5 minutes from now"], "'--at' is for a date or a time of day; for a duration, use --in 5m"),
      (["--in", "in 5m"], "not 'in 5m'; did you mean '5m'?"),
      (["--in", "PT15M"], "not 'PT15M'; write '15m'"),
      (["--every", "3 months"], "'--every': '3 months' needs a rule; use --rule 'FREQ=MONTHLY;INTERVAL=3;BYHOUR=9'"),
      (["--every", "P1D"], "'--every': 'P1D' is not a schedule; write '1d'"),
      (
        ["--every", "30 7 * * 1 /usr/bin/foo -x"],
        "'--every' does not take a line for cron; write 'Mon 07:30'; --run '/usr/bin/foo -x' runs the command at a click, "
          + "not at that time"
      ),
      (
        ["--at", "30 7 * * 1 foo"],
        "'--at' is for one date; to repeat it, use --every 'Mon 07:30'; --run foo runs the command at a click, not at "
          + "that time"
      ),
      (
        ["--rule", "FREQ=DAILY;TZID=Europe/Paris"],
        "'TZID' is not part of a rule; give a time zone by '--zone Europe/Paris'"
      ),
      (["--rule", "FREQ=DAILY;DTSTART=20350104T090000"], "give the start by --from '2035-01-04 09:00'"),
      (["--rule", "last friday 16:00"], "'--rule' needs NAME=VALUE; write 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=16'"),
      (["--rule", "every monday 9:00"], "'--rule' is for a calendar rule; for times, use --every 'Mon 9:00'"),
      (["--match", "hour:7"], "'--match hour:7' must be PART=NUMBER,…, such as weekday=2,hour=7; write 'hour=7'"),
      // The last one counted, without a word.
      (
        ["--match", "hour=7,hour=8"],
        "'--match': hour is given twice; for several values, use --every, such as --every '7,19:30'"
      ),
      // The advice was the zone without summer time.
      (
        ["--at", "8:00", "--zone", "est"],
        "'--zone': 'est' is an abbreviation; write a city's zone, such as America/New_York"
      ),
      (["--match", "hour=7:30"], "'--match': hour must be an integer, not '7:30'; write 'hour=7,minute=30'"),
      (["--match", "hour=7 minute=30"], "not '7 minute=30'; write 'hour=7,minute=30'"),
      (
        ["--match", "weekday=Mon,hour=7pm"],
        "weekday must be an integer, not 'Mon'; write 'weekday=2,hour=19' (1 is Sunday)"
      ),
      (["--match", "weekday=mon-fri,hour=7"], "not 'mon-fri'; for these times, use --every 'mon-fri 07:00'"),
      (
        ["--match", "Mon 7:30"],
        "'--match Mon 7:30' must be PART=NUMBER,…, such as weekday=2,hour=7; for these times, use --every 'Mon 7:30'"
      ),
      (["--match", "month=dec,day=24"], "month must be an integer, not 'dec'; write 'month=12,day=24'"),
      (["--at", "8:00 +0200"], "give it by --zone: --at 8:00 --zone Etc/GMT-2"),
      (["--at", "730"], "'--at' needs a time such as '07:30'; did you mean '07:30'?"),
      (["--at", "18:30h"], "'--at' needs a time such as '07:30'; did you mean '18:30'?"),
      (["--at", "24:00"], "'--at' needs a time up to 23:59; midnight is 00:00 of the next day"),
      (["--at", "+2h"], "'--at' is for a date or a time of day; for a duration, use --in 2h"),
      (["--rule", "0 7 * * *"], "'--rule' is for a calendar rule; for times, use --every '*-*-* 07:00'"),
      (["--in", "5m", "-u", "hihg"], "must be low, normal or critical; did you mean 'critical'?"),
      (["--in", "4mi"], "did you mean '4m'?"),
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
