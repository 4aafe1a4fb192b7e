// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzu

/// Tests parsing of command-line flags and words, and of the flags of `suzu notify`.
@Suite struct ArgumentsTests {
  static let flags = [
    Flag("number", letter: "n", "N", "many"), Flag("quiet", letter: "q", nil, "silent"), Flag("zone", "ZONE", "where"),
  ]

  static func read(_ words: String...) throws(CommandError) -> Arguments { try Arguments(words, flags: flags) }

  @Test(arguments: [
    ["-n", "5"], ["-n5"], ["--number", "5"], ["--number=5"], ["-qn5"], ["-qn", "5"],
  ])
  func `A letter is a short form of its flag`(words: [String]) throws {
    let arguments = try Arguments(words + ["word"], flags: Self.flags)
    #expect(try arguments.count("number") == 5)
    #expect(arguments.words == ["word"])
  }

  @Test func `Values may look like flags and words after two dashes are words`() throws {
    let arguments = try Self.read("-q", "--zone=--number", "-", "--", "-n", "--quiet")
    #expect(arguments.has("quiet") && arguments.value("zone") == "--number")
    #expect(arguments.words == ["-", "-n", "--quiet"])
  }

  @Test func `In notify-send's own mode the last value counts, and a flag may be a value, as in GLib`() throws {
    let words = ["-n", "7", "--zone", "--number", "--number=5"]
    let arguments = try Arguments(words, flags: Self.flags, isLenient: true)
    #expect(try arguments.count("number") == 5 && arguments.value("zone") == "--number")
  }

  @Test(arguments: [
    (["-x"], "'-x' is not an option"), (["-qx"], "'-qx' is not an option"),
    (["-zone"], "'-zone' is not an option; did you mean '--zone'?"),
    (["-ZONE=1"], "'-ZONE' is not an option; did you mean '--zone'?"),
    (["- a text"], "'- a text' is not an option; put -- before a text that begins with a dash"),
    (["-n"], "'--number' needs a value: --number N"),
    (["--quiet=1"], "'--quiet' takes no value"),
    (["-n", "7", "-n5"], "'--number' is given twice: '7' and '5'"),
    (["--zone", "--number", "3"], "'--zone' needs a value: --zone ZONE"),
    (["--number5"], "'--number5' is not an option; did you mean '--number 5'?"),
    (["-number", "5"], "'-number' is not an option; did you mean '--number'?"),
    (["--numbr", "1"], "'--numbr' is not an option; did you mean '--number'?"),
  ])
  func `Unknown or misused flags are rejected`(words: [String], message: String) {
    let error = #expect(throws: CommandError.self) { try Arguments(words, flags: Self.flags) }
    #expect(error == .usage(message))
  }

  // MARK: notify

  static func words(_ words: String...) throws -> [String: PlainValue] {
    try NotifyCommand.words(Arguments(words, flags: NotifyCommand.flags))
  }

