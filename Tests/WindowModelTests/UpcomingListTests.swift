// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing
import Zoneinfo

@testable import WindowModel

/// Tests what the page *Upcoming* shows: days, words, and what differs from before.
@Suite struct UpcomingListTests {
  @Test func `Each day has a heading, and each request its time and how far that is`() {
    var list = UpcomingList()
    let change = list.show(
      [
        row("a", "2026-11-24T23:00:00Z"), row("b", "2026-11-25T07:30:00Z", ["every": .text("Mon,Tue,Thu 07:30")]),
        row("c", "2026-11-25T09:00:30Z", ["app": .text("org.example.Tea"), "body": .text("Green\ntea")]),
        row("d", "2027-01-02T09:00:00Z"), row("e", nil, ["on": .text("online")]),
      ], clock)
    #expect(change == ListChange(from: [], to: list.entries) && change?.added == 5)
    #expect(
      list.entries.map(\.heading) == ["Today", "Tomorrow", nil, "Saturday, 2 January 2027", "Waiting for a condition"])
    #expect(
      list.entries.map { "\($0.row.time)|\($0.row.subtitle(clock))" } == [
        "23:00|in 11 min", "07:30|in 8 h 41 min · Mon, Tue and Thu",
        "09:00|in 10 h 12 min · \u{2068}org.example.Tea\u{2069} · \u{2068}Green tea\u{2069}", "09:00|in 38 days",
        "|when \u{2068}online\u{2069}",
      ])
    #expect(
      list.row(RequestName(app: "dev.suzu.Suzu", id: "b"))?.spoken(clock)
        == "Tea, Tomorrow 07:30, in 8 h 41 min, Mon, Tue and Thu")
  }

  @Test func `Only what differs is replaced`() {
    var list = UpcomingList()
    let rows = [row("a", "2026-11-25T07:00:00Z"), row("b", "2026-11-25T08:00:00Z"), row("c", "2026-11-26T08:00:00Z")]
    _ = list.show(rows, clock)
    #expect(list.show(rows, clock) == nil)
    let more = [rows[0], rows[1], row("new", "2026-11-25T09:00:00Z"), rows[2]]
    let change = list.show(more, clock)
    #expect(change?.position == 2 && change?.removed == 0 && change?.added == 1)
    // The next one of that day gets its heading.
    let fewer = list.show(Array(more.dropFirst()), clock)
    #expect(fewer?.position == 0 && fewer?.removed == 2 && fewer?.added == 1)
  }

  @Test func `The keyboard follows its row, or goes to the one in its place`() {
    func lines(_ rows: [ListedRequest]) -> [DayEntry<UpcomingRow>] {
      var list = UpcomingList()
      _ = list.show(rows, clock)
      return list.entries
    }
    let (a, b, c) = (row("a", "2026-11-25T07:00:00Z"), row("b", "2026-11-25T08:00:00Z"), row("c", nil))
    let old = lines([a, b, c])
    #expect(DayEntry.successor(of: 0, in: old, lines([b, row("a", "2026-11-26T07:00:00Z"), c])) == 1)
    #expect(DayEntry.successor(of: 1, in: old, lines([a, c])) == 1)
    #expect(DayEntry.successor(of: 2, in: old, lines([a, b])) == 1)
    #expect(DayEntry.successor(of: 2, in: old, []) == nil)
    // One is due, and comes again.
    let due = ListedRequest(app: "dev.suzu.Suzu", id: "a", request: nil, state: .due)
    #expect(DayEntry.successor(of: 0, in: old, lines([due, b, row("a", "2026-11-26T07:00:00Z"), c])) == 2)
    let both = lines([due, a, b])
    #expect(DayEntry.successor(of: 0, in: both, lines([due, b, row("a", "2026-11-26T07:00:00Z")])) == 0)
  }

  // Rows are made once, and kept.
  @Test func `In another zone, and with other mutes, the rows are made anew`() throws {
    let rows = [row("a", "2026-11-25T07:30:00Z")]
    var list = UpcomingList()
    _ = list.show(rows, clock)
    #expect(list.entries.map(\.row.time) == ["07:30"])
    let zones = ZoneDatabase(folder: try FixedZones.folder)
    let tokyo = LocalClock(now: clock.now, rules: try zones.zone(named: "Asia/Tokyo").rules)
    _ = list.arrange(tokyo)
    #expect(list.entries.map(\.row.time) == ["16:30"])
    _ = list.show(rows, muted: [RequestName(rows[0])], tokyo)
    #expect(list.entries[0].row.remarks == ["muted"])
    _ = list.show(rows + [row("b", "2026-11-25T08:00:00Z")], tokyo)
    #expect(list.entries.map(\.row.time) == ["16:30", "17:00"])
    #expect(list.entries[0].row.remarks.isEmpty)
  }

  @Test func `A cancelled request is hidden until that is decided, whatever is listed meanwhile`() {
    var list = UpcomingList()
    let rows = [row("a", "2026-11-25T07:00:00Z"), row("b", "2026-11-25T08:00:00Z")]
    let name = RequestName(app: "dev.suzu.Suzu", id: "a")
    _ = list.show(rows, clock)
    // The next one gets the heading of the day.
    let change = list.hide(name, clock)
    #expect(change?.removed == 2 && change?.added == 1)
    #expect(list.show(rows, clock) == nil && list.row(name) == nil)
    #expect(list.unhide(name, clock)?.added == 2 && list.row(name) != nil)
  }

  @Test func `Names of requests differ if their bytes do`() {
    #expect(RequestName(app: "a", id: "\u{E9}") != RequestName(app: "a", id: "e\u{301}"))
    #expect(RequestName(app: "ab", id: "c") != RequestName(app: "a", id: "bc"))
    #expect(Set([RequestName(app: "a", id: "b"), RequestName(app: "a", id: "b")]).count == 1)
  }

  @Test func `A request that is due says what it waits for`() {
    let due = UpcomingRow(row("a", "2026-11-24T22:00:00Z", ["state": .text("due")]), clock)
    #expect(due.next == nil && due.subtitle(clock) == "due, waits for the notification server")
    let held = UpcomingRow(row("a", nil, ["state": .text("due"), "held": .text("2026-11-25T07:00:00Z")]), clock)
    #expect(held.subtitle(clock) == "held")
  }

  @Test func `Details say everything, line by line`() {
    let request = row(
      "a", "2026-11-25T07:30:00Z",
      [
        "every": .text("07:30"), "body": .text("One\nTwo"), "zone": .text("Asia/Tokyo"),
        "actions": .list([.dictionary(["id": .text("ok"), "title": .text("OK")])]),
      ])
    let details = RequestDetails(request, clock)
    #expect(details.body == "One\nTwo")
    #expect(
      details.lines.map { "\($0.label): \($0.text)" } == [
        "Next: Tomorrow 07:30, in 8 h 41 min", "Repeats: every day", "Zone: Asia/Tokyo", "Buttons: \u{2068}OK\u{2069}",
        "App: dev.suzu.Suzu", "ID: a",
      ])
  }
}

/// Tests texts of requests as lines of a page.
@Suite struct ShownTextTests {
  @Test(
    arguments: [
      ("Tea", "Tea"), ("  a\n\tb  ", "a b"), ("", ""), ("\u{202E}abc\u{2066}", "abc"), ("a\u{200B}b", "ab"),
      ("👨\u{200D}👩", "👨\u{200D}👩"), ("\u{7}x", "x"), ("שלום", "שלום"),
    ]) func `A line has no breaks, and nothing that turns or hides its surroundings`(_ raw: String, _ line: String)
  {
    #expect(ShownText.line(raw) == line)
  }

  @Test func `A long text is cut`() {
    #expect(ShownText.line(String(repeating: "x", count: 10_000)).count == ShownText.longest + 1)
    #expect(ShownText.isolated("abcdef", atMost: 3) == "\u{2068}abc…\u{2069}")
  }
}
