// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests the days and times of `during`.
@Suite struct TimeWindowTests {
  /// Whether a moment in Berlin is within a window.
  private func contains(_ window: String, _ moment: String) throws -> Bool {
    let rules = try ZoneDatabase.system.zone(named: "Europe/Berlin").rules
    let civil = try #require(CivilDateTime(moment))
    return try TimeWindow.parse(window).contains(rules.resolve(civil), in: rules)
  }

  @Test(arguments: [
    // 2026-11-20 is a Friday.
    ("Mon..Fri 08:00..18:00", "2026-11-20T08:00:00", true), ("Mon..Fri 08:00..18:00", "2026-11-20T17:59:59", true),
    ("Mon..Fri 08:00..18:00", "2026-11-20T18:00:00", false), ("Mon..Fri 08:00..18:00", "2026-11-20T07:59:59", false),
    ("Mon..Fri 08:00..18:00", "2026-11-21T12:00:00", false), ("Sat,Sun", "2026-11-21T00:00:00", true),
    ("Sat,Sun", "2026-11-23T00:00:00", false), ("22:00..06:00", "2026-11-20T23:00:00", true),
    ("22:00..06:00", "2026-11-20T05:59:59", true), ("22:00..06:00", "2026-11-20T06:00:00", false),
    // A span belongs to the day on which it begins.
    ("Fri 22:00..06:00", "2026-11-21T05:00:00", true), ("Fri 22:00..06:00", "2026-11-20T05:00:00", false),
    ("08:00..12:00,13:00..24:00", "2026-11-20T12:30:00", false),
    ("08:00..12:00,13:00..24:00", "2026-11-20T23:59:59", true),
  ])
  func `A moment is within the window or not`(_ window: String, _ moment: String, _ isWithin: Bool) throws {
    #expect(try contains(window, moment) == isWithin)
  }

  @Test(arguments: [
    ("", "'during': the text is empty; for example 'Mon..Fri 08:00..18:00'"),
    (
      "Mon..Fry 08:00..18:00",
      "'during': 'Mon..Fry' is neither a weekday nor a list of weekdays (column 1); for example 'Mon..Fri 08:00..18:00'"
    ),
    ("08:00-18:00", "'during': '08:00-18:00' is not a span of time (column 1); write '08:00..18:00'"),
    ("08:00..08:00", "'during': '08:00..08:00' has no length (column 1); for example '08:00..18:00'"),
    ("8..18", "'during': '8..18' is not a span of time (column 1); for example '08:00..18:00'"),
    (
      "Mon 08:00..18:00 Europe/Paris",
      "'during': unexpected 'Europe/Paris': weekdays and times are two words (column 18); for example 'Mon..Fri 08:00..12:00,13:00..18:00'"
    ),
  ])
  func `An error names the column and the right form`(_ window: String, _ problem: String) {
    do {
      _ = try TimeWindow.parse(window)
      Issue.record("'\(window)' was accepted")
    } catch {
      #expect(error.description == problem)
    }
  }
}
