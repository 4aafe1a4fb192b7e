// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests the answers to times that a first user typed: each names what to write instead.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct MistypedTimeTests {
  private static func complaint(_ session: Session, _ words: [String]) throws -> String {
    let ended = try session.suzu(words)
    #expect(ended.status == 65, "\(words): \(ended.errors)")
    return ended.errors
  }

  @Test(
    arguments: [
      ("Mon,Tue 0730", "'Mon,Tue 0730' is not a schedule; write 'Mon,Tue 07:30'"),
      ("Mon,Tue,Thu at 7.30", "'Mon,Tue,Thu at 7.30' is not a schedule; write 'Mon,Tue,Thu 07:30'"),
      ("Mon 24:00", "24 is not a valid hour (0 to 23) (column 5); midnight is 00:00 of the next day"),
      ("Mon *:60", "60 is not a valid minute (0 to 59) (column 7); the next one begins with 00"),
      ("* 07:30", "'* 07:30' is not a schedule; write '*-*-* 07:30'"),
      ("Mon, Tue, Thu 07:30", "'Mon, Tue, Thu 07:30' is not a schedule; write 'Mon,Tue,Thu 07:30'"),
      ("@reboot", "'@reboot' is a line for cron; start 'suzu notify' where the desktop starts its programs"),
      ("@daily", "'@daily' is a line for cron; write 'daily'"),
      ("*/15", "'*/15' is a line for cron; write '15m' or '*:0/15'"),
      ("30 7 * * 1", "'30 7 * * 1' is a line for cron; write 'Mon 07:30'"),
      ("0 */2 * * *", "'0 */2 * * *' is a line for cron; write '*-*-* 0/2:00'"),
      ("last day of month", "'last day of month' is not a schedule; write '*-*~01 09:00'"),
      ("7h30", "'7h30' is not a time; write '07:30'"),
      ("1800000000", "'1800000000' is not a time; write '@1800000000'"),
      ("hour=8", "'hour=8' is for --match; write --match hour=8"),
      ("weekday=2,hour=7", "'weekday=2,hour=7' is for --match; write --match weekday=2,hour=7"),
    ])
  func `next says what to write`(typed: String, answer: String) throws {
    let session = try Session(hasCenter: false)
    #expect(try Self.complaint(session, ["next", typed]) == "suzu: next: \(answer)\n")
  }

  @Test(
    arguments: [
      (["--every", "07:30 Mon"], "'--every': 'Mon' is not a zone; weekdays come first"),
      (["--every", "Mon 7am"], "'--every': "),
      (["--every", "0 7 * * MON-FRI"], "'--every' does not take a line for cron; write 'Mon..Fri 07:00'\n"),
      (["--every", "5 4 * * sun"], "'--every' does not take a line for cron; write 'Sun 04:05'\n"),
      (["--every", "@weekly"], "'--every' does not take a line for cron; write 'Sun 00:00'\n"),
      (["--every", "hour=8"], "'--every' is not for parts of a date; use --match hour=8\n"),
      (["--at", "30 7 * * 1"], "'--at' is for one date; to repeat it, use --every 'Mon 07:30'\n"),
      (["--at", "7 30"], "'--at': '7 30' is not a time; write '07:30'\n"),
      (["--at", "7 o clock"], "'--at': '7 o clock' is not a time; write '07:00'\n"),
      (["--at", "7h30"], "'--at': '7h30' is not a time; write '07:30'\n"),
      (["--at", "1800000000"], "'--at': '1800000000' is not a time; write '@1800000000'\n"),
      (["--at", "last day of month"], "'--at' is for one date; to repeat it, use --every '*-*~01 09:00'\n"),
      (
        ["--in", "-5m"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '-5m'; a duration cannot be negative\n"
      ),
      (
        ["--in", "0"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '0'; write '0s'\n"
      ),
      (
        ["--in", "1mo"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '1mo'; months and years "
          + "differ in length: give a date, or repeat with 'monthly' or 'yearly'\n"
      ),
      (
        ["--in", "half an hour"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not 'half an hour'; write '30m'\n"
      ),
      (
        ["--in", "٣m"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '٣m'\n"
      ),
    ])
  func `notify says what to write`(flags: [String], answer: String) throws {
    let session = try Session()
    let found = try Self.complaint(session, ["notify", "T"] + flags)
    #expect(found.hasPrefix("suzu: notify: \(answer)"), "\(found)")
    if flags[1].hasPrefix("07:30") { #expect(found.hasSuffix("write 'Mon 07:30'\n"), "\(found)") }
    if flags[1].hasSuffix("7am") { #expect(found.hasSuffix("write 'Mon 07:00'\n"), "\(found)") }
  }

  @Test func `The day after tomorrow is a date, and two durations are two schedules`() throws {
    let session = try Session(hasCenter: false)
    let date = try session.suzu("next", "day after tomorrow 9:00", "--from", "2027-03-01")
    #expect(date.status == 0, "\(date.errors)")
    #expect(
      try session.suzu("next", "15m", "20m").errors
        == "suzu: next: '15m' and '20m' are different schedules; preview one at a time; see 'suzu next --help'\n")
  }

  @Test func `A skipped date that falls on another one has a note`() throws {
    let session = try Session(hasCenter: false, variables: ["TZDIR": FixedZones.folder])
    let dates = try session.suzu("next", "02..03:30", "--zone", "Europe/Berlin", "--from", "2027-03-28", "-n", "2")
    #expect(
      dates.output == """
        Europe/Berlin                   UTC                   NOTE
        Sun 2027-03-28 03:30:00 +02:00  2027-03-28T01:30:00Z  clocks skip 02:30:00 on 2027-03-28: one date with 03:30:00
        Mon 2027-03-29 02:30:00 +02:00  2027-03-29T00:30:00Z

        """)
  }

  @Test func `A title stands for a request in next, edit and their errors`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "NY figures", "--id", "ny", "--at", "2035-06-14 7:30").status == 0)
    #expect(try session.suzu("next", "NY figures").output.contains("2035-06-14 07:30:00"))
    #expect(try session.suzu("next", "NY figures", "--app", "dev.suzu.Suzu").output.contains("2035-06-14 07:30:00"))
    #expect(try session.suzu("edit", "NY figures", "--at", "8:15").status == 0)
    #expect(try session.suzu("show", "ny").output.contains("Thu 2035-06-14 08:15"))
    #expect(try session.suzu("notify", "NY figures", "--in", "1h").status == 0)
    for verb in [["next", "NY figures"], ["edit", "NY figures", "--at", "8:00"]] {
      #expect(try Self.complaint(session, verb).contains("2 requests have the title 'NY figures'; give an id: "))
    }
  }

  @Test(arguments: [
    (
      ["notify", "Get up", "--every", "Mon,Tue", "--from", "07:30"],
      "notify: warning: 'Mon,Tue' names no time, so it comes at 00:00, and '--from' says only when it begins; write "
        + "--every 'Mon,Tue 07:30'\n"
    ),
    (
      ["next", "daily", "--from", "9:00"],
      "next: warning: 'daily' names no time, so it comes at 00:00, and '--from' says only when it begins; write --every "
        + "09:00\n"
    ),
    (
      ["next", "Mon..Fri 9-17"],
      "next: warning: '9-17' is a month and a day; for the hours, write 'Mon..Fri 9..17:00'\n"
    ),
    (
      ["next", "Mon..Fri 08:00,12:00"],
      "next: warning: '08:00,12:00' is minutes and seconds of one hour; for these times, write 'Mon..Fri 8,12:00'\n"
    ),
    (
      ["notify", "T", "--at", "8:00", "--zone", "EST"],
      "notify: warning: the zone 'EST' has no summer time; for clocks that have it, write America/New_York\n"
    ),
    (
      ["next", "Mon 8:00 MST"],
      "next: warning: the zone 'MST' has no summer time; for clocks that have it, write America/Denver\n"
    ),
    // Honolulu has no summer time, and the zone CET has it.
    (["next", "Mon 8:00 HST"], ""), (["next", "Mon 8:00", "--zone", "CET"], ""),
    (
      ["notify", "T", "--in", "1h", "-t", "5"],
      "notify: warning: '-t 5' means 5 milliseconds; for seconds, write --expires 5s\n"
    ),
  ])
  func `A value that may mean something else is accepted with a warning`(words: [String], warning: String) throws {
    let ended = try Session().suzu(words)
    #expect(ended.status == 0 && ended.errors == (warning.isEmpty ? "" : "suzu: \(warning)"), "\(ended.errors)")
  }

  @Test func `A time as the new title gets a warning`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "Alarm", "--id", "a", "--in", "1h").status == 0)
    let edited = try session.suzu("edit", "a", "8:00")
    #expect(
      edited.errors.hasPrefix("suzu: edit: warning: 8:00 is the new title; for another time, write --at 8:00\n"),
      "\(edited.errors)")
    #expect(try session.suzu("edit", "a", "Tea: Green").errors == "")
  }

  // The date was stored in UTC, and the new time was that of the clocks here.
  @Test func `Another time keeps the offset that the date was made with`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "Call", "--id", "c", "--at", "2035-01-04T00:30:00+09:00").status == 0)
    #expect(try session.suzu("edit", "c", "--at", "8:00").status == 0)
    let shown = try session.suzu("show", "c", "--json").output
    #expect(shown.contains(#""at":"2035-01-04T08:00:00+09:00""#), "\(shown)")
  }

  // Obeying the advice made an hourly alarm ring every five seconds.
  @Test func `Postponing a repetition with edit does not offer to repeat by the delay`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "Stretch", "--id", "rp", "--every", "1h").status == 0)
    let refused = try session.suzu("edit", "rp", "--in", "5s")
    #expect(
      refused.status == 64
        && refused.errors
          == "suzu: edit: 'rp' repeats (every: 1h), and --in is for one date; to be reminded once in between, use a new "
          + "request: suzu notify Stretch --in 5s; to change the repetition, use --every; see 'suzu edit --help'\n",
      "\(refused.errors)")
  }

  // The recommended command failed when it was typed.
  @Test func `The delay of a recommended request has a unit`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "Stretch", "--id", "rp", "--every", "1h").status == 0)
    #expect(try session.suzu("edit", "rp", "--in", "5").errors.contains(": suzu notify Stretch --in 5m; "))
    let unknown = try session.suzu("edit", "rp", "--in", "soon")
    #expect(unknown.status == 65 && unknown.errors.hasPrefix("suzu: edit: '--in' must be a duration"))
    // Hours that look like a date get the warning that 'notify' gives.
    #expect(
      try Self.usage(session, ["edit", "rp", "--every", "Mon-Fri 8-17"])
        == "suzu: edit: 'rp' has no time of day (every: 1h); '8-17' is a month and a day; for the hours, write 'Mon-Fri "
        + "8..17:00'; see 'suzu edit --help'\n")
    #expect(try session.suzu("edit", "rp", "--every", "Mon 07:30").errors == "")
    #expect(
      try session.suzu("edit", "rp", "--every", "Mon-Fri 8-17").errors
        == "suzu: edit: warning: '8-17' is a month and a day; for the hours, write 'Mon-Fri 8..17:00'\n")
  }

  @Test func `A repeated delay becomes another repetition, but gets no midnight by itself`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "Stretch", "--id", "again", "--in", "15m", "--repeat").status == 0)
    #expect(
      try Self.usage(session, ["edit", "again", "--every", "Tue"])
        == "suzu: edit: 'again' has no time of day (in: 15m, repeat: true); add one: --every 'Tue 08:00'; see 'suzu edit "
        + "--help'\n")
    #expect(try session.suzu("edit", "again", "--every", "20m").errors == "")
    let shown = try session.suzu("show", "again").output
    #expect(shown.contains("every:  20m\n") && !shown.contains("in:"), "\(shown)")
    #expect(try session.suzu("edit", "again", "--every", "8:00").errors == "")
    #expect(try session.suzu("show", "again").output.contains("every:  8:00\n"))
  }

  @Test func `A line for cron is no file`() throws {
    let session = try Session(hasCenter: false)
    #expect(
      try Self.complaint(session, ["import", "30 7 * * 1 /usr/bin/foo"])
        == "suzu: import: a file is expected, not a line for cron; use suzu notify TITLE --every 'Mon 07:30'\n")
    let crontab = try session.suzu("import", "-", input: "# m h dom\nSHELL=/bin/sh\n30 7 * * 1 /usr/bin/foo\n")
    #expect(
      crontab.status == 65
        && crontab.errors
          == "suzu: import: standard input is a crontab; make a request for each line: suzu notify TITLE "
          + "--every 'Mon 07:30'\n",
      "\(crontab.errors)")
  }

  @Test func `Words for all requests, and a flag instead of a user, are answered`() throws {
    let session = try Session()
    #expect(
      try Self.complaint(session, ["cancel", "all"])
        == "suzu: cancel: no pending request is called 'all'; for all of the app's requests, use 'suzu cancel --all'\n")
    for words in [["list", "--user"], ["list", "--user", "--json"], ["--user"]] {
      #expect(try Self.usage(session, words) == "suzu: '--user' needs a value: --user NAME\n")
    }
    #expect(
      try Self.usage(session, ["in", "5m", "Tea"])
        == "suzu: 'in' is not a command; use suzu notify Tea --in 5m; see 'suzu --help'\n")
    // A misspelt command stays one.
    #expect(
      try Self.usage(session, ["edti", "a", "--in", "5m"])
        == "suzu: 'edti' is not a command; did you mean 'edit'?; see 'suzu --help'\n")
  }

  private static func usage(_ session: Session, _ words: [String]) throws -> String {
    let ended = try session.suzu(words)
    #expect(ended.status == 64, "\(words): \(ended.errors)")
    return ended.errors
  }
}
