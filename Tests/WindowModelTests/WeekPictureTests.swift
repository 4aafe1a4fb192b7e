// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Zoneinfo

@testable import WindowModel

/// Tests the week of the page *Upcoming*: which column and row, what has no room, changes of the clocks, arrows.
@Suite struct WeekPictureTests {
  private static func picture(
    _ rows: [ListedRequest], from first: CivilDate? = nil, _ clock: LocalClock = clock
  ) -> WeekPicture {
    WeekPicture(rows.map { UpcomingRow($0, clock) }, from: first, clock)
  }

  /// What is shown: the day, the hour and the lines of each cell.
  private static func lines(_ picture: WeekPicture) -> [String] {
    picture.cells.sorted { ($0.key.day, $0.key.hour) < ($1.key.day, $1.key.hour) }.map { place, cell in
      let lines = cell.shown.map { "\($0.time) \($0.row.title)" } + (cell.more.map { [$0] } ?? [])
      return "\(place.day)/\(place.hour): " + lines.joined(separator: ", ")
    }
  }

  @Test func `The first column is today, and each date has the row of its hour`() {
    let picture = Self.picture([
      row("e", nil, ["on": .text("online")], title: "Back up"), row("a", "2026-11-24T23:10:00Z"),
      row("b", "2026-11-25T00:00:00Z", title: "Cake"), row("c", "2026-11-30T23:59:59Z", title: "Pie"),
      row("d", "2026-12-01T00:00:00Z", title: "Later"), row("f", "2026-12-02T00:00:00Z", title: "Latest"),
    ])
    #expect(picture.days.map(\.title) == ["Today", "Wed 25", "Thu 26", "Fri 27", "Sat 28", "Sun 29", "Mon 30"])
    #expect(picture.days.map(\.isToday) == [true] + Array(repeating: false, count: 6))
    #expect(picture.title == "Today to Monday, 30 November")
    #expect(Self.lines(picture) == ["0/23: 23:10 Tea", "1/0: 00:00 Cake", "6/23: 23:59 Pie"])
    #expect(picture.undated.shown.map(\.row.title) == ["Back up"])
    #expect(picture.later?.row.title == "Later" && picture.hours == 0...23)
    #expect(picture.cells[WeekPicture.Place(day: 0, hour: 23)]?.shown[0].spoken(clock) == "Tea, Today 23:10, in 21 min")
  }

  @Test func `Two at the same minute stand below each other, and of five, three are only counted`() {
    let two = Self.picture([row("a", "2026-11-25T09:30:00Z", title: "One"), row("b", "2026-11-25T09:30:00Z")])
    #expect(Self.lines(two) == ["1/9: 09:30 One, 09:30 Tea"])
    let five = (1...5).map { row("\($0)", "2026-11-25T09:3\($0):00Z", title: "No. \($0)") }
    #expect(Self.lines(Self.picture(Array(five.prefix(3)))) == ["1/9: 09:31 No. 1, 09:32 No. 2, 09:33 No. 3"])
    let cell = Self.picture(five).cells[WeekPicture.Place(day: 1, hour: 9)]
    #expect(cell?.shown.map(\.row.title) == ["No. 1", "No. 2"] && cell?.more == "+3 more" && cell?.count == 3)
    #expect(cell?.firstHidden?.row.title == "No. 3")
  }

  @Test func `Of what has no date, the first lines are shown as well`() {
    let rows = (1...5).map { row("\($0)", nil, ["on": .text("online")], title: "No. \($0)") }
    let picture = Self.picture(rows)
    #expect(picture.isEmpty && picture.hours == nil && picture.later == nil)
    #expect(picture.undated.shown.map(\.row.title) == ["No. 1", "No. 2"] && picture.undated.more == "+3 more")
  }

  @Test func `A request that repeats has all its dates of the week, also in later weeks`() throws {
    let rows = [row("a", "2026-11-25T09:45:00Z", ["every": .text("Mon..Fri 09:45"), "from": .text("2026-11-01")])]
    let picture = Self.picture(rows)
    #expect(picture.cells.keys.map(\.day).sorted() == [1, 2, 3, 6] && picture.hours == 9...9)
    let cells = picture.cells.sorted { $0.key.day < $1.key.day }.map(\.value)
    #expect(cells.map { $0.shown[0].isLater } == [false, true, true, true])
    #expect(cells[1].shown[0].spoken(clock) == "Tea, Thursday, 26 November 09:45, in 1 day 10 h, Monday to Friday")
    let spring = try #require(CivilDate(year: 2027, month: 3, day: 1))
    #expect(Self.picture(rows, from: spring).cells.keys.map(\.day).sorted() == [0, 1, 2, 3, 4])
  }

