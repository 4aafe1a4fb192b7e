// SPDX-License-Identifier: Apache-2.0
import CenterClient
public import NotificationModel
import Testing
import Zoneinfo

@testable import suzu

/// Tests which values of a stored request `suzu edit` keeps.
@Suite struct EditCommandTests {
  private static func row(_ words: [String: PlainValue]) -> ListedRequest {
    ListedRequest(
      ["app": "a", "id": "x", "title": "T", "state": "pending", "next": "2027-01-02T07:30:00+01:00"].merging(words) {
        $1
      })
  }

  private static func merged(
    _ words: [String: PlainValue], _ changes: [String: PlainValue], isPending: Bool = true
  ) throws -> [String: PlainValue] {
    try EditCommand.merge(row(words), changes, isPending: isPending)
  }

  private static let kept: [String: PlainValue] = ["app": "a", "id": "x", "title": "T"]

  @Test func `What is not changed stays`() throws {
    let words: [String: PlainValue] = [
      "body": "B", "every": "Mon 07:30", "from": "2026-01-01T00:00:00Z", "missed": "skip",
    ]
    #expect(try Self.merged(words, ["body": "C"]) == Self.kept.merging(words) { $1 }.merging(["body": "C"]) { $1 })
  }

  @Test func `The id stays, also with a hint that stands for one`() throws {
    let words = ["x", "--hint", "string:x-dunst-stack-tag:y"]
    #expect(try EditCommand(Arguments(words, flags: Verb.edit.flags)).changes["id"] == nil)
  }

  // `--run ok=…` alone asked for an --action that would have replaced all buttons.
  @Test func `A flag of a button without --action changes that button only`() throws {
    func edited(_ words: String...) throws -> PlainValue? {
      let changes = try EditCommand(Arguments(["x"] + words, flags: Verb.edit.flags)).changes
      let actions = try JSONReader.read(
        #"[{"id":"ok","title":"OK","run":["true"]},{"id":"web","title":"Page","url":"https://a.example/"}]"#)
      return try Self.merged(["actions": actions], changes)["actions"]
    }
    #expect(
      try edited("--run", "ok=echo 'a b'")?.json
        == #"[{"id":"ok","run":["echo","a b"],"title":"OK"},{"id":"web","title":"Page","url":"https://a.example/"}]"#)
    #expect(
      try edited("--snooze", "ok=5m", "--url", "web=https://b.example/?q=1")?.json
        == #"[{"id":"ok","snooze":"5m","title":"OK"},{"id":"web","title":"Page","url":"https://b.example/?q=1"}]"#)
    // All buttons are replaced, and one keeps what it did.
    #expect(try edited("--action", "ok=Fine")?.json == #"[{"id":"ok","run":["true"],"title":"Fine"}]"#)
    let error = #expect(throws: CommandError.self) { try edited("--run", "okay=true") }
    #expect(error?.message == "no button has the id 'okay'; the request has 'ok', 'web'")
  }

  @Test func `A delay keeps its date`() throws {
    #expect(
      try Self.merged(["in": "1h"], ["body": "C"])
        == Self.kept.merging(["at": "2027-01-02T07:30:00+01:00", "body": "C"]) { $1 })
    #expect(try Self.merged(["in": "1h"], ["in": "2h"]) == Self.kept.merging(["in": "2h"]) { $1 })
  }

