// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu list` with the real programs: its order, its columns, and what reads it back.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct ListCommandTests {
  @Test func `A listing is read back as requests`() throws {
    let session = try Session()
    for (id, time) in [("once", ["--in", "2h"]), ("weekly", ["--every", "Mon 07:30", "--count", "3"])] {
      #expect(
        try session.suzu(["notify", "T", "B", "--id", id, "--missed", "skip", "--action", "ok=OK"] + time).status == 0)
    }
    let before = try session.listed()
    let file = session.folder.path("list.json")
    try session.suzu("list", "--json").output.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try session.suzu("cancel", "--all").output == "2\n")
    #expect(
      try session.suzu("notify", "--file", file).output == "weekly\nonce\n"
        || Session.ids(before) == ["once", "weekly"])
    let after = try session.listed()
    #expect(Set(Session.ids(after)) == ["once", "weekly"])
    for (old, new) in zip(before, after) {
      for key in ["title", "body", "every", "count", "missed", "in"] {
        #expect("\(old[key] ?? "")" == "\(new[key] ?? "")", "\(key)")
      }
    }
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
    let rows = try session.listed()
    #expect(Session.ids(rows) == ["soon", "later", "y"])
    #expect(rows[0]["match"] as? [String: Int] == ["minute": 30] && rows[0]["repeat"] as? Bool == true)
    #expect(rows[1]["badge"] as? Int == 3)
    for row in rows {
      #expect(row["state"] as? String == "pending")
      #expect((row["next"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/) != nil)
    }
    #expect(Session.ids(try session.listed("list", "--app", "b.c")) == ["y"])
    #expect(Session.ids(try session.listed("list", "-n1")) == ["soon"])
    let table = try session.suzu("list").output.split(separator: "\n")
    #expect(table.first?.split(separator: " ") == ["NEXT", "APP", "ID", "TITLE", "REPEATS"])
    #expect(table.last?.hasSuffix("  b.c            y      Other  *-01-01 09:00") == true, "\(table)")
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
    let rows = try session.listed()
    #expect(Session.ids(rows) == ["now", "later", "there"] && rows[0]["state"] as? String == "due")
    #expect(Session.ids(try session.listed("list", "-n", "1")) == ["now"])
    #expect(Session.ids(try session.listed("list", "-n", "2")) == ["now", "later"])
    #expect(Session.ids(try session.listed("list", "--app", "a.b")) == [])
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
    let row = try #require(try session.listed().first)
    #expect(row["state"] as? String == "pending" && row["snoozed"] as? Bool == true)
    let snoozed = try session.suzu("show", "now").output
    #expect(snoozed.firstMatch(of: /state: +snoozed until \w{3} \d{4}-\d\d-\d\d \d\d:\d\d/) != nil, "\(snoozed)")
    let json = try session.suzu("show", "now", "--json").output
    #expect(json.contains(#""snoozed":true"#), "\(json)")
    #expect(try session.suzu(["notify", "--file", "-"], input: json).output == "now\n")
  }

  // The copy was in 'suzu list' alone, and 'suzu why' took no title.
  @Test func `show, next and why name the copy that a button has postponed`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let wake = ["notify", "Wake", "--id", "wake", "--every", "1s", "--action", "l=Later", "--snooze", "l=2h"]
    #expect(try session.suzu(wake).status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("respond", "wake", "l").status == 0)
    // Its repetition would change what is under test.
    #expect(try session.suzu("edit", "wake", "--every", "3h").status == 0)
    for command in [["show", "wake"], ["next", "wake"], ["why", "wake"], ["why", "Wake"]] {
      let said = try session.suzu(command)
      #expect(said.status == 0)
      #expect(
        said.errors.firstMatch(of: /^'wake\.snoozed', which a button has postponed, comes on \w{3} [-0-9]+ [:0-9]+\n$/)
          != nil, "\(command): \(said.errors)")
    }
    #expect(try session.suzu("why", "Wake").output == (try session.suzu("why", "wake").output))
    #expect(try session.suzu("show", "wake.snoozed").errors == "")
    let json = try session.suzu("why", "wake", "--json")
    #expect(json.status == 0 && json.errors == "")
    #expect(try session.suzu("why", "Wakes").status == 65)
  }

  @Test func `A long listing comes page by page, and ends with its reader`() throws {
    let session = try Session()
    let many = (0..<2_500).map { "{\"title\": \"Number \($0)\", \"in\": \"1h\", \"id\": \"n\($0)\"}" }
    let sent = try session.suzu("notify", "--file", "-", input: "[" + many.joined(separator: ",\n") + "]")
    #expect(sent.status == 0 && sent.output.split(separator: "\n").count == 2_500, "\(sent.errors)")
    #expect(Set(Session.ids(try session.listed())).count == 2_500)
    #expect(try session.suzu("list", "-n", "1500").output.split(separator: "\n").count == 1_501)
    let piped = try session.run(
      "/bin/bash", "-c", "'\(Session.programs)/suzu' list | head -n 2; echo \"ended ${PIPESTATUS[0]}\"")
    #expect(piped.output.split(separator: "\n").count == 3 && piped.output.hasSuffix("ended 141\n"), "\(piped.output)")
  }
}
