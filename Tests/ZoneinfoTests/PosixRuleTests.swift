// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Zoneinfo

/// Tests parsing and evaluation of POSIX rules.
@Suite struct PosixRuleTests {
  @Test(arguments: [
    ("UTC0", 0, "UTC"), ("EST5", -18_000, "EST"), ("EST+5", -18_000, "EST"), ("CET-1", 3600, "CET"),
    ("<+0530>-5:30", 19_800, "+0530"),
    ("<-00>0", 0, "-00"), ("LMT+0:01:15", -75, "LMT"), ("ABCDEFGHIJKLMNOP-01", 3600, "ABCDEFGHIJKLMNOP"),
    ("XXX24:59:59", -89_999, "XXX"), ("XXX-24:59:59", 89_999, "XXX"), ("<A1b>-010:5", 36_300, "A1b"),
  ])
  func `A zone without daylight saving never changes`(text: String, offset: Int, abbreviation: String) throws {
    let rules = try ZoneRules(posix: text)
    for seconds in [Int64.min, 0, 1_800_000_000, .max] {
      let type = rules.type(at: Instant(seconds))
      #expect(type.offset.seconds == offset && type.abbreviation == abbreviation && !type.isDaylight)
    }
    #expect(rules.nextTransition(after: Instant(.min)) == nil)
  }

  @Test(arguments: [
    ("", 1), ("CET", 4), ("CE-1", 3), ("<CET-1", 7), ("<CE>-1", 4), ("<C T>-1", 3), ("-1", 1), ("CET-25", 5),
    ("CET-1:60", 7),
    ("CET-1:00:60", 10), ("CET-1:", 7), ("CET--1", 5), ("CET-1C", 7), ("CET-1CEST25", 10), ("CET-1CEST,", 11),
    ("CET-1CEST,M3.5.0", 17), ("CET-1CEST,M13.5.0,M10.5.0", 12), ("CET-1CEST,M3.6.0,M10.5.0", 14),
    ("CET-1CEST,M3.0.0,M10.5.0", 14),
    ("CET-1CEST,M3.5.7,M10.5.0", 16), ("CET-1CEST,M3.5,M10.5.0", 15), ("CET-1CEST,J0,J1", 12),
    ("CET-1CEST,J366,J1", 12),
    ("CET-1CEST,366,1", 11), ("CET-1CEST,M3.5.0/168,M10.5.0", 18), ("CET-1CEST,M3.5.0/-168,M10.5.0", 19),
    ("CET-1CEST,M3.5.0,M10.5.0/3 ", 27), ("CET-1CEST,M3.5.0,M10.5.0,", 25), ("CET-1CEST,1,2,3", 14), ("CÉT-1", 2),
    ("UTC0\n", 5),
    ("CET-00000001", 8), ("CET-1CEST,M3.5.0/,M10.5.0", 18),
  ])
  func `An invalid rule is an error with the position`(text: String, place: Int) {
    let error = #expect(throws: ZoneError.self) { try ZoneRules(posix: text) }
    #expect(error?.code == .invalidRule && error?.subject == text)
    #expect(error?.reason.hasSuffix("at character \(place)") == true, "\(error?.reason ?? "")")
  }

  /// The instants of a rule's changes in one year.
  private func changes(_ text: String, _ year: Int) throws -> [String] {
    let rules = try ZoneRules(posix: text)
    var changes: [String] = []
    var place = Instant(Instant(year, 1, 1).seconds - 1)
    while let next = rules.nextTransition(after: place), next.instant < Instant(year + 1, 1, 1) {
      changes.append("\(next.instant)")
      place = next.instant
    }
    return changes
  }

  @Test func `Days are counted in three ways`() throws {
    #expect(try changes("AAA0BBB,J60,J61", 2024) == ["2024-03-01T02:00:00Z", "2024-03-02T01:00:00Z"])
    #expect(try changes("AAA0BBB,J60,J61", 2026) == ["2026-03-01T02:00:00Z", "2026-03-02T01:00:00Z"])
    #expect(try changes("AAA0BBB,59,60", 2024) == ["2024-02-29T02:00:00Z", "2024-03-01T01:00:00Z"])
    #expect(try changes("AAA0BBB,59,60", 2026) == ["2026-03-01T02:00:00Z", "2026-03-02T01:00:00Z"])
    #expect(try changes("AAA0BBB,J59/0,J365/0", 2024) == ["2024-02-28T00:00:00Z", "2024-12-30T23:00:00Z"])
    #expect(try changes("CET-1CEST,M3.5.0,M10.5.0/3", 2026) == ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"])
    #expect(try changes("AAA0BBB,M2.1.0/0,M2.5.0/0", 2026) == ["2026-02-01T00:00:00Z", "2026-02-21T23:00:00Z"])
  }

  @Test func `Times reach a week beyond their day`() throws {
    // Gaza: the Saturday after the fourth Thursday.
    #expect(try changes("EET-2EEST,M3.4.4/50,M10.4.4/50", 2086) == ["2086-03-30T00:00:00Z", "2086-10-25T23:00:00Z"])
    #expect(try changes("AAA0BBB,M3.1.0/-167,M11.1.0/167", 2026) == ["2026-02-22T01:00:00Z", "2026-11-07T22:00:00Z"])
    // Across New Year: the change of one year lies in another.
    #expect(try changes("AAA0BBB,J1/-24,J180/0", 2026) == ["2026-06-28T23:00:00Z", "2026-12-31T00:00:00Z"])
  }

  @Test func `A rule without dates uses those of the United States`() throws {
    #expect(try changes("EST5EDT", 2026) == changes("EST5EDT,M3.2.0,M11.1.0", 2026))
    #expect(try changes("EST5EDT", 2026) == ["2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"])
  }

  /// RFC 9636, 3.3.1: how a file describes permanent daylight saving.
  @Test func `Daylight saving may be permanent`() throws {
    for text in ["XXX3EDT4,0/0,J365/23", "EST5EDT,0/0,J365/25", "AAA0BBB,M1.1.0/-167,M12.5.0/167"] {
      let rules = try ZoneRules(posix: text)
      #expect([2026, 2027, 2028, 2100, 9999].allSatisfy { rules.type(at: Instant($0, 1, 1)).isDaylight }, "\(text)")
      #expect(rules.nextTransition(after: Instant(2000, 1, 1)) == nil, "\(text)")
    }
  }

  @Test func `The rule repeats every 400 years`() throws {
    let rules = try ZoneRules(posix: "NZST-12NZDT,M9.5.0,M4.1.0/3")
    let cycle: Int64 = 146_097 * 86_400
    var place = Instant(2026, 1, 1)
    for _ in 0..<10 {
      let next = try #require(rules.nextTransition(after: place))
      for cycles in [-4, 1, 2, 19, 1_000_000] as [Int64] {
        let later = place.adding(seconds: cycles * cycle)
        #expect(rules.nextTransition(after: later)?.instant == next.instant.adding(seconds: cycles * cycle))
        #expect(rules.type(at: later) == rules.type(at: place))
      }
      place = next.instant
    }
    #expect(rules.nextTransition(after: Instant(.max)) == nil)
    #expect(rules.nextTransition(after: Instant(.min)) != nil)
  }
}
