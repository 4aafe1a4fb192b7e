// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests the times at which it is quiet: spans over midnight, dates of calendar expressions, and changes of clocks.
@Suite struct QuietSpanTests {
  private static func rules(_ name: String) throws(TriggerError) -> ZoneRules {
    do { return try ZoneDatabase(folder: FixedZones.folder).zone(named: name).rules } catch {
      throw TriggerError.unreadable
    }
  }

  /// When it is no longer quiet, in UTC; nil if it is not quiet at that moment.
  private static func end(_ texts: [String], at moment: String, in zone: String = "Europe/Paris") throws -> String? {
    for text in texts { _ = try QuietSpan.parse(text) }
    let now = try #require(Instant(rfc3339: moment))
    return QuietSpans(texts).end(of: now) { name throws(TriggerError) in try rules(name ?? zone) }
      .map { $0.description }
  }

  private static func expect(_ end: String?, _ expected: String?, _ what: String) {
    let instant = expected.flatMap { Instant(rfc3339: $0)?.description }
    #expect(end == instant, "\(what)")
  }

  @Test(
    arguments: [
      // 2026-11-20 is a Friday; Paris is one hour ahead of UTC.
      ("Mon..Fri 22:00..07:00", "2026-11-20T20:59:59Z", nil),
      ("Mon..Fri 22:00..07:00", "2026-11-20T21:00:00Z", "2026-11-21T06:00:00Z"),
      ("Mon..Fri 22:00..07:00", "2026-11-21T05:59:59Z", "2026-11-21T06:00:00Z"),
      ("Mon..Fri 22:00..07:00", "2026-11-21T06:00:00Z", nil),
      // The night after a Saturday, and the one before a Monday, are not in it.
      ("Mon..Fri 22:00..07:00", "2026-11-21T22:00:00Z", nil), ("Mon..Fri 22:00..07:00", "2026-11-23T05:00:00Z", nil),
      ("Sat,Sun", "2026-11-21T11:00:00Z", "2026-11-22T23:00:00Z"), ("Sat,Sun", "2026-11-23T11:00:00Z", nil),
      ("12:00..13:00,22:00..24:00", "2026-11-20T11:30:00Z", "2026-11-20T12:00:00Z"),
      ("12:00..13:00,22:00..24:00", "2026-11-20T22:30:00Z", "2026-11-20T23:00:00Z"),
      // The clocks go forward from 02:00 to 03:00, and back from 03:00 to 02:00.
      ("22:00..02:30", "2027-03-27T23:30:00Z", "2027-03-28T01:00:00Z"), ("22:00..02:30", "2027-03-28T01:00:00Z", nil),
      ("02:30..04:00", "2027-03-28T01:00:00Z", "2027-03-28T02:00:00Z"), ("02:10..02:50", "2027-03-28T01:00:00Z", nil),
      ("22:00..02:30", "2026-10-24T23:00:00Z", "2026-10-25T01:30:00Z"),
      ("22:00..02:30", "2026-10-25T00:45:00Z", "2026-10-25T01:30:00Z"), ("22:00..02:30", "2026-10-25T01:30:00Z", nil),
      ("02:30..04:00", "2026-10-25T00:30:00Z", "2026-10-25T03:00:00Z"),
      ("02:30..04:00", "2026-10-25T01:00:00Z", "2026-10-25T03:00:00Z"),
    ] as [(String, String, String?)])
  func `It is quiet from the beginning of a span to its end`(_ text: String, _ moment: String, _ end: String?) throws {
    Self.expect(try Self.end([text], at: moment), end, "\(text) at \(moment)")
  }

