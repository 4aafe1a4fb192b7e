// SPDX-License-Identifier: Apache-2.0
import CenterClient
import NotificationModel
import TestSupport
import Testing
import Triggers
import Zoneinfo

@testable import suzu

/// Tests the tables and the JSON of `suzu list` and `suzu history`.
@Suite struct ListingTests {
  static let rows = [
    ListedRequest([
      "app": .text("dev.suzu.Suzu"), "id": .text("tea"), "title": .text("Tea"), "state": .text("pending"),
      "in": .text("4m"), "next": .text("2026-11-21T05:45:46+01:00"),
    ]),
    ListedRequest([
      "app": .text("dev.suzu.Suzu"), "id": .text("wide"), "state": .text("pending"),
      "title": .text("日本語のとても長いタイトル 🫖 that goes on and on, to the end of the line"),
      "next": .text("2026-11-22T07:30:00+09:00"),
    ]),
    ListedRequest([
      "app": .text("org.example.Calendar"), "id": .text("standup-of-the-team"), "title": .text("Standup"),
      "state": .text("pending"), "every": .text("Mon..Fri 09:25"), "next": .text("2026-11-23T09:25:00+01:00"),
    ]),
    ListedRequest([
      "app": .text("org.example.Money"), "id": .text("rent"), "title": .text("Rent\u{1B}[31m\u{202E}!\nnow"),
      "rule": .text("FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=9"), "next": .text("soon"), "mood": .text("good"),
    ]),
    ListedRequest([
      "title": .text("Week"), "match": .dictionary(["weekday": .integer(2), "hour": .integer(7)]),
      "repeat": .flag(true),
    ]),
  ]

  static func parisZone() throws -> Zone { try ZoneDatabase(folder: FixedZones.folder).zone(named: "Europe/Paris") }
  static func paris() throws -> ZoneRules { try parisZone().rules }

  /// Prints rows from a center that returns three rows per page.
  static func print(
    _ rows: [ListedRequest], _ columns: [ListingPrinter.Column] = [], isJSON: Bool = false, width: Int? = nil,
    limit: Int? = nil, page: Int = 3, group: ((ListedRequest) -> String)? = nil
  ) async throws -> String {
    // The printer's closure and this function take turns.
    nonisolated(unsafe) var output = ""
    let size = page
    var printer = ListingPrinter(columns, isJSON: isJSON, width: width, group: group) { text in
      output += text + "\n"
    }
    try await printer.run(limit: limit) { cursor, limit in
      let start = cursor.flatMap { Int($0.text) } ?? 0
      let page = rows[start...].prefix(min(limit, size))
      return ListedPage(Array(page), next: page.endIndex < rows.count ? ListingCursor("\(page.endIndex)") : nil)
    }
    return output
  }

  static func list(_ width: Int?) async throws -> String {
    try await print(rows, ListCommand.columns(isDelivered: false, in: paris()), width: width)
  }