  @Test(
    arguments: [
      (["every": PlainValue.text("5m"), "from": .text("2026-11-24T22:50:00Z")], 1),
      (["every": .text("6h"), "from": .text("2026-11-24T22:50:00Z")], 25),
      (["in": .text("2d"), "repeat": .flag(true), "from": .text("2026-11-24T22:50:00Z")], 4),
      (["every": .text("22:50"), "count": .integer(2)], 1),
      (["every": .text("22:50"), "zone": .text("Asia/Tokyo")], 1),
      (["every": .text("22:50 Asia/Tokyo")], 1), (["every": .text("22:50"), "until": .text("2026-11-26")], 3),
      (["every": .text("nonsense")], 1),
    ] as [([String: PlainValue], Int)])
  func `What repeats too often, is counted, or has another zone is shown with its next date`(
    words: [String: PlainValue], count: Int
  ) {
    let cells = Self.picture([row("a", "2026-11-24T22:50:00Z", words)]).cells.values
    #expect(cells.map { $0.shown.count + $0.hiddenCount }.reduce(0, +) == count)
  }

  @Test func `Where the clocks change, an hour that comes twice is one row, and a skipped one is empty`() throws {
    let rules = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    let autumn = LocalClock(now: try #require(Instant(rfc3339: "2026-10-24T10:00:00Z")), rules: rules)
    let twice = Self.picture(
      [row("a", "2026-10-25T00:30:00Z", title: "First"), row("b", "2026-10-25T01:30:00Z", title: "Second")], autumn)
    #expect(Self.lines(twice) == ["1/2: 02:30 First, 02:30 Second"])
    #expect(twice.end == Instant(rfc3339: "2026-10-30T23:00:00Z"))
    let spring = LocalClock(now: try #require(Instant(rfc3339: "2026-03-28T10:00:00Z")), rules: rules)
    let daily = Self.picture(
      [row("a", "2026-03-29T01:30:00Z", ["every": .text("02:30"), "from": .text("2026-03-01")])], spring)
    #expect(
      Self.lines(daily) == [
        "1/3: 03:30 Tea", "2/2: 02:30 Tea", "3/2: 02:30 Tea", "4/2: 02:30 Tea", "5/2: 02:30 Tea", "6/2: 02:30 Tea",
      ])
  }

  @Test func `Arrows lead to the next line of the column, and to the nearest hour of the next one that has some`() {
    let picture = Self.picture([
      row("e", nil, ["on": .text("online")]), row("a", "2026-11-25T08:00:00Z"), row("b", "2026-11-25T09:00:00Z"),
      row("c", "2026-11-25T09:30:00Z"), row("d", "2026-11-27T20:00:00Z"), row("f", "2026-11-27T07:00:00Z"),
    ])
    func spot(_ day: Int, _ hour: Int, _ line: Int = 0) -> WeekSpot {
      WeekSpot(WeekPicture.Place(day: day, hour: hour), line: line)
    }
    let above = WeekSpot(nil, line: 0)
    #expect(picture.spots == [above, spot(1, 8), spot(1, 9), spot(1, 9, 1), spot(3, 7), spot(3, 20)])
    #expect(picture.neighbor(of: spot(1, 9), .later) == spot(1, 9, 1))
    #expect(picture.neighbor(of: spot(1, 9, 1), .later) == nil)
    #expect(picture.neighbor(of: spot(1, 9), .earlier) == spot(1, 8))
    #expect(picture.neighbor(of: spot(1, 8), .earlier) == above && picture.neighbor(of: above, .later) == spot(1, 8))
    #expect(picture.neighbor(of: spot(1, 9, 1), .dayAfter) == spot(3, 7))
    #expect(picture.neighbor(of: spot(3, 20), .dayBefore) == spot(1, 9))
    #expect(picture.neighbor(of: spot(1, 8), .dayBefore) == nil && picture.neighbor(of: above, .dayAfter) == nil)
  }

  @Test(
    arguments: [
      ("2026-11-24T12:00:00Z", "2026-11-24"), ("2026-11-30T12:00:00Z", "2026-11-24"),
      ("2026-12-01T00:00:00Z", "2026-12-01"), ("2026-11-23T23:59:00Z", "2026-11-17"),
    ])
  func `Weeks are counted from a day`(date: String, start: String) throws {
    let first = try #require(CivilDate(year: 2026, month: 11, day: 24))
    let found = WeekPicture.start(for: try #require(Instant(rfc3339: date)), from: first, clock)
    #expect(found.map { "\($0)" } == start)
  }

  @Test func `The last days of the calendar are shown`() throws {
    #expect(Self.picture([], from: .last).days.map(\.date).last == .last)
  }
}
