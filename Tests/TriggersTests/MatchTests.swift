// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Date components against Apple's own matching, Foundation's `Calendar.nextDate`, in GMT. Known differences:
///
/// | components | Foundation | here |
/// |---|---|---|
/// | weekday and minute, no hour | every hour of that day | 00:mm: what is absent and smaller has its lowest value |
/// | year and weekday | depends on the date one asks from | the first such weekday of the year |
/// | weekOfMonth 1 and weekday | now and then misses a month: Monday, 1 March 2027, after 1 February | has it |
/// | era alone | every New Year | refused: it says nothing |
/// | a value that cannot be: month 13 | nil | refused with the reason |
@Suite struct MatchTests {
  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    calendar.firstWeekday = 1
    calendar.minimumDaysInFirstWeek = 1
    return calendar
  }()

  private static func dateComponents(_ values: [String: Int]) -> DateComponents {
    DateComponents(
      year: values["year"], month: values["month"], day: values["day"], hour: values["hour"],
      minute: values["minute"], second: values["second"], weekday: values["weekday"],
      weekdayOrdinal: values["weekdayOrdinal"], quarter: values["quarter"], weekOfMonth: values["weekOfMonth"],
      weekOfYear: values["weekOfYear"])
  }

  /// The shapes that people use.
  private static let shapes: [[String]] = [
    ["hour"], ["hour", "minute"], ["minute"], ["second"], ["minute", "second"], ["hour", "minute", "second"],
    ["weekday", "hour"], ["weekday", "hour", "minute"], ["weekday"], ["day"], ["day", "hour"],
    ["day", "hour", "minute"],
    ["month"], ["month", "day"], ["month", "day", "hour", "minute"], ["month", "hour"], ["day", "minute"],
    ["weekdayOrdinal", "weekday"], ["weekdayOrdinal", "weekday", "hour"],
    ["month", "weekday", "weekdayOrdinal", "hour"],
    ["day", "weekday"], ["month", "day", "weekday"], ["weekOfMonth", "weekday"], ["weekOfMonth", "weekday", "hour"],
    ["weekOfYear", "weekday"], ["weekOfYear", "weekday", "hour"], ["weekOfYear"], ["year", "month", "day", "hour"],
    ["year", "month", "day"], ["year"], ["hour", "second"], ["month", "weekday"],
  ]

  @Test func `Random components have the dates of Foundation`() throws {
    var random = SeededNumbers(seed: 7)
    var (compared, dates, never) = (0, 0, 0)
    var wrong: [String] = []
    let ranges: [String: ClosedRange<Int>] = [
      "year": 2024...2030, "month": 1...12, "day": 1...31, "hour": 0...23, "minute": 0...59, "second": 0...59,
      "weekday": 1...7, "weekdayOrdinal": 1...5, "weekOfMonth": 2...5, "weekOfYear": 1...53,
    ]
    for round in 0..<600 {
      let shape = Self.shapes[round % Self.shapes.count]
      let values = Dictionary(uniqueKeysWithValues: shape.map { ($0, random.number(ranges[$0] ?? 1...1)) })
      guard let match = try? ComponentMatch(named: values) else {
        never += 1
        let found = Self.calendar.nextDate(after: .now, matching: Self.dateComponents(values), matchingPolicy: .strict)
        if found != nil { wrong.append("\(values): never, Foundation \(String(describing: found))") }
        continue
      }
      let start = random.number(CivilDateTime.seconds(2023)...CivilDateTime.seconds(2031))
      var date = Date(timeIntervalSince1970: Double(start))
      var wall = try #require(CivilDateTime(clock: start))
      compared += 1
      for _ in 0..<3 {
        let theirs = Self.calendar.nextDate(after: date, matching: Self.dateComponents(values), matchingPolicy: .strict)
        let ours = match.first(after: wall)
        let expected = theirs.flatMap { CivilDateTime(clock: Int($0.timeIntervalSince1970)) }
        if ours != expected {
          wrong.append(
            "\(values) after \(wall): \(ours?.description ?? "never"), Foundation \(expected?.description ?? "never")")
          break
        }
        guard let ours, let theirs else { break }
        (wall, date) = (ours, theirs)
        dates += 1
      }
    }
    print("match: \(compared) sets of components, \(dates) dates as Foundation's, \(never) that never come")
    #expect(compared > 500)
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(12).joined(separator: "\n"))")
  }

  @Test(arguments: [
    (["weekday": 2, "hour": 7], "2026-11-23T07:00:00 2026-11-30T07:00:00"),
    (["day": 31, "hour": 9], "2026-12-31T09:00:00 2027-01-31T09:00:00 2027-03-31T09:00:00"),
    (["month": 2, "day": 29, "weekday": 2], "2044-02-29T00:00:00 2072-02-29T00:00:00"),
    (["weekday": 2, "minute": 9], "2026-11-23T00:09:00 2026-11-30T00:09:00"),
    (["year": 2028, "weekday": 2], "2028-01-03T00:00:00"),
    (["year": 2027, "hour": 5], "2027-01-01T05:00:00"),
    (["quarter": 2], "2027-04-01T00:00:00 2028-04-01T00:00:00"),
    (["quarter": 2, "day": 3], "2027-04-03T00:00:00 2028-04-03T00:00:00"),
    (["dayOfYear": 60], "2027-03-01T00:00:00 2028-02-29T00:00:00"),
    (["dayOfYear": 366], "2028-12-31T00:00:00 2032-12-31T00:00:00"),
    (["yearForWeekOfYear": 2027, "weekOfYear": 1], "2026-12-27T00:00:00"),
    (["yearForWeekOfYear": 2027], "2026-12-27T00:00:00"),
    (["weekdayOrdinal": 2], "2026-12-08T00:00:00 2027-01-08T00:00:00"),
    (["weekOfMonth": 1, "weekday": 2], "2027-02-01T00:00:00 2027-03-01T00:00:00 2027-08-02T00:00:00"),
    (["era": 1, "month": 3], "2027-03-01T00:00:00"),
  ])
  func `Absent smaller components have their lowest value`(components: [String: Int], dates: String) throws {
    let expected = dates.split(separator: " ").map(String.init)
    let found = try ComponentMatch(named: components).dates(from: wall("2026-11-20T10:20:30")).prefix(expected.count)
    #expect(found.map(\.description) == expected)
  }

  @Test(arguments: [
    ["month": 13], ["weekday": 8], ["hour": 25], ["minute": 60], ["day": 0], ["month": 2, "day": 30],
    ["month": 4, "day": 31], ["era": 0], ["era": 1], [:], ["weekdayOrdinal": 5, "month": 2, "year": 2027], ["eon": 1],
    ["quarter": 1, "month": 4], ["second": -1], ["year": 2027, "month": 2, "day": 29],
  ])
  func `Components without dates are refused`(components: [String: Int]) {
    #expect(throws: TriggerError.self) { try ComponentMatch(named: components) }
  }
}