  @Test func `On a terminal, each day has a heading, and what waits for a condition too`() async throws {
    let near = NearDates(now: try #require(Instant(rfc3339: "2026-11-20T21:00:00Z")), rules: try Self.paris())
    let condition = ListedRequest(["id": "low", "title": "Charge", "state": "pending", "on": "battery < 20%"])
    var rows = [condition] + Self.rows.prefix(3)
    rows.insert(ListedRequest(["id": "eggs", "title": "Eggs", "state": "due", "due": "2026-11-20T20:57:00Z"]), at: 0)
    let grouped = { (row: ListedRequest) in ListCommand.group(row, isDelivered: false, near) }
    func text(_ width: Int, page: Int = 3) async throws -> String {
      try await Self.print(
        rows, ListCommand.columns(isDelivered: false, in: Self.paris(), near: near), width: width, page: page,
        group: grouped)
    }
    let wide = try await text(200, page: 10).replacing(#/ {2,}/#, with: "  ")
    #expect(
      wide == """
        NEXT  STATE  APP  ID  TITLE  REPEATS
        Today, Fri 2026-11-20
        21:57, 3 min ago  due  dev.suzu.Suzu  eggs  Eggs
        Waiting for a condition
        when battery < 20%  dev.suzu.Suzu  low  Charge
        Tomorrow, Sat 2026-11-21
        05:45:46, in 7 h 45 min  dev.suzu.Suzu  tea  Tea
        23:30, in 1 day 1 h  dev.suzu.Suzu  wide  日本語のとても長いタイトル 🫖 that goes on and on, to the end of the line
        Mon 2026-11-23
        09:25, in 2 days 11 h  org.example.Calendar  standup-of-the-team  Standup  Mon..Fri 09:25

        """, "\(wide)")
    for width in 1...100 {
      for line in try await text(width).split(separator: "\n") { #expect(DisplayWidth.of(line) <= width) }
    }
    // The same day in two pages has one heading: pages have three rows here.
    #expect(try await text(200).matches(of: /Sat 2026/).count == 1)
  }

  // It counted the delay from now.
  @Test func `The next date of a request with a delay is the stored one`() throws {
    let paris = try Self.parisZone()
    let folder = try FixedZones.folder
    let time = LocalTime(now: .init(1_795_000_000), zone: paris, database: ZoneDatabase(folder: folder))
    let dates = try NextCommand(Self.rows[0], count: 5, time: time).dates
    #expect(dates.map(\.instant) == [Instant(rfc3339: "2026-11-21T05:45:46+01:00")])
  }

  // Without a stored start, the dates of a repeated delay were counted from now.
  @Test(arguments: [nil, "2026-11-21T04:00:00Z", "2027-01-01T00:00:00Z"])
  func `The next dates of a repeated delay go on from the stored one`(from: String?) throws {
    var words: [String: PlainValue] = [
      "id": "x", "title": "T", "in": "20m", "repeat": .flag(true), "next": "2026-11-21T05:45:46Z", "state": "pending",
    ]
    words["from"] = from.map { .text($0) }
    let paris = try Self.parisZone()
    let time = LocalTime(now: .init(1_795_000_000), zone: paris)
    let dates = try NextCommand(ListedRequest(words), count: 2, time: time).dates
    #expect(dates.map(\.instant.description) == ["2026-11-21T05:45:46Z", "2026-11-21T06:05:46Z"])
  }

  @Test func `A width of 20 shows the id and the title`() async throws {
    #expect(
      try await Self.list(20) == """
        ID          TITLE
        tea         Tea
        wide        日本語…
        standup-o…  Standup
        rent        Rent! n…
                    Week

        """)
  }

  @Test func `A width of 80 shows time and app and gives titles the most room`() async throws {
    #expect(
      try await Self.list(80) == """
        NEXT                     APP            ID              TITLE
        Sat 2026-11-21 05:45:46  dev.suzu.Suzu  tea             Tea
        Sat 2026-11-21 23:30     dev.suzu.Suzu  wide            日本語のとても長いタイ…
        Mon 2026-11-23 09:25     org.example.…  standup-of-th…  Standup
        soon                     org.example.…  rent            Rent! now
                                 dev.suzu.Suzu                  Week

        """)
  }

