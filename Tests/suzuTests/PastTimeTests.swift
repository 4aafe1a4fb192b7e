// SPDX-License-Identifier: Apache-2.0
import Testing
import Zoneinfo

@testable import suzu

/// Tests parsing of times that have passed.
@Suite struct PastTimeTests {
  /// Now is a Friday, 11:00 in Paris.
  @Test(arguments: [
    ("2h", "2026-11-20T08:00:00Z"), ("90m ago", "2026-11-20T08:30:00Z"), ("7d", "2026-11-13T10:00:00Z"),
    ("today", "2026-11-19T23:00:00Z"), ("yesterday", "2026-11-18T23:00:00Z"),
    ("Yesterday 18:00", "2026-11-19T17:00:00Z"), ("today 08:00", "2026-11-20T07:00:00Z"),
    ("07:30", "2026-11-20T06:30:00Z"), ("23:00", "2026-11-19T22:00:00Z"), ("mon", "2026-11-15T23:00:00Z"),
    ("fri 12:00", "2026-11-13T11:00:00Z"), ("24 dec", "2025-12-23T23:00:00Z"),
    ("last mon", "2026-11-15T23:00:00Z"), ("last friday", "2026-11-12T23:00:00Z"),
    ("2026-11-01", "2026-10-31T23:00:00Z"), ("2026-11-01T12:00:00Z", "2026-11-01T12:00:00Z"),
  ])
  func `A weekday or a time is the latest one`(text: String, instant: String) throws {
    let time = try UnderstoodTimeTests.paris()
    #expect(try PastTime.parse(text, "--since", time: time) == Instant(rfc3339: instant))
  }

  @Test(arguments: [
    ("tomorrow", "'--since tomorrow' is in the future"), ("today 18:00", "'--since today 18:00' is in the future"),
    ("2099-01-01", "'--since 2099-01-01' is in the future"), ("next fri", "'--since next fri' is in the future"),
    (
      "last month",
      "'--since last month' names no day; write 30d for the days up to now, or a date such as 2026-11-21"
    ),
    ("soon", "'--since soon' must be a time in the past, such as 2h, yesterday or '2026-11-21 07:30'"),
    ("", "'--since ' must be a time in the past, such as 2h, yesterday or '2026-11-21 07:30'"),
  ])
  func `Another time is refused`(text: String, problem: String) throws {
    let time = try UnderstoodTimeTests.paris()
    let error = #expect(throws: CommandError.self) { try PastTime.parse(text, "--since", time: time) }
    #expect(error?.message == problem && error?.status == 65)
  }
}