  @Test func `Flags map to the keys of a request`() throws {
    let words = try Self.words(
      "--at", "tomorrow 07:30", "--every", "Mon 07:30", "--rule", "FREQ=DAILY", "--match", "weekday=2,hour=7",
      "--repeat", "--zone", "Europe/Paris", "--from", "mon", "--until", "2027-01-01", "--count", "3", "--missed",
      "each",
      "--grace", "5m", "--wake", "--sound", "bell", "--badge", "0", "--thread", "t", "--markup", "--category",
      "im.received", "--in", "5m", "--progress", "half")
    #expect(
      words == [
        "at": .text("tomorrow 07:30"), "every": .text("Mon 07:30"), "rule": .text("FREQ=DAILY"),
        "match": .dictionary(["weekday": .integer(2), "hour": .integer(7)]), "repeat": .flag(true),
        "zone": .text("Europe/Paris"), "from": .text("mon"), "until": .text("2027-01-01"), "count": .integer(3),
        "missed": .text("each"), "grace": .text("5m"), "wake": .flag(true), "sound": .text("bell"),
        "badge": .integer(0), "thread": .text("t"), "markup": .flag(true), "category": .text("im.received"),
        "in": .text("5m"), "progress": .text("half"),
      ])
  }

  @Test func `A match may be given as JSON`() throws {
    #expect(try Self.words("--match", #" {"weekday": 2}"#)["match"] == .dictionary(["weekday": .integer(2)]))
    let error = #expect(throws: CommandError.self) { try Self.words("--match", #"{"weekday": }"#) }
    #expect(
      error == .data("'--match {\"weekday\": }' is not valid JSON: a value is expected; shorter: weekday=2,hour=7"))
  }

  // The second word of a time became the title.
  @Test(arguments: [
    (["--at", "tomorrow", "7:30", "Tea"], "'7:30' would be the title; quote the time: --at 'tomorrow 7:30'"),
    (["--at", "noon", "tomorrow"], "'tomorrow' would be the title; quote the time: --at 'noon tomorrow'"),
    (["--every", "mon", "7:30", "X"], "'7:30' would be the title; quote the time: --every 'mon 7:30'"),
    (["--every", "daily", "7:30", "X"], "'7:30' would be the title; quote the time: --every '7:30'"),
    (["--every=2", "hours", "X"], "'hours' would be the title; quote the time: --every 2h"),
    (["--in", "10", "minutes", "Tea"], "'minutes' would be the title; quote the time: --in 10m"),
    (["--at", "24", "dec", "18:00", "X"], "'dec' would be the title; quote the time: --at '24 dec 18:00'"),
    (["--at", "tomorrow", "at", "7:30", "X"], "'at' would be the title; quote the time: --at 'tomorrow at 7:30'"),
    (
      ["--every", "1h", "--from", "tomorrow", "9:00"],
      "'9:00' would be the title; quote the time: --from 'tomorrow 9:00'"
    ),
    (
      ["--every", "07:30", "Europe/Paris", "X"],
      "'Europe/Paris' would be the title; quote the time: --every '07:30 Europe/Paris'"
    ),
  ])
  func `A time without quotes is refused with the quotes`(words: [String], problem: String) throws {
    let arguments = try Arguments(words, flags: NotifyCommand.flags)
    #expect(UnquotedTime(arguments)?.problem == problem)
    let error = #expect(throws: CommandError.self) { try NotifyCommand(arguments, as: .suzu) }
    #expect(error == .usage(problem))
  }

  @Test(arguments: [
    ["--at", "tomorrow 7:30", "Tea"], ["Monday", "--at", "7:30"], ["7:30", "--every", "daily"],
    ["--every", "daily", "Backup"], ["--every", "Mon 7:30", "Standup"], ["--in", "4m", "Tea is ready"],
    ["--every", "Mon 7:30", "Cuba"], ["--at", "8:00", "2", "things"], ["--at", "noon", "--", "Lunch"],
  ])
  func `A title behind a time is a title`(words: [String]) throws {
    #expect(UnquotedTime(try Arguments(words, flags: NotifyCommand.flags)) == nil)
  }

  // The second word of the command was shown as the body, and the button ran the first alone.
  @Test(arguments: [
    (
      ["T", "--action", "a=A", "--run", "a=touch", "/tmp/zz"],
      "'/tmp/zz' would be the body; quote the command: --run a='touch /tmp/zz'"
    ),
    (
      ["--run", "xdg-open", "https://example.org", "T"],
      "'https://example.org' would be the title; quote the command: --run 'xdg-open https://example.org'"
    ),
    (
      ["T", "Body", "--run", "o=cp", "./a", "~/b"],
      "'./a' would be the body; quote the command: --run o='cp ./a ~/b'"
    ),
  ])
  func `A command without quotes is refused with the quotes`(words: [String], problem: String) throws {
    let arguments = try Arguments(words, flags: NotifyCommand.flags)
    let error = #expect(throws: CommandError.self) { try NotifyCommand(arguments, as: .suzu) }
    #expect(error == .usage(problem))
  }

  @Test(arguments: [
    ["--run", "mpc", "Music"], ["T", "--run", "a=touch /tmp/zz", "/tmp/zz is there"], ["/etc/hosts", "--run", "cat"],
    ["T", "--action", "a=A", "--run", "a=mpc", "Music"],
  ])
  func `A title or a body behind a command stays one`(words: [String]) throws {
    #expect(UnquotedCommand(try Arguments(words, flags: NotifyCommand.flags)) == nil)
  }

  @Test func `Two flags for one key are refused, except in notify-send's own mode`() throws {
    for (words, problem) in [
      (["x", "-r", "5", "--id", "six"], "'--id' and '-r' both set the id; give one of them"),
      (["x", "--level", "active", "-u", "low"], "'--level' and '-u' both set the level; give one of them"),
      (
        ["x", "--expires", "5s", "--expire-time", "3000"],
        "'--expires' and '--expire-time' both set the expiry; give one of them"
      ),
    ] {
      let arguments = try Arguments(words, flags: Verb.notify.flags)
      let error = #expect(throws: CommandError.self) { try NotifyCommand(arguments, as: .suzu) }
      #expect(error == .usage(problem))
      #expect(throws: Never.self) { try NotifyCommand(arguments, as: .notifySend) }
    }
  }

  @Test func `notify-send's own mode refuses a number to replace that is none, in the words of GLib`() throws {
    let arguments = try Arguments(["x", "-r", "abc"], flags: Verb.notifySend.flags, isLenient: true)
    let error = #expect(throws: CommandError.self) { try NotifyCommand(arguments, as: .notifySend) }
    #expect(error == CommandError(message: "Cannot parse integer value “abc” for -r", status: 1))
    #expect(throws: Never.self) { try NotifyCommand(arguments, as: .suzu) }
  }

  @Test(arguments: [
    (["--hint", "byte:urgency:9"], "'--hint byte:urgency:9': the urgency must be 0, 1 or 2"),
    (
      ["--image", "https://a.example/b.png"],
      "'--image' must be a theme name, a path or a file URL, not 'https://a.example/b.png'; download it first"
    ),
    (
      ["--icon", "http://a.example/b.png"],
      "'--icon' must be a theme name, a path or a file URL, not 'http://a.example/b.png'; download it first"
    ),
    (
      ["--grace", "5"],
      "'--grace' must be a duration such as '90s', '10m', '1h30m' or '2d', at most a hundred years, not '5'; it also needs "
        + "a date"
    ),
    (["--grace", "5m"], "'--grace' needs a date; for example '--at 07:30'"),
  ])
  func `A wrong value is named as it was typed`(words: [String], problem: String) throws {
    let error = #expect(throws: CommandError.self) {
      try NotifyCommand(try Arguments(["x"] + words, flags: Verb.notify.flags), as: .suzu)
    }
    #expect(error?.message == problem)
  }

  @Test(arguments: [
    ("titel", Verb.notify, "TITLE is the first argument, without a flag"),
    ("at", .next, "the schedule is the argument, such as suzu next 'Mon 02:30'"),
    ("level", .next, "only 'suzu notify', 'suzu ask', 'suzu run' and 'suzu edit' have it"),
    ("wait", .edit, "only 'suzu notify' has it"),
  ])
  func `A flag of another verb, or a word that is no flag, gets an answer`(
    name: String, verb: Verb, advice: String
  ) throws {
    #expect(GuessedWords.advice(onFlag: name, among: verb.flags) == advice)
    let error = #expect(throws: CommandError.self) { try Arguments(["--\(name)", "x"], flags: verb.flags) }
    #expect(error == .usage("'--\(name)' is not an option; \(advice)"))
  }

  @Test func `A time in flags replaces only the time of the file`() {
    let file: [String: PlainValue] = [
      "title": .text("a"), "every": .text("1h"), "until": .text("mon"), "level": .text("active"),
    ]
    #expect(
      NotifyCommand.merge(file, ["at": .text("07:30"), "level": .text("passive")])
        == ["title": .text("a"), "at": .text("07:30"), "until": .text("mon"), "level": .text("passive")])
    #expect(NotifyCommand.merge(file, ["title": .text("b")])["every"] == .text("1h"))
  }

  @Test(arguments: [
    (
      "cancel", "-x", "'-x' is not an option; for an id that begins with a dash, write suzu cancel -- -x"
    ),
    ("list", "-x", "'-x' is not an option"),
    // The advice was '--user' itself, which the link has not.
    ("notify-send", "--user", "'--user' is for root's 'suzu notify', not for 'notify-send'"),
    ("notify-send", "--usr", "'--usr' is not an option"),
    ("list", "--usr", "'--usr' is not an option; did you mean '--user'?"),
  ])
  func `An unknown flag gets advice that this verb can take`(verb: String, flag: String, message: String) throws {
    let found = try #require(Command.verbs.first { $0.name == verb })
    let error = #expect(throws: CommandError.self) { try Arguments([flag], flags: found.flags, of: verb) }
    #expect(error == .usage(message))
  }
}
