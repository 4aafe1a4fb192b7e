// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the errors of `suzu` for wrong arguments and missing parts: one line, and a status of sysexits.h.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct CommandLineTests {
  /// Runs without a bus, a home and a user.
  private static func suzu(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(Session.programs + "/suzu", arguments, environment: environment, input: input)
  }

  @Test(
    arguments: [
      (["notfiy", "x"], "'notfiy' is not a command; did you mean 'notify'?; see 'suzu --help'"),
      (["remove", "x"], "'remove' is not a command; use 'suzu cancel ID'; see 'suzu --help'"),
      (["delete"], "'delete' is not a command; use 'suzu cancel ID'; see 'suzu --help'"),
      (["ls"], "'ls' is not a command; use 'suzu list'; see 'suzu --help'"),
      (
        ["snooze", "x"],
        "'snooze' is not a command; use 'suzu edit ID --in 10m'; a request that repeats is snoozed by its own button: "
          + "'suzu respond ID BUTTON'; see 'suzu --help'"
      ),
      (
        ["notify", "T", "--ID", "5"], "notify: '--ID' is not an option; did you mean '--id'?; see 'suzu notify --help'"
      ),
      (["list", "--hlep"], "list: '--hlep' is not an option; did you mean '--help'?; see 'suzu list --help'"),
      (["list", "--usr", "x"], "list: '--usr' is not an option; did you mean '--user'?; see 'suzu list --help'"),
      (
        ["notify", "T", "--daily"], "notify: '--daily' is not an option; use '--every daily'; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--on", "friday"],
        "notify: '--on' is not an option; use '--at' for one date, and '--every' to repeat it; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--repeat", "15m"],
        "notify: '--repeat' takes no value; write --every 15m; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--action", "ok="],
        "notify: '--action ok=' needs a title: --action ok=TITLE; see 'suzu notify --help'"
      ),
      (["notify", "T", "--times", "3"], "notify: '--times' is not an option; use '--count'; see 'suzu notify --help'"),
      (["notify", "T", "--tz", "x"], "notify: '--tz' is not an option; use '--zone'; see 'suzu notify --help'"),
      (
        ["notify", "T", "--button", "x"],
        "notify: '--button' is not an option; use '--action'; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--body", "x"],
        "notify: '--body' is not an option; BODY is the second argument, without a flag; see 'suzu notify --help'"
      ),
      (
        ["notify", "--title", "x"],
        "notify: '--title' is not an option; TITLE is the first argument, without a flag; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--in", "1h", "--repeat", "6"],
        "notify: '--repeat' takes no value; for 6 dates add --count 6; see 'suzu notify --help'"
      ),
      (
        ["edit", "q", "--title", "y"],
        "edit: '--title' is not an option; TITLE is the second argument, without a flag; see 'suzu edit --help'"
      ),
      (["edit", "q", "--id", "r"], "edit: '--id' is not an option; an id cannot be changed; see 'suzu edit --help'"),
      (["edit", "q", "--wait"], "edit: '--wait' is not an option; only 'suzu notify' has it; see 'suzu edit --help'"),
      (["frobnicate"], "'frobnicate' is not a command; see 'suzu --help'"),
      (["notify"], "notify: a title is missing; see 'suzu notify --help'"),
      (
        ["notify", "a", "b", "c"],
        "notify: unexpected argument 'c'; put the title and the body in quotes; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--actoin", "a=A"],
        "notify: '--actoin' is not an option; did you mean '--action'?; see 'suzu notify --help'"
      ),
      (["notify", "T", "--wait=yes"], "notify: '--wait' takes no value; see 'suzu notify --help'"),
      (["notify", "T", "--url"], "notify: '--url' needs a value: --url [ID=]URL; see 'suzu notify --help'"),
      (["notify", "T", "-x"], "notify: '-x' is not an option; see 'suzu notify --help'"),
      (["notify", "T", "--action", "=x"], "notify: '--action =x' must be [ID=]TITLE; see 'suzu notify --help'"),
      (
        ["notify", "T", "-level", "x"],
        "notify: '-level' is not an option; did you mean '--level'?; see 'suzu notify --help'"
      ),
      (["help", "lst"], "'lst' is not a command; did you mean 'list'?; see 'suzu --help'"),
      (["--hlep"], "'--hlep' is not an option; did you mean '--help'?; see 'suzu --help'"),
      (["notify", "T", "--user-info", "=x"], "notify: '--user-info =x' must be KEY=VALUE; see 'suzu notify --help'"),
      (
        ["notify", "T", "--match", "weekday=2,7"],
        "notify: '--match weekday=2,7' must be PART=NUMBER,…, such as weekday=2,hour=7; see 'suzu notify --help'"
      ),
      (["notify", "T", "--repeat=yes"], "notify: '--repeat' takes no value; see 'suzu notify --help'"),
      (["list", "x"], "list: unexpected argument 'x'; see 'suzu list --help'"),
      (["history", "x", "y"], "history: unexpected argument 'y'; see 'suzu history --help'"),
      (["list", "-n", "0"], "list: '--limit 0' must be a positive integer; see 'suzu list --help'"),
      (["list", "-nmany"], "list: '--limit many' must be a positive integer; see 'suzu list --help'"),
      (["list", "-n"], "list: '--limit' needs a value: --limit N; see 'suzu list --help'"),
      (["list", "-m"], "list: '-m' is not an option; see 'suzu list --help'"),
      (
        ["history", "--lmit", "3"],
        "history: '--lmit' is not an option; did you mean '--limit'?; see 'suzu history --help'"
      ),
      (["cancel"], "cancel: an id or '--all' is missing; see 'suzu cancel --help'"),
      (["dismiss"], "dismiss: an id or '--all' is missing; see 'suzu dismiss --help'"),
      (["cancel", "--all", "x"], "cancel: '--all' and 'x' cannot be combined; see 'suzu cancel --help'"),
      (["respond"], "respond: an id is missing; see 'suzu respond --help'"),
      (["respond", "x"], "respond: an action is missing; see 'suzu respond --help'"),
      (["respond", "x", "a", "b"], "respond: unexpected argument 'b'; see 'suzu respond --help'"),
      (["next"], "next: an expression or an id is missing, such as 'Mon 07:30'; see 'suzu next --help'"),
      (["next", "15m", "-n", "-3"], "next: '--number -3' must be a positive integer; see 'suzu next --help'"),
      (["watch", "x"], "watch: unexpected argument 'x'; see 'suzu watch --help'"),
      (["doctor", "x"], "doctor: unexpected argument 'x'; see 'suzu doctor --help'"),
      (["popups", "x"], "popups: unexpected argument 'x'; see 'suzu popups --help'"),
      (["doctor", "--jsno"], "doctor: '--jsno' is not an option; did you mean '--json'?; see 'suzu doctor --help'"),
    ] as [([String], String)])
  func `A wrong command line gives status 64, and a suggestion if one is near`(arguments: [String], line: String) throws
  {
    let ended = try Self.suzu(arguments)
    #expect(ended.status == 64)
    #expect(ended.errors == "suzu: \(line)\n")
    #expect(ended.output == "")
  }

  @Test(arguments: [
    (#"{"title": "x",}"#, "line 1, column 15: "), ("{\n  \"title\": tru\n}", "line 2, column 12: "),
    (#"{"title": "ü" "#, "line 1, column 15: "), (#"{"title": null}"#, "line 1, column 11: "),
    (#"{"title": "x"} {}"#, "line 1, column 16: "), (#"{"a": "\ud800"}"#, "line 1, column "),
    (String(repeating: "[", count: 100_000), "line 1, column "),
  ])
  func `Bad JSON gives status 65 with line and column`(json: String, place: String) throws {
    let ended = try Self.suzu(["notify", "--file", "-"], input: json)
    #expect(ended.status == 65)
    #expect(ended.errors.hasPrefix("suzu: notify: standard input, \(place)"), "\(ended.errors)")
    #expect(ended.errors.count { $0 == "\n" } == 1)
  }

  @Test func `The error for a missing, special or binary file names it`() throws {
    let folder = try TemporaryFolder()
    let bytes = folder.path("bytes")
    try Data([0x22, 0xff, 0xfe, 0x22]).write(to: URL(filePath: bytes))
    let utf16 = folder.path("utf16")
    try Data([0xff, 0xfe, 0x7b, 0x00]).write(to: URL(filePath: utf16))
    for (file, status, problem) in [
      ("/no/such", Int32(66), "/no/such: No such file or directory"), (folder.path(""), 66, "Is a directory"),
      (bytes, 65, "bytes is not UTF-8 text (line 1, column 2)"),
      (utf16, 65, "utf16 is UTF-16 text; save it as UTF-8"),
      (try folder.write("{\n  // tea\n}", to: "comment"), 65, "comment, line 2, column 3: JSON has no comments"),
      (
        try folder.write("{\"title\": \"x\",\n # tea\n}", to: "hash"), 65,
        "hash, line 2, column 2: JSON has no comments"
      ), ("/dev/zero", 65, "/dev/zero: larger than"),
      (try folder.write("[1, 2]", to: "list"), 65, "list, line 1, column 2: '[0]' must be a dictionary"),
      (try folder.write("7", to: "number"), 65, "number: a request must be a dictionary"),
    ] {
      let ended = try Self.suzu(["notify", "--file", file])
      #expect(ended.status == status)
      #expect(ended.errors.contains(problem), "\(ended.errors)")
    }
  }

  @Test func `A wrong value gives status 65 and names the flag as it was typed, with one example`() throws {
    let session = try Session()
    #expect(try session.suzu("category", "set", "invite", "--action", "a=A").status == 0)
    #expect(try session.suzu("notify", "T", "--id", "t", "--in", "1h").status == 0)
    for (arguments, problem) in [
      (["notify", "T", "--progress", "much"], "'--progress' must be an integer from 0 to 100, not 'much'\n"),
      (
        ["notify", "T", "--progress", "50%"],
        "'--progress' must be an integer from 0 to 100, not '50%'; did you mean '50'?\n"
      ),
      (["notify", "T", "--in", "soon"], "'--in' must be a duration"),
      (
        ["notify", "T", "--in", "10"],
        "'--in' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '10'; did you mean '10m'?\n"
      ),
      (["notify", "T", "--every", "10"], "'--every': '10' is not a duration; did you mean '10m'?\n"),
      (["notify", "T", "--level", "urgent"], "'--level' must be one of"),
      (["notify", "T", "--url", "no url"], "'--url' must be a URL"),
      (["notify", "T", "--action", "a=A", "--url", "a=no url"], "'--url a=…' must be a URL"),
      (["notify", "T", "-c", "nobodys"], "'-c' names 'nobodys', which is not registered; see 'suzu category list'\n"),
      (["notify", "T", "-c", "invit"], "'-c' names 'invit', which is not registered; did you mean 'invite'?\n"),
      (
        ["notify", "T", "--at", "8:00", "--count", "3"],
        "'--count': applies only to repetitions; for example '--every 15m'\n"
      ),
      (["notify", "T", "--in", "5m", "--at", "8:00"], "'--in' and '--at' cannot be combined; give one of them\n"),
      (["notify", "T", "--at", "yesterday"], "'--at': 'yesterday' means a past date; for example 'tomorrow 07:30'\n"),
      (["notify", "T", "--at", "2027-02-30"], "'--at': '2027-02-30' does not exist: 2027-02 has 28 days\n"),
      (["notify", "T", "--at", "3/4"], "'--at': '3/4' is ambiguous; write '3 april' or '4 march'\n"),
      (
        ["notify", "T", "--at", "7:30 Europe/Paris"],
        "'--at': 'Europe/Paris' is not a date or time (column 6); give a time zone by '--zone Europe/Paris'\n"
      ),
      // The user's own word became a flag.
      (["notify", "T", "--every", "every day"], "'--every': 'every' is not needed; write 'daily'\n"),
      (
        ["notify", "T", "--every", "until 7:30"], "'--every': 'until' is neither a weekday nor a shorthand (column 1); "
      ),
      (["notify", "T", "--at", "count"], "'--at': 'count' is not a date or time; for example 'tomorrow 07:30'\n"),
      (["notify", "T", "--every", "7:30 am"], "'--every': 'am' is not a time zone (column 6); write '07:30'\n"),
      (["notify", "T", "--at", "7"], "'--at': 7 could be an hour or a day; write '7:00', or a month after the day\n"),
      (
        ["notify", "T", "--url", "example.org/x"],
        "'--url' must be a URL such as 'https://example.org/', at most 2048 bytes, without blanks; did you mean "
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
        "'--repeat': applies only to '--in' and '--match'; for example '--every 07:30'\n"
      ),
      (["notify", "T", "--match", "day=1", "--count", "2"], "'--count': requires '--repeat' with '--match'\n"),
      (["notify", "T", "--launch", "Fake App"], "'--launch' must be "),
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
        "'--every' is for times; for a calendar rule, use --rule 'FREQ=DAILY'\n"
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
      (
        ["notify", String(repeating: "x", count: 100_000)],
        "the title must have at most 4096 bytes, not 100000; put a long text into the body\n"
      ),
    ] {
      let ended = try Self.suzu(arguments, environment: session.environment)
      #expect(ended.status == 65)
      #expect(ended.errors.hasPrefix("suzu: \(arguments[0]): \(problem)"), "\(ended.errors)")
    }
  }

  @Test func `An argument that is not UTF-8 is refused before anything is sent`() throws {
    let session = try Session()
    let ended = try session.run(
      "/bin/sh", "-c", "exec '\(Session.programs)/suzu' notify T \"$(printf 'a\\377')\"")
    #expect(ended.status == 64 && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: argument 3 is not UTF-8 text: 'a"), "\(ended.errors)")
    #expect(try session.process(of: "dev.suzu.Center") == nil)
  }

  @Test func `An error of the center about a request in a file names the file and the line`() throws {
    let session = try Session()
    func notify(_ text: String, _ flags: String...) throws -> String {
      let file = try session.folder.write(text, to: "r.json")
      let ended = try session.suzu(["notify", "--file", file] + flags)
      #expect(ended.status == 65 && ended.output == "")
      return ended.errors.replacingOccurrences(of: file, with: "FILE")
    }
    let end = "which is not registered; see 'suzu category list'\n"
    #expect(
      try notify("{\"title\": \"x\",\n \"category\": \"none\"}")
        == "suzu: notify: FILE, line 2, column 14: 'category' names 'none', \(end)")
    #expect(
      try notify("[{\"title\": \"x\"},\n {\"title\": \"y\", \"category\": \"none\"}]")
        == "suzu: notify: FILE, line 2, column 29: '[1].category' names 'none', \(end)")
    #expect(
      try notify(#"{"title": "x"}"#, "--category", "none") == "suzu: notify: '--category' names 'none', \(end)")
    let long = String(repeating: "x", count: 300_000)
    #expect(
      try notify("{\"title\": \"x\", \"body\": \"\(long)\"}").hasPrefix(
        "suzu: notify: FILE: the request has 300023 bytes"))
  }

  @Test func `A file may begin with a byte order mark`() throws {
    let session = try Session()
    let file = try session.folder.write("\u{FEFF}{\"title\": \"x\", \"id\": \"x\", \"in\": \"1h\"}", to: "bom.json")
    let sent = try session.suzu("notify", "--file", file)
    #expect(sent.status == 0 && sent.output == "x\n", "\(sent.errors)")
  }

  @Test func `A calendar given to notify names the command that reads it`() throws {
    let ended = try Self.suzu(["notify", "--file", "-"], input: "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    #expect(ended.status == 65)
    #expect(
      ended.errors
        == "suzu: notify: standard input is a calendar; its alarms become requests with 'suzu import -'\n")
  }

  @Test(
    arguments: [
      (#"{"titel": "x"}"#, [], "standard input, line 1, column 2: 'titel' is not a known key; did you mean 'title'?"),
      (
        "{\"title\": \"x\", \"actions\": [\n  {\"id\": \"a\"},\n  {\"id\": \"b\", \"url\": \"nowhere\"}]}", [],
        "standard input, line 3, column 22: 'actions[1].url' must be a URL such as 'https://example.org/', at most 2048 bytes, without blanks"
      ),
      (
        "{\"title\": \"x\",\n \"every\": \"Mon,Tues 07:30\"}", [],
        "standard input, line 2, column 11: 'every': 'Tues' is neither a weekday nor a shorthand (column 5); write 'Mon,Tue 07:30'"
      ),
      (
        "[{\"title\": \"x\"},\n {\"title\": \"y\", \"at\": \"soon\"}]", [],
        "standard input, line 2, column 23: '[1].at': 'soon' is not a date or time; for example 'tomorrow 07:30'"
      ),
      (
        #"[{"title": "x", "every": "1h", "zone": "Europe/Pari"}]"#, [],
        "standard input, line 1, column 40: '[0].zone': 'Europe/Pari': unknown time zone; for example 'Europe/Paris'"
      ),
      (
        #"[{"title": "x", "every": "1h", "zone": "Paris"}]"#, [],
        "standard input, line 1, column 40: '[0].zone': 'Paris': unknown time zone; did you mean 'Europe/Paris'?"
      ),
      (
        #"{"title": "x", "in": "1h", "count": 3}"#, [],
        "standard input, line 1, column 37: 'count': applies only to repetitions; for example 'every: 15m'"
      ),
      (
        "<plist><dict><key>title</key>\n<integer>7</integer></dict></plist>", [],
        "standard input, line 2, column 1: 'title' must be a string, not 7"
      ),
      // A value from a flag has no line in the file.
      (
        #"{"title": "x", "level": "active"}"#, ["--level", "loud"],
        "'--level' must be one of 'passive', 'active', 'timeSensitive', 'critical', not 'loud'"
      ),
      (
        #"[{"title": "x"}]"#, ["--badge", "many"],
        "'--badge' must be an integer from 0 to 2147483647, not 'many'"
      ),
    ] as [(String, [String], String)])
  func `An error in a file is reported with its place, without a bus`(
    file: String, flags: [String], line: String
  ) throws {
    let ended = try Self.suzu(["notify", "--file", "-"] + flags, input: file)
    #expect(ended.status == 65)
    #expect(ended.errors == "suzu: notify: \(line)\n")
  }

  @Test func `An error in a binary property list names the key`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("request.plist")
    let list = [["title": "x"], ["title": "y", "style": "loud"]]
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(
      to: URL(filePath: file))
    let ended = try Self.suzu(["notify", "--file", file])
    #expect(ended.status == 65)
    #expect(ended.errors == "suzu: notify: \(file): '[1].style' must be one of 'banner', 'alert', not 'loud'\n")
  }

  @Test(arguments: [
    ["notify", "x"], ["notify", "x", "--wait"], ["watch"], ["popups"], ["list"], ["history", "--json"],
    ["cancel", "x"], ["dismiss", "--all"], ["respond", "x", "y"],
  ])
  func `A missing bus gives status 69 and is named`(arguments: [String]) throws {
    let unset = try Self.suzu(arguments)
    #expect(unset.status == 69)
    #expect(
      unset.errors.hasPrefix("suzu: \(arguments[0]): no session bus: DBUS_SESSION_BUS_ADDRESS is not set"),
      "\(unset.errors)")
    for address in ["unix:path=/nowhere/bus", "nonsense", "autolaunch:", "unixexec:path=/bin/false", "tcp:host=;"] {
      let wrong = try Self.suzu(arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
      #expect(wrong.status == 69)
      #expect(wrong.errors.contains(address), "\(wrong.errors)")
    }
  }

  @Test(arguments: [
    ["notify", "x"], ["notify", "x", "--wait"], ["watch"], ["list", "--json"], ["history"], ["cancel", "--all"],
    ["dismiss", "x"], ["respond", "x", "y"],
  ])
  func `A missing center gives status 69 and a remedy`(arguments: [String]) throws {
    let session = try Session(hasCenter: false)
    let ended = try Self.suzu(arguments, environment: session.environment)
    #expect(ended.status == 69)
    #expect(
      ended.errors.hasPrefix(
        "suzu: \(arguments[0]): the center is not running and the bus cannot start it; start 'suzud'"))
  }

  @Test func `A center that cannot be started gives status 69`() throws {
    let session = try Session(hasCenter: false, services: ["dev.suzu.Center": "/bin/false"])
    let ended = try Self.suzu(["notify", "x"], environment: session.environment)
    #expect(ended.status == 69)
    #expect(ended.errors.hasPrefix("suzu: notify: the bus could not start the center"), "\(ended.errors)")
  }

  @Test func `Every verb prints help and version on standard output`() throws {
    for arguments in [["--help"], ["-h"], ["help"], ["help", "notify"], ["notify", "--help"], ["watch", "-h"]] {
      let ended = try Self.suzu(arguments)
      #expect(ended.status == 0 && ended.errors == "")
      #expect(ended.output.hasPrefix("suzu"))
    }
    #expect(try Self.suzu(["--version"]).output.wholeMatch(of: /suzu \d+\.\d+\.\d+\n/) != nil)
    #expect(try Self.suzu(["notify", "--help"]).output.contains("--action [ID=]TITLE"))
  }

  @Test func `Everything behind two dashes is a word`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.suzu("notify", "--", "--help", "-x").status == 0)
    #expect(popups.readLines(until: "from")?.prefix(2) == ["#1 --help", "    -x"])
  }

  // MARK: doctor

  @Test func `Without a command the first ones are listed`() throws {
    let ended = try Self.suzu([])
    #expect(ended.status == 0 && ended.errors.isEmpty)
    #expect(ended.output.contains("suzu notify 'Tea is ready' --in 4m") && ended.output.contains("suzu --help"))
    #expect(ended.output.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.count <= 110 })
  }

  @Test func `Doctor reports missing parts and ends with 69`() throws {
    let noBus = try Self.suzu(["doctor"], environment: ["PATH": "/nowhere"])
    #expect(noBus.status == 69 && noBus.errors == "")
    let lines = noBus.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("MISSING  session bus: no session bus: ") == true)
    #expect(lines[1] == "partly   opening URLs: 'xdg-open' is not installed; get it with: apt install xdg-utils")
    #expect(lines.last?.hasPrefix("partly   dialogs: neither 'zenity' nor 'kdialog' is installed") == true)

    let bare = try Session(hasCenter: false).suzu("doctor")
    #expect(bare.status == 69)
    #expect(bare.output.contains("ok       session bus: unix:path="))
    #expect(bare.output.contains("MISSING  center: not running, and the bus does not know how to start it"))
    #expect(bare.output.contains("MISSING  notification server: none; notifications wait for one"))
  }

  @Test func `Doctor finds everything, changes nothing, and ends with 0`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let before = try session.suzu("doctor")
    #expect(before.status == 0, "\(before.output)")
    #expect(before.output.contains("ok       center: not running; the bus starts it when it is needed"))
    #expect(before.output.contains("ok       notification server: suzu popups 0.1.0 by Suzu"))
    #expect(before.output.contains("What you get here:\n  "))
    #expect(before.output.contains("ok       buttons: no limit"))
    #expect(try session.process(of: "dev.suzu.Center") == nil)
    #expect(try session.suzu("notify", "x").status == 0)
    #expect(popups.readLine() == "#1 x")
    let after = try session.suzu("doctor", "--json")
    #expect(after.status == 0)
    let findings = try #require(
      try JSONSerialization.jsonObject(with: Data(after.output.utf8)) as? [[String: String]])
    #expect(findings.first { $0["what"] == "center" }?["text"] == "suzud 0.1.0 runs")
    let store = findings.first { $0["what"] == "store" }?["text"] ?? ""
    #expect(store.hasPrefix("0 pending in /") && store.hasSuffix("/suzu"), "\(store)")
    #expect(findings.first { $0["what"] == "time zone" }?["text"] == "UTC")
    #expect(findings.contains { $0["what"] == "waking the machine" })
    #expect(findings.allSatisfy { ["good", "degraded"].contains($0["state"]) && $0["text"] != "" })
  }
}
