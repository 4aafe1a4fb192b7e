// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Zoneinfo

@testable import WindowModel

private let evening = Instant(rfc3339: "2026-12-03T17:00:00Z") ?? Instant(0)

/// Tests the new dates of requests that are moved on the page *Upcoming*.
@Suite struct MovedRequestTests {
  private static func moved(
    _ next: String?, _ words: [String: PlainValue], _ move: MovedRequest.Move, from: Instant? = nil,
    _ clock: LocalClock = clock
  ) throws(MovedRequest.Problem) -> MovedRequest {
    try MovedRequest(UpcomingRow(row("a", next, words), clock), move, from: from, clock)
  }

  private static let nine = ["at": PlainValue.text("2026-11-25 09:00:00")]

  @Test(
    arguments: [
      (MovedRequest.Move.days(1), "2026-11-26 09:00:00"), (.hours(1), "2026-11-25 10:00:00"),
      (.hours(-10), "2026-11-24 23:00:00"), (.day(evening), "2026-12-03 09:00:00"),
      (.instant(evening), "2026-12-03 17:00:00"),
    ])
  func `It moves by days, hours, and to another row`(move: MovedRequest.Move, at: String) throws {
    let moved = try Self.moved("2026-11-25T09:00:00Z", Self.nine, move)
    #expect(moved.words["at"] == .text(at))
    #expect(moved.words["state"] == nil && moved.words["next"] == nil)
    #expect(moved.words["id"] == .text("a") && moved.words["title"] == .text("Tea"))
  }

  @Test func `A delay and a moment become a moment, and undo is one as well`() throws {
    let delay = try Self.moved("2026-11-25T00:49:00+01:00", ["in": .text("1h")], .hours(1))
    #expect(delay.words["in"] == nil && delay.words["at"] == .text("2026-11-25T00:49:00Z"))
    let row = UpcomingRow(row("a", "2026-11-25T00:49:00+01:00", ["in": .text("1h")]), clock)
    #expect(MovedRequest.original(row, clock)["at"] == .text("2026-11-24T23:49:00Z"))
    #expect(MovedRequest.original(row, clock)["in"] == nil)
    let moment = try Self.moved("2026-12-24T17:00:00+01:00", ["at": .text("2026-12-24T18:00:00+02:00")], .days(1))
    #expect(moment.words["at"] == .text("2026-12-25T16:00:00Z"))
    let match = try Self.moved(
      "2026-11-25T09:00:00Z", ["match": .dictionary(["hour": .integer(9)]), "from": .text("2026-11-24T19:02:12Z")],
      .days(1))
    #expect(match.words["match"] == nil && match.words["from"] == nil)
    #expect(match.words["at"] == .text("2026-11-26T09:00:00Z"))
  }

  @Test func `A cell of the week keeps the minute, and says so if the request is there`() throws {
    let day = try #require(CivilDate(year: 2026, month: 11, day: 28))
    let words = ["at": PlainValue.text("2026-11-25 09:20:05")]
    #expect(
      try Self.moved("2026-11-25T09:20:05Z", words, .hour(day, 17)).words["at"] == .text("2026-11-28 17:20:05"))
    let same = try #require(CivilDate(year: 2026, month: 11, day: 25))
    #expect(throws: MovedRequest.Problem(text: "\u{2068}Tea\u{2069} is there already")) {
      try Self.moved("2026-11-25T09:20:05Z", words, .hour(same, 9))
    }
    // The clocks skip half past two on that day.
    let rules = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    let now = LocalClock(now: try #require(Instant(rfc3339: "2026-03-27T10:00:00Z")), rules: rules)
    let spring = try #require(CivilDate(year: 2026, month: 3, day: 29))
    let moved = try Self.moved(
      "2026-03-28T08:30:00Z", ["at": .text("2026-03-28 09:30:00")], .hour(spring, 2), now)
    #expect(moved.next == Instant(rfc3339: "2026-03-29T01:30:00Z"))
  }

  @Test func `A row that is not yet up to date moves from where the request is`() throws {
    let later = Instant(rfc3339: "2026-11-26T09:00:00Z")
    #expect(
      try Self.moved("2026-11-25T09:00:00Z", Self.nine, .days(1), from: later).words["at"]
        == .text("2026-11-27 09:00:00"))
  }

  @Test func `A day keeps the time of day across a change of the clocks`() throws {
    let rules = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    let now = LocalClock(now: try #require(Instant(rfc3339: "2026-10-23T10:00:00Z")), rules: rules)
    let words = ["at": PlainValue.text("2026-10-24 02:30:00")]
    // The clocks show half past two twice on that night: the time of day means the first one.
    let day = try Self.moved("2026-10-24T02:30:00+02:00", words, .days(1), now)
    #expect(day.words["at"] == .text("2026-10-25 02:30:00"))
    #expect(day.next == Instant(rfc3339: "2026-10-25T00:30:00Z"))
    let hour = try Self.moved("2026-10-25T02:30:00+02:00", words, .hours(1), now)
    #expect(hour.words["at"] == .text("2026-10-25T01:30:00Z"))
  }

  @Test(
    arguments: [
      (["every": PlainValue.text("09:00")], "\u{2068}Tea\u{2069} repeats; change all its dates with 'suzu edit'"),
      (
        ["in": .text("1h"), "repeat": .flag(true)], "\u{2068}Tea\u{2069} repeats; change all its dates with 'suzu edit'"
      ),
      (
        ["app": .text("org.example.Tea")],
        "\u{2068}Tea\u{2069} belongs to \u{2068}org.example.Tea\u{2069}, which sets its time"
      ),
      (
        ["at": .text("2026-11-25 09:00:00"), "zone": .text("Asia/Tokyo")],
        "\u{2068}Tea\u{2069} has a time in another zone; change it with 'suzu edit'"
      ),
      (["on": .text("online")], "\u{2068}Tea\u{2069} waits for a condition, not for a time"),
      (["state": .text("due")], "\u{2068}Tea\u{2069} has no date to move"),
    ])
  func `What has no single date of its own says why it stays`(words: [String: PlainValue], why: String) {
    #expect(throws: MovedRequest.Problem(text: why)) {
      try Self.moved("2026-11-25T09:00:00Z", words, .days(1))
    }
  }

  @Test func `A time that has passed is refused`() {
    #expect(throws: MovedRequest.Problem(text: "Yesterday 09:00 has passed")) {
      try Self.moved("2026-11-25T09:00:00Z", Self.nine, .days(-2))
    }
    #expect(throws: MovedRequest.Problem.self) { try Self.moved("2026-11-25T09:00:00Z", Self.nine, .days(.max / 2)) }
  }
}
