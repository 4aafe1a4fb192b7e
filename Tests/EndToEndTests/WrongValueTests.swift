// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests the errors of `suzu` for wrong values of flags: they name the flag as it was typed.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct WrongValueTests {
  @Test func `A wrong value gives status 65 and names the flag as it was typed, with one example`() throws {
    let session = try Session()
    #expect(try session.suzu("category", "set", "invite", "--action", "a=A").status == 0)
    #expect(try session.suzu("notify", "T", "--id", "t", "--in", "1h").status == 0)
    for (arguments, problem) in [
      (["notify", "   "], "the title must not be blank: a notification without any text cannot be shown\n"),
      (["notify", "\u{200b}\u{7}\u{2060}\u{ad}"], "the title must not be blank: a notification without any text"),
      (["edit", "t", "\u{200b}"], "the title must not be blank: a notification without any text cannot be shown\n"),
      (["notify", "T", "--missed", "maybe"], "'--missed' must be one of"),
      (
        ["notify", "T", "--grace", "5"],
        "'--grace' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '5'; it also needs "
          + "a date"
      ),
      (["notify", "T", "--user-info", "=x"], "'--user-info =x' must be KEY=VALUE\n"),
      (
        ["notify", "T", "--match", "weekday=2,7"],
        "'--match weekday=2,7' must be PART=NUMBER,…, such as weekday=2,hour=7\n"
      ),
      (["list", "-n", "0"], "'--limit 0' must be a positive integer\n"),
      // They named an invisible column, or the quotes of a Wi-Fi name.
      (
        ["place", "add", "home", "91,0"],
        "the place needs latitude and longitude in degrees, from -90 to 90 and from -180 to 180, not '91,0'\n"
      ),
      (
        ["place", "add", "home", "52.5", "13.4"],
        "latitude and longitude are one word with a comma: 52.5,13.4\n"
      ),
      (
        ["place", "add", "home", "52.5,13.4", "200"],
        "the place needs a radius from 1m to 1000km, not '200'; did you mean '200m'?\n"
      ),
      (["list", "-nmany"], "'--limit many' must be a positive integer\n"),
      (["next", "15m", "-n", "-3"], "'--number -3' must be a positive integer\n"),
      (["notify", "T", "--urgency", "bogus"], "'--urgency bogus' must be low, normal or critical\n"),
      (
        ["notify", "T", "--at", "8:00", "--count", "six"],
        "'--count' must be an integer from 1 to 2147483647, not 'six'\n"
      ),
      (["next", "daily", "--number", "abc"], "'--number abc' must be a positive integer\n"),
      (["notify", "T", "--progress", "much"], "'--progress' must be an integer from 0 to 100, not 'much'\n"),
      (
        ["notify", "T", "--progress", "50%"],
        "'--progress' must be an integer from 0 to 100, not '50%'; did you mean '50'?\n"
      ),
      (["notify", "T", "--relevance", "2"], "'--relevance' must be a number from 0 to 1, not 2.0\n"),
      (["notify", "T", "--relevance", "high"], "'--relevance' must be a number from 0 to 1, not 'high'\n"),
      (["notify", "T", "--summary-count", "0"], "'--summary-count' must be an integer from 1 to 1000000, not 0\n"),
      (
        ["category", "set", "c", "--summary", "{number} more"],
        "'--summary' has the unknown placeholder {number}; known are {count} and {names}; write {{…}} for literal braces\n"
      ),
      (
        ["category", "set", "c", "--hidden", "{names}"],
        "'--hidden' has the unknown placeholder {names}; known is {count}; write {{…}} for literal braces\n"
      ),
      (["notify", "T", "--in", "soon"], "'--in' must be a duration"),
      (
        ["notify", "T", "--in", "10"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '10'; did you mean '10m'?\n"
      ),
      (["notify", "T", "--every", "10"], "'--every': '10' is not a duration; did you mean '10m'?\n"),
      (["notify", "T", "--level", "urgent"], "'--level' must be one of"),
      (
        ["notify", "T", "--url", "not a url"],
        "'--url' must be a URL such as 'https://example.org/', at most 2048 bytes, without blanks, not 'not a url'\n"
      ),
      (["notify", "T", "--action", "a=A", "--url", "a=no url"], "'--url a=…' must be a URL"),
      (["notify", "T", "-c", "nobodys"], "'-c' names 'nobodys', which is not registered; see 'suzu category list'\n"),
      (["notify", "T", "-c", "invit"], "'-c' names 'invit', which is not registered; did you mean 'invite'?\n"),
      (
        ["notify", "T", "--at", "8:00", "--count", "3"],
        "'--count' applies only to repetitions; for example '--every 15m'\n"
      ),
      (["notify", "T", "--in", "5m", "--at", "8:00"], "'--in' and '--at' cannot be combined; give one of them\n"),
      (["notify", "T", "--at", "yesterday"], "'--at': 'yesterday' means a past date; for example 'tomorrow 07:30'\n"),
      (["notify", "T", "--at", "2027-02-30"], "'--at': '2027-02-30' does not exist: 2027-02 has 28 days\n"),
      (["notify", "T", "--at", "3/4"], "'--at': '3/4' is ambiguous; write '3 april' or '4 march'\n"),
      (
        ["notify", "T", "--at", "7:30 Europe/Paris"],
        "'--at' has no time zone; give it by --zone: --at 7:30 --zone Europe/Paris\n"
      ),
      // The user's own word became a flag.
      (["notify", "T", "--every", "every day"], "'--every': 'every' is not needed; write 'daily'\n"),
      (
        ["notify", "T", "--every", "until 7:30"], "'--every': 'until' is neither a weekday nor a shorthand (column 1); "
      ),
      (["notify", "T", "--at", "count"], "'--at': 'count' is not a date or time; for example 'tomorrow 07:30'\n"),
      (["notify", "T", "--every", "7:30 am"], "'--every': '7:30 am' is not a schedule; write '07:30'\n"),
      (["notify", "T", "--at", "19h"], "'--at': '19h' could be a time or a delay; write '19:00' or 'in 19h'\n"),
      (
        ["notify", "T", "--every", "1d", "--until", "8 H"],
        "'--until': '8 H' could be a time or a delay; write '08:00' or 'in 8h'\n"
      ),
      (["notify", "T", "--at", "7"], "'--at': 7 could be an hour or a day; write '7:00', or a month after the day\n"),
      (
        ["notify", "T", "--url", "example.org/x"],
        "'--url' must be a URL such as 'https://example.org/', at most 2048 bytes, without blanks, not 'example.org/x'; did you mean "
          + "'https://example.org/x'?\n"
      ),
      (
        ["notify", "T", "--level", "high"],
        "'--level' must be one of 'passive', 'active', 'timeSensitive', 'critical', not 'high'; did you mean 'critical'?\n"
      ),
      (
        ["notify", "T", "--every", "1h", "--until", "yesterday"],
        "'--until': 'yesterday' has passed; give a later time, or none\n"
      ),
      (
        ["notify", "T", "--every", "last friday"],
        "'--every': 'last friday' needs a rule; use --rule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9'\n"
      ),
      (["notify", "T", "--every", "10 minutes"], "'--every': '10 minutes' is not a duration; write '10m'\n"),
      (
        ["notify", "T", "--in", "1.5h"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '1.5h'; write '1h30m'\n"
      ),
      (
        ["notify", "T", "--repeat", "--at", "8:00"],
        "'--repeat' applies only to '--in', '--match' and '--on'; '--every' repeats without it\n"
      ),
      (["notify", "T", "--match", "day=1", "--count", "2"], "'--count' requires '--repeat' with '--match'\n"),
      (
        ["notify", "T", "--launch", "Fake App"],
        "'--launch' must be a desktop-entry id such as 'org.gnome.Calendar', or 'id:action', not 'Fake App'; 'suzu launcher "
          + "list' shows the ids\n"
      ),
      (["notify", "T", "--action", "a=A", "--launch", "a=Fake App"], "'--launch a=…' must be "),
      (
        ["notify", "T", "--at", "8:00", "--zone", "New York"],
        "'--zone': 'New York': not a time zone name; did you mean 'America/New_York'?\n"
      ),
      (
        ["notify", "T", "--at", "8:00", "--zone", "Europe/Pari"],
        "'--zone': 'Europe/Pari': unknown time zone; did you mean 'Europe/Paris'?\n"
      ),
      (
        ["notify", "T", "--at", "8:00", "--zone", "paris"],
        "'--zone': 'paris': unknown time zone; did you mean 'Europe/Paris'?\n"
      ),
      (
        ["notify", "T", "--match", "day=99"],
        "'--match': day must be 1 to 31, not 99; for example 'weekday=2,hour=7'\n"
      ),
      // The status was 64 for a name, and 65 for a number out of range.
      (
        ["notify", "T", "--match", "weekday=monday"],
        "'--match': weekday must be an integer, not 'monday'; write 'weekday=2' (1 is Sunday)\n"
      ),
      (["notify", "T", "--match", "day=last"], "'--match': day must be an integer, not 'last'\n"),
      (["notify", "T", "--zone", "Europe/Paris"], "'--zone' needs a date; for example '--at 07:30'\n"),
      (["notify", "T", "--grace", "5m"], "'--grace' needs a date; for example '--at 07:30'\n"),
      (["notify", "T", "--wake"], "'--wake' needs a date; for example '--at 07:30'\n"),
      (["notify", "T", "--missed", "skip"], "'--missed' needs a date; for example '--at 07:30'\n"),
      (
        ["notify", "T", "--in", "5m", "--zone", "Europe/Paris"],
        "'--zone' has no effect on '--in', which is elapsed time\n"
      ),
      (
        [
          "notify", "T", "--user-info", "a=" + String(repeating: "x", count: 100_000),
          "--user-info", "b=" + String(repeating: "x", count: 100_000), "--user-info",
          "c=" + String(repeating: "x", count: 100_000),
        ],
        "the request has 300047 bytes; the limit is 256 KiB; keep long texts in a file, and let a button open it\n"
      ),
      (["notify", "T", "--in", "7:30"], "'--in' is for a duration; for a date or a time of day, use --at 7:30\n"),
      (
        ["notify", "T", "--in", "tomorrow"],
        "'--in' is for a duration; for a date or a time of day, use --at tomorrow\n"
      ),
      (
        ["notify", "T", "--on", "friday 18:00"],
        "'--on' is for a condition; for a date or a time of day, use --at 'friday 18:00'\n"
      ),
      (
        ["notify", "T", "--on", "Mon..Fri 07:30"],
        "'--on' is for a condition; for times, use --every 'Mon..Fri 07:30'\n"
      ),
      (
        ["notify", "T", "--in", "1h30"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '1h30'; "
          + "did you mean '1h30m'?\n"
      ),
      (["notify", "T", "--every", "24h30"], "'--every': '24h30' is not a duration; did you mean '24h30m'?\n"),
      (
        ["notify", "T", "--at", "7:30", "--grace", "5"],
        "'--grace' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '5'; "
          + "did you mean '5m'?\n"
      ),
      (["notify", "T", "--rule", "15m"], "'--rule' is for a calendar rule; for a duration, use --every 15m\n"),
      (
        ["notify", "T", "--every", "FREQ=DAILY"],
        "'--every' is for times; for a calendar rule, use --rule FREQ=DAILY\n"
      ),
      (
        ["notify", "T", "--every", "tomorrow 7:30"],
        "'--every' is for repetitions; for one date, use --at 'tomorrow 7:30'\n"
      ),
      (
        ["notify", "T", "--every", "*/15 * * * *"], "'--every' does not take a line for cron; write '15m' or '*:0/15'\n"
      ),
      (["notify", "T", "--every", "30 7 * * *"], "'--every' does not take a line for cron; write '*-*-* 07:30'\n"),
      (["notify", "T", "--at", "mon,tue 7:30"], "'--at' is for one date; to repeat it, use --every 'mon,tue 7:30'\n"),
      (
        ["notify", "T", "--at", "every monday 7:30"], "'--at' is for one date; to repeat it, use --every 'Mon 7:30'\n"
      ),
      (["notify", "T", "--at", "0730"], "'--at' needs a time such as '07:30'; did you mean '07:30'?\n"),
      (
        ["notify", "T", "--at", "2035-2-3 8:00"], "'--at' needs two digits for month and day; write '2035-02-03 8:00'\n"
      ),
      (
        ["notify", "T", "--at", "7:30 CET"], "'--at' has no time zone; give it by --zone: --at 7:30 --zone CET\n"
      ),
      (["notify", "T", "--at", "tonight"], "'--at': 'tonight' needs a time; for example 'today 18:00'\n"),
      (
        ["notify", "T", "--every", "07:30 Europe/Pari"],
        "'--every': 'Europe/Pari': unknown time zone; did you mean 'Europe/Paris'?\n"
      ),
      (["next", "7:30", "--zone", "Mars"], "'--zone': 'Mars': unknown time zone; for example 'Europe/Paris'\n"),
      (
        ["notify", "T", "--rule", "FREQ=DAILY;COUNT=3", "--count", "2"],
        "'--count': the rule has its own limit, COUNT; give only one of the two\n"
      ),
      (
        ["launcher", "register", "--delay", "x"],
        "'--delay' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not 'x'\n"
      ),
      (["edit", "nosuch"], "no request is called 'nosuch'"),
      (["apps", "allow", "a b"], "'a b' must be a desktop-entry id such as 'org.gnome.Calendar'\n"),
      (["edit", "t", "--count", "many"], "'--count' must be an integer from 1 to 2147483647, not 'many'\n"),
      (
        ["category", "set", "c", "--action", "a=A", "--minimal", "b"],
        "'--minimal' names 'b', which is not one of its actions\n"
      ),
      (["notify", ""], "the title must not be empty"),
      (
        ["notify", "T", "--app", "not an app"],
        "'--app' must be a desktop-entry id such as 'org.gnome.Calendar', not 'not an app'; '--app-name' is the text that is shown\n"
      ),
    ] {
      let ended = try BareCommand.suzu(arguments, environment: session.environment)
      #expect(ended.status == 65)
      #expect(ended.errors.hasPrefix("suzu: \(arguments[0]): \(problem)"), "\(ended.errors)")
    }
  }
}
