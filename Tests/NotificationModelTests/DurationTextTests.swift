// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests parsing and formatting of durations.
@Suite struct DurationTextTests {
  @Test(
    arguments: [
      ("90s", .seconds(90)), ("10m", .seconds(600)), ("10min", .seconds(600)), ("1h30m", .seconds(5400)),
      ("2d", .seconds(172_800)), ("1w", .seconds(604_800)), ("250ms", .milliseconds(250)),
      ("1w2d3h4m5s6ms", .milliseconds(788_645_006)), ("0s", .zero), ("007s", .seconds(7)),
      ("90000000ms", .seconds(90_000)),
      (" 1h  30m ", .seconds(5400)), ("90 s", .seconds(90)), ("1 h 30 min", .seconds(5400)),
      ("36525d", .seconds(3_155_760_000)), ("3155760000000ms", .seconds(3_155_760_000)),
    ] as [(String, Duration)])
  func `A duration is parsed`(_ text: String, _ duration: Duration) throws {
    #expect(try Duration.parse(text) == duration)
  }

  @Test(arguments: [
    "", " ", "s", "5", "h5", "5x", "5S", "1.5h", "1,5h", "-5s", "+5s", "5s5s", "5s1h", "1m1min", "1 0s", "1h 3 0m",
    "5 m s", "1e3s", "٣s", "5s\u{301}", "5\u{a0}s", "5\ts", "5s\n", "never", "36525d1ms", "5301w", "3155760000001ms",
    "9223372036854775807w", "99999999999999999999s", "9223372036854775807ms", "0x5s", "5µs", "1y",
  ])
  func `An invalid duration is rejected`(_ text: String) {
    let error = #expect(throws: RequestError.self) { try Duration.parse(text) }
    #expect(error?.problem.hasPrefix("must be a duration such as '90s'") == true)
  }

  @Test(arguments: [
    ("10 minutes", "10m"), ("1.5h", "1h30m"), ("1,5h", "1h30m"), ("1h,30m", "1h30m"), ("1h.15m", "1h15m"),
    ("2 hours, 5 minutes", "2h5m"),
    ("1 hour and 5 min", "1h5m"), ("5S", "5s"), ("1 day", "1d"), ("0.5 s", "500ms"),
    // ISO 8601, which calendars use; and a misspelt unit.
    ("PT15M", "15m"), ("P1D", "1d"), ("P1W", "7d"), ("P1DT2H30M", "1d2h30m"), ("pt5s", "5s"), ("5 minuten", "5m"),
    ("2 horus", "2h"),
  ])
  func `A duration in words is rejected with the right form`(_ text: String, _ better: String) {
    let error = #expect(throws: RequestError.self) { try Duration.parse(text) }
    #expect(error?.problem.hasSuffix(", not '\(text)'; write '\(better)'") == true)
  }

  // Months and years differ in length, and a number in letters has no digits.
  @Test(arguments: ["P1M", "P1Y", "P", "PT", "P1H", "PT1D", "Paris", "5 monts", "5 foo"])
  func `Other texts get no wrong form`(_ text: String) {
    let error = #expect(throws: RequestError.self) { try Duration.parse(text) }
    #expect(error?.problem.contains("; write ") == false)
  }

  @Test(
    arguments: [
      (.zero, "0s"), (.seconds(-5), "0s"), (.milliseconds(1), "1ms"), (.microseconds(999), "0s"), (.seconds(60), "1m"),
      (.milliseconds(93_784_005), "1d2h3m4s5ms"), (.seconds(604_800), "7d"), (.milliseconds(60_001), "1m1ms"),
      (.seconds(3_155_760_000), "36525d"),
    ] as [(Duration, String)])
  func `A duration is formatted`(_ duration: Duration, _ text: String) {
    #expect(duration.text == text)
  }

  @Test func `A formatted duration is parsed back`() throws {
    for _ in 0..<5_000 {
      let longest: Int64 = [1000, 100_000, 1_000_000_000, 3_155_760_000_000].randomElement() ?? 1
      let duration = Duration.milliseconds(Int64.random(in: 0...longest))
      #expect(try Duration.parse(duration.text) == duration)
    }
  }

  @Test(
    arguments: [
      .seconds(Int64.max), .seconds(Int64.min),
      Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
      .seconds(9_223_372_036_854_775), .seconds(3_155_760_001),
    ] as [Duration])
  func `A duration beyond the limit is formatted as a text that is rejected`(_ duration: Duration) {
    if duration < .zero {
      #expect(duration.text == "0s")
    } else {
      #expect(throws: RequestError.self) { try Duration.parse(duration.text) }
    }
  }
}