  @Test func `A width of 200 shows everything`() async throws {
    #expect(
      try await Self.list(200) == """
        NEXT                     APP                   ID                   TITLE                                                                      REPEATS
        Sat 2026-11-21 05:45:46  dev.suzu.Suzu         tea                  Tea
        Sat 2026-11-21 23:30     dev.suzu.Suzu         wide                 日本語のとても長いタイトル 🫖 that goes on and on, to the end of the line
        Mon 2026-11-23 09:25     org.example.Calendar  standup-of-the-team  Standup                                                                    Mon..Fri 09:25
        soon                     org.example.Money     rent                 Rent! now                                                                  FREQ=MONTHLY;…
                                 dev.suzu.Suzu                              Week                                                                       hour=7,weekda…

        """)
  }

  @Test func `Without a terminal nothing is cut`() async throws {
    let text = try await Self.list(nil)
    #expect(!text.contains("…"))
    #expect(text.contains("日本語のとても長いタイトル 🫖 that goes on and on, to the end of the line"))
    #expect(text.contains("hour=7,weekday=2") && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
  }

  @Test(arguments: 1...220)
  func `No line is longer than the terminal`(width: Int) async throws {
    for line in try await Self.list(width).split(separator: "\n") { #expect(DisplayWidth.of(line) <= width) }
    let history = try await Self.print(Self.history, HistoryCommand.columns(in: Self.paris()), width: width)
    for line in history.split(separator: "\n") { #expect(DisplayWidth.of(line) <= width) }
  }

  // MARK: history

  static let history = [
    ListedRequest([
      "app": .text("dev.suzu.Suzu"), "id": .text("deploy"), "title": .text("Deploy?"), "state": .text("closed"),
      "due": .text("2026-11-21T07:30:00Z"), "outcome": .text("failed: exit 3"), "missedDates": .integer(0),
      "shown": .text("2026-11-21T07:30:00Z"), "reason": .text("expired"),
    ]),
    ListedRequest([
      "app": .text("org.example.Calendar"), "id": .text("standup"), "title": .text("Standup 会議"),
      "state": .text("closed"), "due": .text("2026-11-20T09:25:00+01:00"), "missedDates": .integer(12),
      "reason": .text("not allowed"),
    ]),
    ListedRequest([
      "app": .text("a"), "id": .text("b"), "title": .text("c"), "state": .text("new one"),
      "outcome": .text("later: much"),
    ]),
  ]

  // After an edit it said 'replaced', as if another notification had been shown.
  @Test func `A request that was changed before it was shown is edited, and one on the screen replaced`() {
    let row: [String: PlainValue] = ["state": .text("closed"), "reason": .text("replaced")]
    #expect(ListedRequest(row).ending == "edited")
    let shown = row.merging(["shown": .text("2026-11-21T05:45:46+01:00")]) { $1 }
    #expect(ListedRequest(shown).ending == "replaced")
  }

  // At 80 columns the button was cut, and the app that every row had stayed.
  @Test func `Where the table is too wide, the app is left out if it is that of every request without --app`()
    async throws
  {
    var words: [String: PlainValue] = [
      "app": .text(NotificationRequest.defaultApp), "id": .text("backup"), "title": .text("Back up now?"),
      "state": .text("closed"), "reason": .text("withdrawn"), "due": .text("2026-11-20T09:25:00+01:00"),
      "shown": .text("2026-11-20T09:25:00+01:00"), "action": .text("yes-to-all"), "outcome": .text("done"),
    ]
    let columns = HistoryCommand.columns(in: try Self.paris())
    let narrow = try await Self.print([ListedRequest(words)], columns, width: 90)
    #expect(narrow.contains("answered: yes-to-all") && !narrow.contains("APP"), "\(narrow)")
    #expect(try await Self.print([ListedRequest(words)], columns, width: 200).contains("dev.suzu.Suzu"))
    #expect(try await Self.print([ListedRequest(words)], columns, width: nil).contains("dev.suzu.Suzu"))
    let first = ListedRequest(words)
    words["app"] = .text("a.b")
    #expect(try await Self.print([first, ListedRequest(words)], columns, width: 90).contains("APP"))
  }

  // It said 'withdrawn', as after `suzu dismiss`.
  @Test func `The history names the button that ended a notification`() async throws {
    func why(_ words: [String: PlainValue]) async throws -> String {
      let row: [String: PlainValue] = ["id": .text("q"), "state": .text("closed"), "reason": .text("withdrawn")]
      return try await Self.print(
        [ListedRequest(row.merging(words) { $1 })], HistoryCommand.columns(in: Self.paris()), width: 200)
    }
    #expect(try await why(["action": .text("yes")]).contains(" answered: yes "))
    #expect(try await why(["action": .text("default")]).contains(" answered "))
    #expect(try await why([:]).contains(" withdrawn "))
    #expect(try await why(["action": .text("yes"), "reason": .text("dismissed")]).contains(" dismissed "))
    let later: [String: PlainValue] = ["id": .text("later"), "snooze": .list([.text("1h"), .text("unlocked")])]
    let chosen: [String: PlainValue] = [
      "actions": .list([.dictionary(later)]), "action": .text("later"), "reply": .text("unlocked"),
    ]
    #expect(try await why(chosen).contains(" answered: later, unlocked "))
    // A text that was typed may be long, or private.
    let typed: [String: PlainValue] = ["id": .text("note"), "input": .dictionary([:])]
    #expect(
      try await why([
        "actions": .list([.dictionary(typed)]), "action": .text("note"), "reply": .text("secret"),
      ]).contains(" answered: note "))
  }

  @Test func `The history shows each outcome`() async throws {
    let columns = HistoryCommand.columns(in: try Self.paris())
    #expect(
      try await Self.print(Self.history, columns, width: 200) == """
        WHEN                  SHOWN  WHY                     APP                   ID       TITLE         OUTCOME
        Sat 2026-11-21 08:30  yes    expired on screen       dev.suzu.Suzu         deploy   Deploy?       failed: exit 3
        Fri 2026-11-20 09:25  no     not allowed, 12 missed  org.example.Calendar  standup  Standup 会議
                              no     new one                 a                     b        c             later: much

        """)
    #expect(
      try await Self.print(Self.history, columns, width: 80) == """
        WHEN                  SHOWN  WHY            ID       TITLE         OUTCOME
        Sat 2026-11-21 08:30  yes    expired on s…  deploy   Deploy?       failed: exit…
        Fri 2026-11-20 09:25  no     not allowed,…  standup  Standup 会議
                              no     new one        b        c             later: much

        """)
    #expect(
      try await Self.print(Self.history, columns, width: 20) == """
        WHY        TITLE
        expired …  Deploy?
        not allo…  Standup …
        new one    c

        """)
  }

  // MARK: Pages and JSON

  @Test func `JSON has every key, one request per line, independent of pages`() async throws {
    let json = try await Self.print(Self.rows, isJSON: true)
    let lines = json.split(separator: "\n")
    #expect(lines.count == 6 && lines.last == "]")
    #expect(
      lines[0]
        == #"[{"app":"dev.suzu.Suzu","id":"tea","in":"4m","next":"2026-11-21T05:45:46+01:00","state":"pending","title":"Tea"}"#
    )
    #expect(
      lines[3]
        == #",{"app":"org.example.Money","id":"rent","mood":"good","next":"soon","rule":"FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=9","title":"Rent\u001b[31m‮!\nnow"}"#
    )
    guard case .list(let values) = try JSONReader.read(json) else {
      Issue.record("no list")
      return
    }
    #expect(values == Self.rows.map { .dictionary($0.words) })
    #expect(try await Self.print([], isJSON: true) == "[]\n")
    #expect(try await Self.print([Self.rows[0]], isJSON: true).split(separator: "\n").count == 2)
  }

  // A repetition with a count looked endless.
  @Test func `A repetition with a count says how many dates are left`() throws {
    func texts(_ words: [String: PlainValue], next: String) throws -> (list: String, show: String) {
      let row = ListedRequest(
        ["id": "x", "title": "T", "state": "pending", "next": .text(next), "count": .integer(6)].merging(words) { $1 })
      let zone = try Self.parisZone()
      let time = LocalTime(now: try #require(Instant(rfc3339: "2026-11-20T00:00:00Z")), zone: zone)
      let columns = ListCommand.columns(isDelivered: false, in: .utc, time: time)
      let column = try #require(columns.first { $0.layout.title == "REPEATS" })
      return (column.text(row), ShowCommand.text(row, alsoShown: nil, in: .utc))
    }
    let interval: [String: PlainValue] = ["every": "15m", "from": "2026-11-21T10:00:00Z"]
    for (next, left) in [("2026-11-21T10:00:00Z", 6), ("2026-11-21T10:45:00Z", 3), ("2026-11-21T11:15:00Z", 1)] {
      let text = try texts(interval, next: next)
      #expect(text.list == "15m, \(left) left" && text.show.contains("count:  6 (\(left) left)"), "\(text)")
    }
    let calendar: [String: PlainValue] = ["every": "Mon..Fri 09:25", "from": "2026-11-16T00:00:00+01:00"]
    #expect(try texts(calendar, next: "2026-11-20T09:25:00+01:00").list == "Mon..Fri 09:25, 2 left")
  }

  @Test func `show prints the reason of an end as the history does`() throws {
    let row = ListedRequest([
      "id": .text("tea"), "title": .text("Tea"), "state": .text("closed"), "reason": .text("expired"),
    ])
    // `expired` alone is also the state of a date that came too late.
    #expect(ShowCommand.text(row, alsoShown: nil, in: .utc).contains("reason:  expired on screen"))
    // Only `closed` had a reason.
    for (words, reason) in [
      (["state": "expired"], "too late"), (["state": "skipped"], "skipped"), (["state": "folded"], "folded"),
      (["state": "failed", "reason": "org.x.Error"], "failed: org.x.Error"),
      (["state": "closed", "reason": "withdrawn", "action": "yes"], "answered: yes"),
    ] as [([String: PlainValue], String)] {
      let row = ListedRequest(["id": "tea", "title": "Tea"].merging(words) { $1 })
      let text = ShowCommand.text(row, alsoShown: nil, in: .utc)
      #expect(text.contains("reason:  \(reason)\n") && HistoryCommand.column(row) == reason, "\(text)")
    }
  }

  @Test func `The limit is kept and an empty listing prints nothing`() async throws {
    let columns = ListCommand.columns(isDelivered: false, in: .utc)
    for limit in 1...5 {
      let lines = try await Self.print(Self.rows, columns, limit: limit).split(separator: "\n")
      #expect(lines.count == limit + 1)
      let json = try await Self.print(Self.rows, isJSON: true, limit: limit)
      #expect(json.split(separator: "\n").count == limit + 1)
    }
    #expect(try await Self.print([], columns, width: 80) == "")
  }

  /// Only the layout of the first rows is kept.
  @Test func `A cell wider than in the first rows is cut on a terminal and shifts the others elsewhere`() {
    let columns = [Table.Column("A", least: 1, rank: 0), Table.Column("B", least: 1, rank: 1)]
    let onTerminal = Table(columns, rows: [["aa", "b"]], width: 80)
    #expect(onTerminal.line(["aaaa", "bbbb"]) == "a…  …")
    let elsewhere = Table(columns, rows: [["aa", "b"]], width: nil)
    #expect(elsewhere.heading == "A   B")
    #expect(elsewhere.line(["aaaa", "bbbb"]) == "aaaa  bbbb")
    #expect(elsewhere.line(["", ""]) == "")
  }
}