  @Test(
    arguments: [
      ("Sat 14:00 for 2h", "2026-11-21T12:59:59Z", nil),
      ("Sat 14:00 for 2h", "2026-11-21T13:00:00Z", "2026-11-21T15:00:00Z"),
      ("Sat 14:00 for 2h", "2026-11-21T14:59:59Z", "2026-11-21T15:00:00Z"),
      ("Sat 14:00 for 2h", "2026-11-21T15:00:00Z", nil),
      ("*-12-24 18:00 for 1d12h", "2026-12-25T12:00:00Z", "2026-12-26T05:00:00Z"),
      // Its own zone, five hours behind UTC.
      ("09:00 America/New_York for 1h", "2026-11-20T14:30:00Z", "2026-11-20T15:00:00Z"),
      // The date that comes last counts, and a duration is elapsed time.
      ("*:00/10 for 25m", "2026-11-20T14:35:00Z", nil as String?),
      ("22:00 for 9h", "2026-10-25T00:00:00Z", "2026-10-25T05:00:00Z"),
    ] as [(String, String, String?)])
  func `It is quiet for a while after each date of an expression`(
    _ text: String, _ moment: String, _ end: String?
  ) throws {
    let found = try Self.end([text], at: moment)
    // Dates that follow one another before it is over have no end that can be found; it is asked again then.
    if text.hasPrefix("*:00/10") { #expect(found != nil) } else { Self.expect(found, end, "\(text) at \(moment)") }
  }

  @Test func `Spans that follow one another are one, and without an end the search stops`() throws {
    let texts = ["22:00..24:00", "00:00..06:00", "Sat 06:00..08:00"]
    Self.expect(try Self.end(texts, at: "2026-11-20T22:00:00Z"), "2026-11-21T07:00:00Z", "chain")
    let always = try #require(try Self.end(["00:00..24:00"], at: "2026-11-20T12:00:00Z"))
    #expect(Instant(rfc3339: always).map { $0 > Instant(rfc3339: "2026-11-25T00:00:00Z")! } ?? false)
    #expect(QuietSpans([]).isEmpty && QuietSpans(["25:00"]).isEmpty)
    #expect(try Self.end([], at: "2026-11-20T12:00:00Z") == nil)
  }

  @Test func `A zone that cannot be read makes nothing quiet`() {
    let end = QuietSpans(["00:00..24:00"]).end(of: Instant(0)) { _ throws(TriggerError) in
      throw TriggerError.unreadable
    }
    #expect(end == nil)
  }

  @Test func `Many spans that are expensive to search take limited steps`() {
    let texts = (0..<QuietHours.mostHours).map { "*-02-29 0\($0 % 10):\(10 + $0) for 7d" }
    let clock = ContinuousClock()
    let time = clock.measure {
      _ = QuietSpans(texts).end(of: Instant(1_800_000_000)) { _ throws(TriggerError) in .utc }
    }
    #expect(time < .seconds(2))
  }

  @Test(arguments: [
    ("", "'hours': the text is empty; for example 'Mon..Fri 22:00..07:00'"),
    ("22:00-07:00", "'hours': '22:00-07:00' is not a span of time (column 1); write '22:00..07:00'"),
    ("Sat 14:00 for", "'hours': '14:00' is not a span of time (column 5); for example 'Mon..Fri 22:00..07:00'"),
    ("Sat 14:00 for ever", "'hours': the length 'ever' must be "),
    ("Sat 14:00 for 8d", "'hours': the length '8d' must be 1 minute to 7 days"),
    ("Sat 14:00 for 5s", "'hours': the length '5s' must be 1 minute to 7 days"),
    ("Sut 14:00 for 2h", "'hours': "),
    (String(repeating: "x", count: 201), "'hours': is longer than 200 bytes; for example 'Mon..Fri 22:00..07:00'"),
  ])
  func `An error names the place and the right form`(_ text: String, _ problem: String) {
    do {
      _ = try QuietSpan.parse(text)
      Issue.record("'\(text)' was accepted")
    } catch {
      let isWhole = !problem.hasSuffix(" ")
      #expect(isWhole ? error.description == problem : error.description.hasPrefix(problem), "\(error.description)")
    }
  }
}
