// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Zoneinfo

@testable import CenterClient
@testable import suzu

/// Tests that `suzu show` prints what the user gave, in a form for people.
@Suite struct ShownWordsTests {
  private static func text(_ words: [String: PlainValue], now: String = "2026-11-23T15:32:00Z") throws -> String {
    let row = ListedRequest(["id": "x", "title": "T", "state": "pending"].merging(words) { $1 })
    return ShowCommand.text(row, alsoShown: nil, in: .utc, now: try #require(Instant(rfc3339: now)))
  }

  // It printed a start that the center had stored, which contradicted the documentation.
  @Test(
    arguments: [
      ["rule": "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=16", "from": "2026-11-23 16:00:00"],
      ["every": "1h", "from": "2026-11-23T16:31:59Z"], ["every": "Mon 07:30", "from": "2026-11-23T15:31:01Z"],
      // In the second of the request, the center's start is still to come.
      ["every": "Mon 07:30", "from": "2026-11-23T15:32:01Z"],
    ] as [[String: PlainValue]])
  func `A start that was not given is not shown`(words: [String: PlainValue]) throws {
    #expect(try !Self.text(words).contains("from:"))
  }

  @Test(
    arguments: [
      (["rule": "FREQ=DAILY", "from": "2026-12-01 09:00:00"], "Tue 2026-12-01 09:00"),
      (["every": "15m", "from": "2026-11-24T08:00:00Z"], "Tue 2026-11-24 08:00"),
      (["every": "Mon 07:30", "from": "2027-01-01 00:00:00"], "Fri 2027-01-01 00:00"),
    ] as [([String: PlainValue], String)])
  func `A start that matters is a date like the others`(words: [String: PlainValue], date: String) throws {
    #expect(try Self.text(words).split(separator: "\n").contains { $0.hasPrefix("from:") && $0.hasSuffix(date) })
  }

  // It was shown as '--from', which the user had not given.
  @Test(arguments: ["FREQ=WEEKLY;INTERVAL=2", "FREQ=DAILY;COUNT=3"])
  func `The start that a rule counts from is shown as such`(rule: String) throws {
    let lines = try Self.text(["rule": .text(rule), "from": "2026-11-02 09:00:00"]).split(separator: "\n")
    #expect(lines.contains("counts from:  Mon 2026-11-02 09:00") && !lines.contains { $0.hasPrefix("from:") })
  }

  @Test(
    arguments: [
      (["id": "music", "title": "Music", "run": .list(["mpv", "a b"])], "Music (music): run mpv 'a b'"),
      (["id": "later", "title": "Later", "snooze": "10m"], "Later (later): snooze 10m"),
      (["id": "go", "title": "Go", "url": "https://example.org"], "Go (go): open https://example.org"),
      (["id": "cal", "title": "Day", "launch": "org.gnome.Calendar"], "Day (cal): launch org.gnome.Calendar"),
      (
        ["id": "re", "title": "Reply", "input": .dictionary(["placeholder": "Your answer"])],
        "Reply (re): ask for a text 'Your answer'"
      ),
      (["id": "rm", "title": "Delete", "destructive": .flag(true)], "Delete (rm): destructive"),
      (["id": "ok", "title": "OK"], "OK (ok)"), (["id": "ok"], "ok"),
    ] as [([String: PlainValue], String)])
  func `A button is shown with its title, its id and what it does`(action: [String: PlainValue], line: String) throws {
    #expect(ShownWords.button(.dictionary(action)) == line)
    #expect(try Self.text(["actions": .list([.dictionary(action)])]).hasSuffix(" \(line)"))
  }

  @Test func `Other values are shown without JSON`() throws {
    let text = try Self.text([
      "match": .dictionary(["weekday": .integer(2), "hour": .integer(7)]), "until": "2027-01-01T00:00:00Z",
      "userInfo": .dictionary(["track": "7"]),
    ])
    #expect(
      text.contains(" hour=7, weekday=2\n") && text.contains(" track=7") && text.contains(" Fri 2027-01-01 00:00"))
  }
}