  // `--at 8:00` once moved an appointment to tomorrow.
  @Test func `A time without a day keeps the day`() throws {
    for (old, new) in [
      ("2035-06-14 07:30:00", "2035-06-14 8:00"), ("2035-06-14T07:30:00+02:00", "2035-06-14 8:00"),
      ("in 2 days", "2027-01-02 8:00"),
    ] {
      #expect(
        try Self.merged(["at": .text(old), "zone": "Europe/Paris"], ["at": "8:00"])
          == Self.kept.merging(["at": .text(new), "zone": "Europe/Paris"]) { $1 })
    }
    #expect(try Self.merged(["in": "1h"], ["at": "5pm"]) == Self.kept.merging(["at": "2027-01-02 5pm"]) { $1 })
    for time in ["tomorrow 8:00", "mon 8:00", "2035-06-15 08:00", "in 10m", "2035-06-15T08:00:00Z"] {
      #expect(
        try Self.merged(["at": "2035-06-14 07:30:00"], ["at": .text(time)])
          == Self.kept.merging(["at": .text(time)]) { $1 })
    }
  }

  // The day was that of UTC, and the time that of the clocks here.
  @Test(
    arguments: [
      ("2035-06-14T07:30:00+02:00", [:], "2035-06-14T08:00:00+02:00"),
      ("2035-06-14T23:30:00-05:00", [:], "2035-06-14T08:00:00-05:00"),
      ("2035-06-14T07:30:00+02:00", ["zone": "Asia/Tokyo"], "2035-06-14 8:00"),
      // A delay; the next date is that of the clocks.
      ("2027-01-01T23:30:00Z", [:], "2027-01-02 8:00"),
    ] as [(String, [String: PlainValue], String)])
  func `A time without a day keeps the offset of the date, unless there is a zone`(
    old: String, changes: [String: PlainValue], new: String
  ) throws {
    #expect(
      try Self.merged(["at": .text(old)], changes.merging(["at": "8:00"]) { $1 })["at"] == .text(new))
  }

  // The error named a date that the user had not typed, and an example with another time.
  @Test func `A time that has passed on the day that is kept names the day, and the next one`() throws {
    let row = Self.row(["at": "2026-11-23 22:00:00"])
    let changes: [String: PlainValue] = ["at": "8:00"]
    let request = try EditCommand.merge(row, changes, isPending: true)
    let passed = "'at': '2026-11-23 8:00' has passed; for example 'tomorrow 07:30'"
    #expect(
      EditCommand.passedOnKeptDay(row, changes, request, passed)
        == "--at with only a time keeps the day (Mon 2026-11-23), on which '8:00' has passed; for the next day, use --at "
        + "'tomorrow 8:00'")
    #expect(EditCommand.passedOnKeptDay(row, changes, request, "'title' is missing") == nil)
    #expect(EditCommand.passedOnKeptDay(row, ["at": "2026-11-23 8:00"], request, passed) == nil)
  }

  // `--at sat` moved it to midnight.
  @Test func `A day without a time keeps the time`() throws {
    for day in ["sat", "tomorrow", "2035-06-15", "24 dec", "today"] {
      for old in ["2035-06-14 07:30:00", "2035-06-14T05:30:00Z"] {
        #expect(
          try Self.merged(["at": .text(old)], ["at": .text(day)])
            == Self.kept.merging(["at": .text("\(day) 07:30:00")]) { $1 })
      }
    }
    #expect(
      try Self.merged(["at": "2035-06-14 07:30:00"], ["at": "sat"], isPending: false)
        == Self.kept.merging(["at": "sat"]) { $1 })
  }

  // `--every 08:00` made it a request for every day.
  @Test func `A repetition's time without days keeps the days`() throws {
    #expect(
      try Self.merged(["every": "Mon,Thu 07:30"], ["every": "8:00"])
        == Self.kept.merging(["every": "Mon,Thu 8:00"]) { $1 })
    for every in ["*-*-* 08:00", "hourly", "2h"] {
      #expect(
        try Self.merged(["every": "Mon,Thu 07:30"], ["every": .text(every)])
          == Self.kept.merging(["every": .text(every)]) { $1 })
    }
    #expect(
      try Self.merged(["rule": "FREQ=DAILY"], ["every": "08:00"]) == Self.kept.merging(["every": "08:00"]) { $1 })
  }

  private static func action(_ id: PlainValue, _ more: [String: PlainValue] = [:]) -> PlainValue {
    .dictionary(["id": id, "title": "T"].merging(more) { $1 })
  }

  // A new title lost the program of the button, and that of the click.
  @Test func `A button keeps what it does, and so does the click`() throws {
    let run: [String: PlainValue] = ["run": .list(["true"])]
    let click = Self.action("default", ["launch": "x"])
    let old: [String: PlainValue] = ["actions": .list([Self.action("ok", run), Self.action("no", run), click])]
    func edited(_ changes: [String: PlainValue], of words: [String: PlainValue] = old) throws -> [String: PlainValue] {
      try Self.merged(words, changes).filter { ["actions", "url"].contains($0.key) }
    }
    #expect(
      try edited(["actions": .list([Self.action("ok", ["title": "OK2"])])])
        == ["actions": .list([Self.action("ok", run.merging(["title": "OK2"]) { $1 }), click])])
    #expect(
      try edited(["actions": .list([Self.action("ok", ["snooze": "5m"]), Self.action("new")])])
        == ["actions": .list([Self.action("ok", ["snooze": "5m"]), Self.action("new"), click])])
    // What the click does is changed without the buttons.
    let newClick = Self.action("default", run)
    #expect(
      try edited(["actions": .list([newClick])])
        == ["actions": .list([Self.action("ok", run), Self.action("no", run), newClick])])
    #expect(
      try edited(["url": "https://a.example"])
        == ["url": "https://a.example", "actions": .list([Self.action("ok", run), Self.action("no", run)])])
    #expect(
      try edited(["actions": .list([newClick])], of: ["url": "https://a.example"]) == ["actions": .list([newClick])])
    #expect(
      try edited(["actions": .list([Self.action("a")])], of: ["url": "https://a.example"])
        == ["url": "https://a.example", "actions": .list([Self.action("a")])])
  }

  // 2026-11-23, a Monday, at 10:00:00.
  private static let now = Instant(1_795_428_000)

  private static func edited(
    _ words: [String: PlainValue], _ changes: [String: PlainValue]
  ) throws -> [String: PlainValue] {
    try EditCommand.merge(row(words), changes, isPending: true, now: now).filter { kept[$0.key] == nil }
  }

  // The center stores a start with each repetition, also if the user gave none.
  @Test(
    arguments: [
      (["every": "Mon 07:30", "from": "2026-01-01T00:00:00Z", "count": .integer(3)], ["every": "Mon 08:00"]),
      (["every": "15m", "from": "2026-11-23T10:14:07Z"], ["every": "1h"]),
      (["rule": "FREQ=DAILY", "from": "2026-11-23 09:59:58"], ["in": "1h", "repeat": .flag(true)]),
      (["every": "15m", "from": "2026-11-24T09:00:00Z"], ["in": "1h", "repeat": .flag(true)]),
    ] as [([String: PlainValue], [String: PlainValue])])
  func `Other dates begin anew if the user gave no start`(
    words: [String: PlainValue], changes: [String: PlainValue]
  ) throws {
    let old = words.filter { $0.key == "count" }
    #expect(try Self.edited(words, changes) == old.merging(changes) { $1 })
  }

  // `edit` dropped the start: what was for next year came the next day, and every second week became the other one.
  @Test(
    arguments: [
      (["every": "Mon 7:30", "from": "2027-01-01 00:00:00"], ["every": "8:00"], "Mon 8:00"),
      (["every": "15m", "from": "2026-11-24T09:00:00Z"], ["every": "20m"], "20m"),
      (["every": "15m", "from": "2026-11-23T09:00:00Z"], ["every": "20m"], "20m"),
      (["every": "Mon 7:30", "from": "2027-01-01T00:00:00Z"], ["every": "1d"], "1d"),
    ] as [([String: PlainValue], [String: PlainValue], String)])
  func `Other dates keep the start that the user gave`(
    words: [String: PlainValue], changes: [String: PlainValue], every: String
  ) throws {
    let start = try #require(words["from"])
    #expect(try Self.edited(words, changes) == ["every": .text(every), "from": start])
    // Another start replaces it.
    #expect(try Self.edited(words, changes.merging(["from": "tomorrow"]) { $1 })["from"] == "tomorrow")
  }

  @Test func `Another rule keeps the start, which its weeks are counted from`() throws {
    let rule: PlainValue = "FREQ=WEEKLY;INTERVAL=2;BYHOUR=8"
    #expect(
      try Self.edited(
        ["rule": "FREQ=WEEKLY;INTERVAL=2;BYHOUR=7", "from": "2026-11-16 07:00:00"], ["rule": rule])
        == ["rule": rule, "from": "2026-11-16 07:00:00"])
  }

  // `--every 8:00` silently made a daily alarm of one date.
  @Test(
    arguments: [
      (["at": "2027-01-02 07:30:00"], ["every": "8:00"]), (["at": "2027-01-02 07:30:00"], ["rule": "FREQ=DAILY"]),
      (["in": "1h"], ["in": "2h", "repeat": .flag(true)]),
    ] as [([String: PlainValue], [String: PlainValue])])
  func `A single date does not become a repetition`(words: [String: PlainValue], changes: [String: PlainValue]) {
    let error = #expect(throws: CommandError.self) { try Self.merged(words, changes) }
    #expect(error?.message.hasPrefix("'x' is shown once (") == true)
    #expect(
      error?.message.hasSuffix("; change that with --at or --in, or use 'suzu notify --id' for one that repeats")
        == true)
  }

  @Test(
    arguments: [["every": "Mon 07:30"], ["rule": "FREQ=DAILY"], ["in": "1h", "repeat": .flag(true)]]
      as [[String: PlainValue]])
  func `A request that repeats does not become a single one`(words: [String: PlainValue]) {
    let error = #expect(throws: CommandError.self) { try Self.merged(words, ["at": "08:00"]) }
    #expect(error?.message.contains("'x' repeats") == true)
  }

  // It named two flags, and not the command.
  /// A delay changed the repetition: an hourly alarm that was to ring in five seconds rang every five seconds.
  private static let postponing =
    "and --in is for one date; to be reminded once in between, use a new request: suzu notify T --in 30m; to change the "
    + "repetition, use --every"

  @Test(
    arguments: [
      (["every": "Mon 07:30"], ["at": "8:00"], "use 'suzu edit x --every 8:00 --app a'"),
      (["every": "Mon 07:30"], ["at": "5pm"], "use 'suzu edit x --every 17:00 --app a'"),
      (["every": "Mon 07:30"], ["at": "tue 9:00"], "use suzu edit x --every 'tue 9:00' --app a"),
      (["every": "15m"], ["in": "30m"], Self.postponing),
      (
        ["rule": "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=16"], ["at": "5pm"],
        "use suzu edit x --rule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0' --app a"
      ),
      // It recommended --every, which was refused.
      (
        ["match": .dictionary(["weekday": .integer(2), "hour": .integer(7)]), "repeat": .flag(true)], ["at": "8:30"],
        "use suzu edit x --match 'weekday=2,hour=8,minute=30' --app a"
      ),
      (
        ["match": .dictionary(["minute": .integer(30)]), "repeat": .flag(true)], ["at": "8:00"],
        "change that with --match, or use 'suzu notify --id' "
      ),
      (
        ["every": "Mon 07:30"], ["at": "tomorrow 8:00"],
        "change that with --every or --rule, or use 'suzu notify --id' "
      ),
      (
        ["every": "Mon 07:30"], ["in": "30m"], Self.postponing
      ),
    ] as [([String: PlainValue], [String: PlainValue], String)])
  func `A single date for a repetition names the command that changes it`(
    words: [String: PlainValue], changes: [String: PlainValue], remedy: String
  ) {
    let error = #expect(throws: CommandError.self) { try Self.merged(words, changes) }
    #expect(
      error?.message.contains((remedy == Self.postponing ? "), " : "); ") + remedy) == true, "\(error?.message ?? "")")
  }

  // It was refused, with flags that make another kind of repetition.
  @Test func `Another pause keeps the repetition of a delay`() throws {
    let words: [String: PlainValue] = ["in": "20m", "repeat": .flag(true), "from": "2026-11-23T10:12:07Z"]
    #expect(try Self.edited(words, ["in": "30m"]) == ["in": "30m", "repeat": .flag(true)])
    // A start that the user gave stays.
    let later = words.merging(["from": "2027-01-01T09:00:00Z"]) { $1 }
    #expect(
      try Self.edited(later, ["in": "30m"]) == ["in": "30m", "repeat": .flag(true), "from": "2027-01-01T09:00:00Z"])
  }

  // `--every Tue` moved it to midnight.
  @Test(
    arguments: [
      (["every": "Mon 07:30"], "Tue", ["every": "Tue 07:30"]),
      (["every": "Mon 07:30 Asia/Tokyo"], "Tue", ["every": "Tue 07:30 Asia/Tokyo"]),
      (["every": "Mon 07:30", "zone": "Asia/Tokyo"], "Tue", ["every": "Tue 07:30", "zone": "Asia/Tokyo"]),
      (["every": "Mon 07:30", "zone": "Asia/Tokyo"], "Tue Asia/Seoul", ["every": "Tue 07:30 Asia/Seoul"]),
      (["rule": "FREQ=WEEKLY;BYDAY=SA;BYHOUR=7;BYMINUTE=30"], "Tue", ["every": "Tue 07:30"]),
      (["match": .dictionary(["hour": .integer(7)]), "repeat": .flag(true)], "Tue", ["every": "Tue 07:30"]),
      // An interval has no time of day, and 'daily' says midnight by itself.
      (["every": "15m"], "Tue 08:00", ["every": "Tue 08:00"]), (["every": "15m"], "daily", ["every": "daily"]),
      (["in": "15m", "repeat": .flag(true)], "8:00", ["every": "8:00"]),
      (["in": "15m", "repeat": .flag(true)], "20m", ["every": "20m"]),
    ] as [([String: PlainValue], String, [String: PlainValue])])
  func `A repetition's days without a time keep the time`(
    words: [String: PlainValue], every: String, edited: [String: PlainValue]
  ) throws {
    #expect(try Self.edited(words, ["every": .text(every)]) == edited)
  }

  @Test func `Days alone are refused if the repetition has several times`() {
    let rule: [String: PlainValue] = ["rule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8,12"]
    let error = #expect(throws: CommandError.self) { try Self.merged(rule, ["every": "Tue"]) }
    #expect(
      error?.message
        == "'x' repeats at several times (rule: FREQ=WEEKLY;BYDAY=MO;BYHOUR=8,12); add a time to '--every Tue', such as "
        + "08:00")
  }

  // They came at midnight, without a word.
  @Test(
    arguments: [
      (["every": "15m"], "every: 15m"), (["in": "15m", "repeat": .flag(true)], "in: 15m, repeat: true"),
    ] as [([String: PlainValue], String)])
  func `Days alone are refused if the repetition is an interval`(words: [String: PlainValue], shown: String) {
    let error = #expect(throws: CommandError.self) { try Self.merged(words, ["every": "Tue"]) }
    #expect(error?.message == "'x' has no time of day (\(shown)); add one: --every 'Tue 08:00'")
  }

  // The last Friday of each month became every day, without a word.
  @Test func `A time alone does not make a daily repetition of a rule`() {
    let rule: [String: PlainValue] = ["rule": "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=16"]
    let error = #expect(throws: CommandError.self) { try Self.merged(rule, ["every": "17:00"]) }
    #expect(
      error?.message == "'x' repeats (rule: FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=16), and '--every 17:00' would make that "
        + "every day; to change the time, use suzu edit x --rule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0' --app "
        + "a, or write --every '*-*-* 17:00'")
  }

  @Test func `A time alone does not make a daily repetition of components, unless they are daily`() throws {
    func words(_ components: [String: PlainValue]) -> [String: PlainValue] {
      ["match": .dictionary(components), "repeat": .flag(true)]
    }
    let mondays = words(["weekday": .integer(2), "hour": .integer(7)])
    let error = #expect(throws: CommandError.self) { try Self.merged(mondays, ["every": "17:00"]) }
    #expect(
      error?.message
        == "'x' repeats (repeat: true), and '--every 17:00' would make that every day; to change the time, "
        + "use suzu edit x --match 'weekday=2,hour=17,minute=0' --app a, or write --every '*-*-* 17:00'")
    let daily = words(["hour": .integer(7), "minute": .integer(30)])
    #expect(try Self.edited(daily, ["every": "17:00"]) == ["every": "17:00"])
  }

  @Test func `Other components keep the repetition`() throws {
    let words: [String: PlainValue] = ["match": .dictionary(["hour": .integer(7)]), "repeat": .flag(true)]
    let merged = try Self.merged(words, ["match": .dictionary(["hour": .integer(8)])])
    #expect(merged["repeat"] == .flag(true))
  }

  @Test func `What is on the screen is shown again at once, or at a new date`() throws {
    let words: [String: PlainValue] = [
      "every": "Mon 07:30", "count": .integer(3), "state": "delivered", "missedDates": .integer(2),
      "shown": "2027-01-02T07:30:00Z",
    ]
    #expect(try Self.merged(words, ["body": "C"], isPending: false) == Self.kept.merging(["body": "C"]) { $1 })
    #expect(try Self.merged(words, ["at": "09:00"], isPending: false) == Self.kept.merging(["at": "09:00"]) { $1 })
  }
}

extension PlainValue: ExpressibleByStringLiteral {
  /// A text in a test.
  public init(stringLiteral text: String) { self = .text(text) }
}
