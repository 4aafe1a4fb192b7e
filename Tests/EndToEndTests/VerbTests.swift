// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests notifying, listing, cancelling and responding with the real programs.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct VerbTests {
  private static func json(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  private static func listed(_ session: Session, _ verb: String = "list", _ flags: String...) throws -> [[String: Any]]
  {
    let ended = try RunningProgram.run(
      Session.programs + "/suzu", [verb, "--json"] + flags, environment: session.environment)
    #expect(ended.status == 0 && ended.errors == "", "\(ended.errors)")
    return try json(ended.output)
  }

  private static func ids(_ rows: [[String: Any]]) -> [String] { rows.compactMap { $0["id"] as? String } }

  // MARK: list, cancel

  @Test func `A listing is read back as requests`() throws {
    let session = try Session()
    for (id, time) in [("once", ["--in", "2h"]), ("weekly", ["--every", "Mon 07:30", "--count", "3"])] {
      #expect(
        try session.suzu(["notify", "T", "B", "--id", id, "--missed", "skip", "--action", "ok=OK"] + time).status == 0)
    }
    let before = try Self.listed(session)
    let file = session.folder.path("list.json")
    try session.suzu("list", "--json").output.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try session.suzu("cancel", "--all").output == "2\n")
    #expect(
      try session.suzu("notify", "--file", file).output == "weekly\nonce\n" || Self.ids(before) == ["once", "weekly"])
    let after = try Self.listed(session)
    #expect(Set(Self.ids(after)) == ["once", "weekly"])
    for (old, new) in zip(before, after) {
      for key in ["title", "body", "every", "count", "missed", "in"] {
        #expect("\(old[key] ?? "")" == "\(new[key] ?? "")", "\(key)")
      }
    }
  }

  // `count` once began again when a request was edited, or exported and imported.
  @Test(arguments: [
    ["--every", "1d"], ["--every", "00:00"], ["--rule=FREQ=DAILY;BYHOUR=0;BYMINUTE=0;BYSECOND=0"],
    ["--match=hour=0,minute=0", "--repeat"],
  ])
  func `Dates that have passed count`(schedule: [String]) throws {
    let session = try Session()
    // Three of the five dates have passed, and a fourth one at midnight.
    let start = Date(timeIntervalSinceNow: -2 * 86_400).ISO8601Format().prefix(10)
    let sent = try session.suzu(["notify", "T", "--id", "a", "--from", "\(start) 00:00", "--count", "5"] + schedule)
    #expect(sent.status == 0, "\(sent.errors)")
    func left() throws -> Int { try Self.json(session.suzu("next", "a", "-n", "9", "--json").output).count }
    #expect([1, 2].contains(try left()))
    #expect(try session.suzu("edit", "a", "Another title").status == 0)
    #expect([1, 2].contains(try left()))
    let file = session.folder.path("all.json")
    #expect(try session.suzu("export", file).status == 0)
    #expect(try session.suzu("cancel", "a").status == 0)
    #expect(try session.suzu("import", file).status == 0)
    #expect([1, 2].contains(try left()))
  }

  @Test func `Pending requests are listed by date, with the words of their times`() throws {
    let session = try Session()
    #expect(try session.suzu("list").output == "")
    #expect(try session.suzu("list", "--json").output == "[]\n")
    #expect(try session.suzu("notify", "Later", "--in", "2h", "--id", "later", "--badge", "3").status == 0)
    #expect(
      try session.suzu("notify", "Soon", "--match", "minute=30", "--repeat", "--id", "soon", "--missed", "skip").status
        == 0)
    #expect(try session.suzu("notify", "Other", "--every", "*-01-01 09:00", "--id", "y", "--app", "b.c").status == 0)
    let rows = try Self.listed(session)
    #expect(Self.ids(rows) == ["soon", "later", "y"])
    #expect(rows[0]["match"] as? [String: Int] == ["minute": 30] && rows[0]["repeat"] as? Bool == true)
    #expect(rows[1]["badge"] as? Int == 3)
    for row in rows {
      #expect(row["state"] as? String == "pending")
      #expect((row["next"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/) != nil)
    }
    #expect(Self.ids(try Self.listed(session, "list", "--app", "b.c")) == ["y"])
    #expect(Self.ids(try Self.listed(session, "list", "-n1")) == ["soon"])
    let table = try session.suzu("list").output.split(separator: "\n")
    #expect(table.first?.split(separator: " ") == ["NEXT", "APP", "ID", "TITLE", "REPEATS"])
    #expect(table.last?.hasSuffix("  b.c            y      Other  *-01-01 09:00") == true, "\(table)")
  }

  @Test func `A cancelled request is gone, and an unknown one gives status 65`() throws {
    let session = try Session()
    for id in ["a", "b", "c", "d"] {
      #expect(try session.suzu("notify", "x", "--in", "1h", "--id", id).status == 0)
    }
    #expect(try session.suzu("notify", "x", "--in", "1h", "--id", "a", "--app", "other").status == 0)
    let gone = try session.suzu("cancel", "a", "b")
    #expect(gone.status == 0 && gone.output == "" && gone.errors == "")
    let partly = try session.suzu("cancel", "a", "c", "nothing")
    #expect(partly.status == 65)
    #expect(
      partly.errors
        == "suzu: cancel: cancelled 1 of 3: no pending request is called 'a' or 'nothing' (app dev.suzu.Suzu); the app 'other' has 'a': use --app other\n"
    )
    #expect(try session.suzu("cancel", "nothing").errors.hasSuffix("(app dev.suzu.Suzu); see 'suzu list'\n"))
    let near = try session.suzu("notify", "x", "--in", "1h", "--id", "rent").output
    #expect(near == "rent\n")
    #expect(try session.suzu("cancel", "rnet").errors.hasSuffix("; did you mean 'rent'?\n"))
    #expect(try session.suzu("cancel", "rent").status == 0)
    #expect(Self.ids(try Self.listed(session)).sorted() == ["a", "d"])
    #expect(try session.suzu("cancel", "--all").output == "1\n")
    #expect(try session.suzu("cancel", "--all").output == "0\n")
    #expect(try session.suzu("cancel", "a", "--app", "other").status == 0)
    let unseen = try session.suzu("dismiss", "a")
    #expect(unseen.status == 65)
    #expect(
      unseen.errors
        == "suzu: dismiss: no notification on the screen is called 'a' (app dev.suzu.Suzu); see 'suzu list --delivered'\n"
    )
  }

  @Test func `A request is cancelled by its title if only one has it`() throws {
    let session = try Session()
    for (id, title) in [("a", "Tea is ready"), ("b", "Twice"), ("c", "Twice"), ("d", "a")] {
      #expect(try session.suzu("notify", title, "--in", "1h", "--id", id).status == 0)
    }
    let twice = try session.suzu("cancel", "Twice")
    #expect(twice.status == 65)
    #expect(twice.errors == "suzu: cancel: 2 requests have the title 'Twice'; give an id: 'b', 'c'\n")
    let gone = try session.suzu("cancel", "Tea is ready")
    #expect(gone.status == 0 && gone.output == "" && gone.errors == "cancelled 'a'\n")
    // An id counts before a title.
    #expect(try session.suzu("notify", "x", "--in", "1h", "--id", "Twice").status == 0)
    #expect(try session.suzu("cancel", "Twice").errors == "")
    #expect(Self.ids(try Self.listed(session)).sorted() == ["b", "c", "d"])
  }

  @Test func `show, respond and history accept a title that only one request has`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    for (id, title) in [("a", "Tea is ready"), ("b", "Twice"), ("c", "Twice")] {
      #expect(try session.suzu("notify", title, "--id", id, "--action", "ok=OK", "--run", "ok=true").status == 0)
      #expect(popups.readLines(until: "from") != nil)
    }
    #expect(try session.suzu("notify", "Later", "--id", "l", "--in", "1h").status == 0)
    #expect(try session.suzu("show", "Later").output.hasPrefix("id:     l\n"))
    #expect(try session.suzu("show", "Tea is ready").output.hasPrefix("id:"))
    let twice = "2 requests have the title 'Twice'; give an id: 'c', 'b'\n"
    for words in [["show", "Twice"], ["respond", "Twice", "ok"]] {
      let ended = try session.suzu(words)
      #expect(ended.status == 65 && ended.output == "")
      #expect(
        [twice, twice.replacingOccurrences(of: "'c', 'b'", with: "'b', 'c'")].contains { ended.errors.hasSuffix($0) },
        "\(ended.errors)")
    }
    #expect(try session.suzu("respond", "Tea is ready", "ok").status == 0)
    let history = try session.suzu("history", "Tea is ready").output.split(separator: "\n")
    #expect(history.count == 2 && history.last?.contains("Tea is ready") == true, "\(history)")
  }

  @Test func `A request that replaces a pending one says what is lost`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "B", "--id", "b", "--in", "1h", "--action", "ok=OK").status == 0)
    #expect(
      try session.suzu("notify", "B", "--id", "b", "--in", "2h").errors
        == "suzu: notify: 'b' replaced a pending request, whose actions are lost; to change only a part, use "
        + "'suzu edit b --in …'\n")
    let first = try session.suzu(
      [
        "notify", "Dentist", "Main Street 3", "--id", "d", "--in", "1h", "--action", "ok=OK", "--run", "ok=true",
        "--user-info", "a=b",
      ])
    #expect(first.status == 0 && first.errors == "")
    let second = try session.suzu("notify", "Dentist", "--id", "d", "--in", "2h")
    #expect(second.status == 0 && second.output == "d\n")
    #expect(
      second.errors
        == "suzu: notify: 'd' replaced a pending request, whose body, actions and userInfo are lost; to change only a part, use 'suzu edit d --in …'\n"
    )
    // Nothing is lost now; nor if the new request has the same keys.
    #expect(try session.suzu("notify", "Dentist", "--id", "d", "--in", "2h", "--body", "x").status == 64)
    #expect(try session.suzu("notify", "Dentist", "B", "--id", "d", "--in", "2h").errors == "")
    #expect(try session.suzu("notify", "Dentist", "C", "--id", "d", "--in", "3h").errors == "")
  }

  @Test func `Without a server a due request is listed before the pending ones, and a zone is shown`() throws {
    let session = try Session(variables: ["TZDIR": FixedZones.folder])
    #expect(try session.suzu("notify", "Later", "--id", "later", "--in", "1h").status == 0)
    let usual = try session.suzu("list").output.split(separator: "\n").map(String.init)
    #expect(usual.first?.split(separator: " ") == ["NEXT", "APP", "ID", "TITLE", "REPEATS"])
    #expect(try session.suzu("notify", "Now", "--id", "now", "--action", "l=Later", "--snooze", "l=10m").status == 0)
    #expect(
      try session.suzu("notify", "There", "--id", "there", "--at", "2099-01-01 09:00", "--zone", "Asia/Tokyo").status
        == 0)
    let rows = try Self.listed(session)
    #expect(Self.ids(rows) == ["now", "later", "there"] && rows[0]["state"] as? String == "due")
    #expect(Self.ids(try Self.listed(session, "list", "-n", "1")) == ["now"])
    #expect(Self.ids(try Self.listed(session, "list", "-n", "2")) == ["now", "later"])
    #expect(Self.ids(try Self.listed(session, "list", "--app", "a.b")) == [])
    let table = try session.suzu("list").output.split(separator: "\n").map(String.init)
    #expect(table[0].split(separator: " ") == ["NEXT", "STATE", "APP", "ID", "TITLE", "REPEATS", "THERE"], "\(table)")
    #expect(table[1].contains("  due  ") && table[3].hasSuffix("  09:00 in Asia/Tokyo"), "\(table)")
    // The date is the machine's, and the zone belongs to the other time.
    #expect(table[3].hasPrefix("Thu 2099-01-01 00:00 "), "\(table)")
    let shown = try session.suzu("show", "there").output
    #expect(shown.contains("next:   Thu 2099-01-01 00:00 (09:00 in Asia/Tokyo)\n"), "\(shown)")
    // A server comes, and the user postpones it.
    let popups = try session.start("popups")
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("respond", "now", "l").status == 0)
    #expect(popups.readLines(until: "closed") != nil)
    let after = try session.suzu("list").output.split(separator: "\n").map(String.init)
    #expect(after[1].contains("  snoozed  ") && after[1].contains(" now "), "\(after)")
    #expect(!after[2].contains("snoozed"), "\(after)")
    let row = try #require(try Self.listed(session).first)
    #expect(row["state"] as? String == "pending" && row["snoozed"] as? Bool == true)
    let snoozed = try session.suzu("show", "now").output
    #expect(snoozed.firstMatch(of: /state: +snoozed until \w{3} \d{4}-\d\d-\d\d \d\d:\d\d/) != nil, "\(snoozed)")
    let json = try session.suzu("show", "now", "--json").output
    #expect(json.contains(#""snoozed":true"#), "\(json)")
    #expect(try session.suzu(["notify", "--file", "-"], input: json).output == "now\n")
  }

  @Test func `The history is filtered by id, date and state`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    for (id, app) in [("a", "x.y"), ("b", "x.y"), ("a", "z")] {
      #expect(try session.suzu("notify", "T", "--id", id, "--app", app).status == 0)
      #expect(popups.readLines(until: "from") != nil)
    }
    #expect(try session.suzu("dismiss", "b", "--app", "x.y").status == 0)
    #expect(popups.readLines(until: "#2 closed") != nil)
    #expect(Self.ids(try Self.listed(session, "history", "a")) == ["a", "a"])
    #expect(Self.ids(try Self.listed(session, "history", "a", "--app", "z")) == ["a"])
    #expect(Self.ids(try Self.listed(session, "history", "--state", "closed")) == ["b"])
    #expect(Self.ids(try Self.listed(session, "history", "--state", "delivered", "-n", "1")) == ["a"])
    #expect(Self.ids(try Self.listed(session, "history", "--since", "1h")) == ["a", "b", "a"])
    #expect(try session.suzu("history", "--state", "folded").output == "")
    for (arguments, problem) in [
      (
        ["--state", "close"],
        "'--state close' must be one of due, delivered, closed, expired, skipped, folded, failed, or a word of the column "
          + "WHY such as 'expired on screen'; did you mean 'closed'?"
      ),
      (["--since", "soon"], "'--since soon' must be a time in the past, such as 2h, yesterday or '2026-11-21 07:30'"),
      (["--since", "tomorrow"], "'--since tomorrow' is in the future"),
    ] {
      let wrong = try session.suzu(["history"] + arguments)
      #expect(wrong.status == 64 && wrong.errors.hasPrefix("suzu: history: \(problem)"), "\(wrong.errors)")
    }
  }

  @Test func `What is scheduled is not dismissed, and what is not found is said`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "T", "--id", "alarm", "--in", "2h").status == 0)
    let dismissed = try session.suzu("dismiss", "alarm")
    #expect(dismissed.status == 65)
    #expect(
      dismissed.errors
        == "suzu: dismiss: 'alarm' is scheduled, and not on the screen; use 'suzu cancel alarm'\n")
    // Without a terminal, nothing was printed.
    let past = try session.suzu("history", "nosuch")
    #expect(past.status == 0 && past.output == "")
    #expect(past.errors == "nothing found: the history has no such notification\n")
    #expect(try session.suzu("cancel", "alarm").status == 0)
    let allowed = try session.suzu("apps", "allow", "org.example.Nope")
    #expect(allowed.status == 0)
    #expect(
      allowed.errors
        == "suzu: apps: stored, but no app 'org.example.Nope' is installed or has sent anything; see 'suzu launcher list'\n"
    )
    for (text, problem) in [("", "is empty"), ("hello", "is neither JSON, a property list nor iCalendar")] {
      let file = try session.folder.write(text, to: "f")
      #expect(try session.suzu("notify", "--file", file).errors == "suzu: notify: \(file) \(problem)\n")
    }
  }

  // MARK: respond, dismiss, history

  @Test func `A response by command counts, and the history shows it`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    let asking = try session.start("notify", "Q", "--id", "q", "--action", "yes=Yes", "--wait")
    #expect(popups.readLines(until: "from") != nil)
    #expect(Self.ids(try Self.listed(session, "list", "--delivered")) == ["q"])
    let wrong = try session.suzu("respond", "q", "no")
    #expect(
      wrong.status == 65 && wrong.errors.hasSuffix("has no action 'no'; it has yes, default\n"), "\(wrong.errors)")
    #expect(try session.suzu("respond", "q", "yess").errors.hasSuffix("; did you mean 'yes'?\n"))
    #expect(try session.suzu("respond", "p", "yes").errors.hasSuffix("; see 'suzu list --delivered'\n"))
    #expect(try session.suzu("respond", "q", "yes", "--reply", "with milk").status == 0)
    #expect(asking.readLine() == "yes" && asking.readLine() == "with milk")
    #expect(try session.suzu("respond", "q", "yes").status == 65)
    #expect(try session.suzu("notify", "N", "--id", "n").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("dismiss", "n").status == 0)
    #expect(popups.readLines(until: "#2 closed") != nil)
    let history = try Self.listed(session, "history")
    #expect(Self.ids(history) == ["n", "q"])
    #expect(history[1]["action"] as? String == "yes" && history[1]["state"] as? String == "closed")
    let table = try session.suzu("history", "-n", "1").output.split(separator: "\n")
    #expect(table.first?.split(separator: " ") == ["DUE", "SHOWN", "WHY", "APP", "ID", "TITLE", "OUTCOME"])
    #expect(table.count == 2)
  }

  @Test func `Watch prints the date that a response belongs to`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    let watch = try session.start("watch", "--json")
    #expect(try session.suzu("notify", "T", "--id", "t", "--in", "1s").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("respond", "t", "default").status == 0)
    let line = try #require(watch.readLines(until: #""event":"responded""#)?.last)
    let event = try #require(try Self.json("[\(line)]").first)
    #expect((event["due"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/) != nil, "\(line)")
    #expect(event["missedDates"] == nil)
  }

  // MARK: Several requests

  @Test(arguments: ["json", "xml", "binary"])
  func `A file with several requests prints one id per line`(format: String) throws {
    let session = try Session()
    let requests: [[String: Any]] = [
      ["title": "One", "in": "1h", "id": "one"], ["title": "Two", "in": "2h"],
      ["title": "Three", "every": "1d", "id": "three"],
    ]
    let data =
      switch format {
      case "json": try JSONSerialization.data(withJSONObject: requests)
      case "xml": try PropertyListSerialization.data(fromPropertyList: requests, format: .xml, options: 0)
      default: try PropertyListSerialization.data(fromPropertyList: requests, format: .binary, options: 0)
      }
    let file = session.folder.path("several")
    try data.write(to: URL(filePath: file))
    let sent = try session.suzu("notify", "--file", file, "--level", "passive")
    #expect(sent.status == 0 && sent.errors == "")
    let printed = sent.output.split(separator: "\n").map(String.init)
    #expect(printed.count == 3 && printed[0] == "one" && printed[2] == "three")
    let rows = try Self.listed(session)
    #expect(Self.ids(rows) == printed)
    #expect(rows.allSatisfy { $0["level"] as? String == "passive" })
    for flags in [["--wait"], ["--id", "x"]] {
      let ended = try RunningProgram.run(
        Session.programs + "/suzu", ["notify", "--file", file] + flags, environment: session.environment)
      #expect(ended.status == 64)
      #expect(ended.errors.hasPrefix("suzu: notify: '\(flags[0])' is for one request; the file has"), "\(ended.errors)")
    }
  }

  /// Errors that `suzu` detects, and errors that only the center can detect.
  @Test(arguments: [
    (
      #"[{"title": "a", "in": "1h"}, {"title": "b", "in": "soon"}]"#, "standard input, line 1, column 51: '[1].in' must"
    ),
    (
      #"[{"title": "a", "in": "1h"}, {"title": "b", "category": "nobodys"}]"#,
      "standard input, line 1, column 57: '[1].category' names 'nobodys'"
    ),
  ])
  func `One invalid request keeps out all of its file`(file: String, problem: String) throws {
    let session = try Session()
    let ended = try session.suzu("notify", "--file", "-", input: file)
    #expect(ended.status == 65 && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: notify: \(problem)"), "\(ended.errors)")
    #expect(try session.suzu("list", "--json").output == "[]\n")
  }

  @Test func `A long listing comes page by page, and ends with its reader`() throws {
    let session = try Session()
    let many = (0..<2_500).map { "{\"title\": \"Number \($0)\", \"in\": \"1h\", \"id\": \"n\($0)\"}" }
    let sent = try session.suzu("notify", "--file", "-", input: "[" + many.joined(separator: ",\n") + "]")
    #expect(sent.status == 0 && sent.output.split(separator: "\n").count == 2_500, "\(sent.errors)")
    #expect(Set(Self.ids(try Self.listed(session))).count == 2_500)
    #expect(try session.suzu("list", "-n", "1500").output.split(separator: "\n").count == 1_501)
    let piped = try session.run(
      "/bin/bash", "-c", "'\(Session.programs)/suzu' list | head -n 2; echo \"ended ${PIPESTATUS[0]}\"")
    #expect(piped.output.split(separator: "\n").count == 3 && piped.output.hasSuffix("ended 141\n"), "\(piped.output)")
  }

  // MARK: On a terminal

  /// `script` provides a terminal, and passes on both outputs.
  private static func onTerminal(_ session: Session, _ command: String) throws -> [String] {
    let ended = try session.run(
      "/usr/bin/script", "-qec", "stty cols 60; '\(Session.programs)/suzu' \(command)", "/dev/null")
    #expect(ended.status == 0, "\(ended.output)")
    return ended.output.split(whereSeparator: \.isNewline).map(String.init)
  }

  private static let canMakeTerminals = FileManager.default.fileExists(atPath: "/dev/pts/ptmx")

  @Test(.enabled(if: canMakeTerminals, "no pseudo-terminals here: is /dev/pts mounted, as in a chroot it may not be?"))
  func `On a terminal notify prints how it understood a time, and elsewhere only the id`() throws {
    let session = try Session(variables: ["TZDIR": FixedZones.folder])
    let said = try Self.onTerminal(session, "notify T --id t --every 'Mon 07:30' --zone Europe/Paris")
    #expect(said.count == 2 && said.last == "t")
    #expect(
      said.first?.wholeMatch(of: /first on Monday \d{4}-\d\d-\d\d 07:30:00 \+0[12]:00 \(Europe\/Paris\)/) != nil,
      "\(said)")
    let once = try Self.onTerminal(session, "notify T --id u --in 5m")
    #expect(once.first?.wholeMatch(of: /on [A-Z][a-z]+day \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00/) != nil, "\(once)")
    #expect(try session.suzu("notify", "T", "--every", "Mon 07:30").errors == "")
    let listed = try Self.onTerminal(session, "list")
    #expect(listed.count == 4 && listed.allSatisfy { $0.count <= 60 }, "\(listed)")
    #expect(try Self.onTerminal(session, "list --app unknown") == ["no pending requests"])
    #expect(try Self.onTerminal(session, "history") == ["the history is empty"])
    // The number alone did not say what it counts.
    #expect(try session.suzu("notify", "T", "--in", "1h", "--app", "a.b").status == 0)
    #expect(
      try Self.onTerminal(session, "cancel --all")
        == ["cancelled 3 requests", "kept 1 of another app: add --app a.b"])
    #expect(try Self.onTerminal(session, "cancel --all --app a.b") == ["cancelled 1 request"])
    #expect(try Self.onTerminal(session, "notify T --id v --in 5m --json").count == 1)
  }
}
