// SPDX-License-Identifier: Apache-2.0
import Testing
import Zoneinfo

/// Tests instants and their RFC 3339 texts.
@Suite struct InstantTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T01:00:00+01:00", 0), ("2026-11-21T07:30:00+01:00", 1_795_242_600),
    ("1969-12-31T23:59:59Z", -1), ("2026-11-21t06:30:00z", 1_795_242_600),
    ("2026-11-21 06:30:00.999999999Z", 1_795_242_600),
    ("1985-04-12T23:20:50.52Z", 482_196_050), ("1996-12-19T16:39:57-08:00", 851_042_397),
    ("1990-12-31T15:59:60-08:00", 662_688_000), ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_173), ("2026-11-21T06:30:00-00:00", 1_795_242_600),
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func `A valid RFC 3339 text is parsed`(text: String, seconds: Int64) {
    #expect(Instant(rfc3339: text) == Instant(seconds))
  }

  @Test(arguments: [
    "2026-11-21T07:30:00", "2026-11-21T07:30Z", "2026-11-21T07:30:00+0100", "2026-11-21T07:30:00+24:00",
    "2026-11-21T07:30:00+01:60", "2026-11-21T07:30:60Z", "2026-11-21T23:59:61Z", "2026-11-21T07:30:00.Z",
    "2026-02-30T07:30:00Z",
    "2026-11-21T24:00:00Z", "2026-11-21T07:30:00+01:00:00", "2026-11-21T07:30:00Z ", "", "Z", "2026-11-21",
    "2026-11-21T07:30:00+01", "2026-11-21T07:30:00\u{2212}01:00",
  ])
  func `An invalid RFC 3339 text is rejected`(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test func `The text of an instant is parsed back at any offset`() {
    for seconds in [0, 1_795_242_600, -1_041_337_173, -2_000_000_000, 253_402_200_000] as [Int64] {
      for offset in [0, 3600, -3600, 561, -561, 20_700, -34_200, 50_400, -57_360, 59, -59] {
        let text = UTCOffset(seconds: offset).flatMap { Instant(seconds).rfc3339(at: $0) }
        #expect(text.flatMap { Instant(rfc3339: $0) } == Instant(seconds), "\(text ?? "nil")")
      }
    }
    #expect(UTCOffset(seconds: 561).flatMap { Instant(0).rfc3339(at: $0) } == "1970-01-01T00:09:00+00:09")
  }

  @Test func `Instants beyond the calendar have no civil time`() {
    for seconds in [Int64.min, .max, .min + 1, 253_402_300_800, -62_135_596_801] {
      #expect(Instant(seconds).civil(at: .utc) == nil)
      #expect(Instant(seconds).rfc3339(at: .utc) == nil)
      #expect(Instant(seconds).description == "@\(seconds)")
      for offset in [UTCOffset.range.lowerBound, UTCOffset.range.upperBound] {
        _ = UTCOffset(seconds: offset).map { Instant(seconds).civil(at: $0) }
      }
    }
    #expect(Instant(.max).adding(seconds: 1) == Instant(.max))
    #expect(Instant(.min).adding(seconds: -1) == Instant(.min))
  }

  @Test func `Offsets are limited and formatted`() {
    #expect(UTCOffset(seconds: 93_600) == nil)
    #expect(UTCOffset(seconds: -90_000) == nil)
    #expect(UTCOffset(seconds: .min) == nil)
    #expect(UTCOffset(seconds: -1800)?.description == "-00:30")
    #expect(UTCOffset(seconds: 561)?.description == "+00:09:21")
    #expect(UTCOffset.utc.description == "+00:00")
  }
}
