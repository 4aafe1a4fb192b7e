// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests what several verbs of `suzu` have in common, with the real programs: ids, titles, dates and terminals.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct VerbTests {
  // Lines of 120 columns were hard to read in a pager.
  @Test func `Help has at most 80 columns in a pipe`() throws {
    let names: [String?] = [nil] + (try Recipe.verbs())
    for name in names {
      for line in try Session.help(of: name).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func `The word 'help' is understood where it can mean nothing else`() throws {
    let session = try Session(hasCenter: false)
    for name in ["popups", "doctor", "watch", "list"] {
      #expect(try session.suzu(name, "help").output == Session.help(of: name), "\(name)")
      #expect(try session.suzu("help", name).output == Session.help(of: name), "\(name)")
    }
    #expect(try session.suzu("help", "help").output == Session.help(of: nil))
    let wrong = try session.suzu("help", "ntoify")
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'notify'?"), "\(wrong.errors)")
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
    func left() throws -> Int { try Session.json(session.suzu("next", "a", "-n", "9", "--json").output).count }
    #expect([1, 2].contains(try left()))
    #expect(try session.suzu("edit", "a", "Another title").status == 0)
    #expect([1, 2].contains(try left()))
    let file = session.folder.path("all.json")
    #expect(try session.suzu("export", file).status == 0)
    #expect(try session.suzu("cancel", "a").status == 0)
    #expect(try session.suzu("import", file).status == 0)
    #expect([1, 2].contains(try left()))
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
        == "suzu: notify: warning: 'b' replaced a pending request, whose actions are lost; to change only a part, use "
        + "'suzu edit b --in …'\n")
    #expect(try session.suzu("notify", "W", "--id", "w", "--every", "Mon 07:30", "--action", "ok=OK").status == 0)
    #expect(
      try session.suzu("notify", "W", "--id", "w", "--in", "2h").errors
        == "suzu: notify: warning: 'w' replaced a pending request, whose repetition and actions are lost; to be reminded "
        + "once in between, use another id\n")
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
        == "suzu: notify: warning: 'd' replaced a pending request, whose body, actions and userInfo are lost; to change only a part, use 'suzu edit d --in …'\n"
    )
    // Nothing is lost now; nor if the new request has the same keys.
    #expect(try session.suzu("notify", "Dentist", "--id", "d", "--in", "2h", "--body", "x").status == 64)
    #expect(try session.suzu("notify", "Dentist", "B", "--id", "d", "--in", "2h").errors == "")
    #expect(try session.suzu("notify", "Dentist", "C", "--id", "d", "--in", "3h").errors == "")
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
    let past = try session.suzu("history", "alarm")
    #expect(past.status == 0 && past.output == "")
    #expect(past.errors == "nothing found: 'alarm' is scheduled; see 'suzu show alarm'\n")
    let filtered = try session.suzu("history", "alarm", "--state", "failed")
    #expect(filtered.status == 0)
    #expect(filtered.errors == "nothing found: 'alarm' has no such date in the history\n")
    let nothing = try session.suzu("history", "--since", "1h")
    #expect(nothing.status == 0 && nothing.errors == "nothing found: the history has no such notification\n")
    // It was as if the request had no past.
    let unknown = try session.suzu("history", "nosuch")
    #expect(unknown.status == 65 && unknown.output == "")
    #expect(unknown.errors == "suzu: history: no request is called 'nosuch'; see 'suzu history'\n")
    let near = try session.suzu("history", "alrm")
    #expect(near.status == 65 && near.errors.hasSuffix("no request is called 'alrm'; did you mean 'alarm'?\n"))
    // A scheduled request is cancelled, and a shown one is dismissed.
    let popups = try session.start("popups")
    #expect(try session.suzu("notify", "Tea", "--id", "tea").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    for name in ["tea", "Tea"] {
      let shown = try session.suzu("cancel", name)
      #expect(shown.status == 65)
      #expect(shown.errors == "suzu: cancel: 'tea' is on the screen, and not scheduled; use 'suzu dismiss tea'\n")
    }
    #expect(try session.suzu("cancel", "alarm").status == 0)
    let allowed = try session.suzu("apps", "allow", "org.example.Nope")
    #expect(allowed.status == 0)
    #expect(
      allowed.errors
        == "suzu: apps: warning: stored, but no app 'org.example.Nope' is installed or has sent anything; see 'suzu launcher list', or "
        + "take it back with 'suzu apps reset org.example.Nope'\n")
    for (text, problem) in [("", "is empty"), ("hello", "is neither JSON, a property list nor iCalendar")] {
      let file = try session.folder.write(text, to: "f")
      #expect(try session.suzu("notify", "--file", file).errors == "suzu: notify: \(file) \(problem)\n")
    }
  }

  @Test func `Watch prints the date that a response belongs to`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    let watch = try session.startWatch("--json")
    #expect(try session.suzu("notify", "T", "--id", "t", "--in", "1s").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("respond", "t", "default").status == 0)
    let line = try #require(watch.readLines(until: #""event":"responded""#)?.last)
    let event = try #require(try Session.json("[\(line)]").first)
    #expect((event["due"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/) != nil, "\(line)")
    #expect(event["missedDates"] == nil)
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
      said.first?.wholeMatch(of: /first on Monday \d{4}-\d\d-\d\d 07:30:00 \+0[12]:00 \(Europe\/Paris\), in \d.*/)
        != nil,
      "\(said)")
    let once = try Self.onTerminal(session, "notify T --id u --in 5m")
    #expect(
      once.first?.wholeMatch(of: /on [A-Z][a-z]+day \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00, in 5 min/) != nil, "\(once)"
    )
    #expect(try session.suzu("notify", "T", "--every", "Mon 07:30").errors == "")
    let listed = try Self.onTerminal(session, "list")
    // A heading for each day: that of the one in five minutes, and that of the Monday, which may be the same.
    let days = listed.filter { $0.wholeMatch(of: /((Today|Tomorrow), )?[A-Z][a-z]{2} \d{4}-\d\d-\d\d/) != nil }
    #expect(listed.count == 4 + days.count && 1...3 ~= days.count, "\(listed)")
    #expect(listed.allSatisfy { $0.count <= 60 } && listed.contains { $0.contains(/, in [45] min/) }, "\(listed)")
    #expect(try Self.onTerminal(session, "list --app unknown") == ["no pending requests"])
    #expect(try Self.onTerminal(session, "history") == ["the history is empty"])
    #expect(
      try Self.onTerminal(session, "history --app org.example.Tea")
        == ["nothing found: the history has no notification of 'org.example.Tea'"])
    // The number alone did not say what it counts.
    #expect(try session.suzu("notify", "T", "--in", "1h", "--app", "a.b").status == 0)
    #expect(
      try Self.onTerminal(session, "cancel --all")
        == ["cancelled 3 requests", "kept 1 of another app: add --app a.b"])
    #expect(try Self.onTerminal(session, "cancel --all --app a.b") == ["cancelled 1 request"])
    #expect(try Self.onTerminal(session, "notify T --id v --in 5m --json").count == 1)
  }
}
