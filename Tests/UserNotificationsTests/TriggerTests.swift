// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import UserNotifications

/// Tests the dates of triggers, and the schedules that they become.
@Suite struct TriggerTests {
  private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  /// Components, the moment before, and the next date with them.
  @Test(
    arguments: [
      // Monday.
      (["weekday": 2, "hour": 7], "UTC", "2026-11-21T12:00:00Z", "2026-11-23T07:00:00Z"),
      // The date itself is not after it.
      (["hour": 12], "UTC", "2026-11-21T12:00:00Z", "2026-11-22T12:00:00Z"),
      (["minute": 30], "UTC", "2026-11-21T12:40:00Z", "2026-11-21T13:30:00Z"),
      (["second": 0], "UTC", "2026-11-21T12:40:01Z", "2026-11-21T12:41:00Z"),
      (["month": 2, "day": 29], "UTC", "2026-11-21T12:00:00Z", "2028-02-29T00:00:00Z"),
      (["day": 31, "hour": 9], "UTC", "2026-11-01T00:00:00Z", "2026-12-31T09:00:00Z"),
      // A zone that is only an offset.
      (["hour": 7], "GMT+0200", "2026-11-21T12:00:00Z", "2026-11-22T05:00:00Z"),
    ] as [([String: Int], String, String, String)])
  func `The next date`(_ given: [String: Int], zone: String, before: String, after: String) throws {
    var components = DateComponents(kept: KeptValues(given))
    components.timeZone = TimeZone(identifier: zone)
    #expect(components.nextMatch(after: try Self.date(before)) == (try Self.date(after)))
  }

  // In a process of its own, whose zones have the rules of 2025 for all years: governments change the real ones.
  @Test func `The next date in a zone is that of its clocks, also when they are changed`() async {
    await #expect(processExitsWith: .success) {
      setenv("TZDIR", try FixedZones.folder, 1)
      for (given, zone, before, after) in [
        // A time of the clock in the zone of the components, not in that of the machine.
        (["hour": 7, "minute": 30], "Europe/Paris", "2026-11-21T12:00:00Z", "2026-11-22T06:30:00Z"),
        (["hour": 7], "Asia/Kolkata", "2026-11-21T00:00:00Z", "2026-11-21T01:30:00Z"),
        // The clocks skip 02:30 in Paris, and half an hour on Lord Howe Island: the day is not skipped.
        (["hour": 2, "minute": 30], "Europe/Paris", "2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z"),
        (["hour": 2, "minute": 15], "Australia/Lord_Howe", "2026-10-03T12:00:00Z", "2026-10-03T15:45:00Z"),
      ] {
        var components = DateComponents(kept: KeptValues(given))
        components.timeZone = TimeZone(identifier: zone)
        let found = components.nextMatch(after: try TriggerTests.date(before))
        guard found == (try TriggerTests.date(after)) else {
          throw TestFailure("\(given) in \(zone): \(found?.description ?? "no date")")
        }
      }
    }
  }

  @Test func `All components of a date mean that date`() throws {
    // The rules of a year that has passed stay, in Foundation's tables, too.
    let date = try Self.date("2024-05-17T06:30:00Z")
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "America/New_York"))
    var all = calendar.dateComponents(in: calendar.timeZone, from: date)
    #expect(all.nextMatch(after: try Self.date("2023-11-21T12:00:00Z")) == date)
    // As other versions of Foundation fill them.
    all.quarter = 0
    all.weekOfYear = 99
    all.nanosecond = 5
    #expect(all.nextMatch(after: try Self.date("2023-11-21T12:00:00Z")) == date)
    #expect(all.nextMatch(after: date) == nil)
  }

  @Test func `A past date, no components and another calendar`() throws {
    #expect(
      UNCalendarNotificationTrigger(dateMatching: DateComponents(year: 2020), repeats: false).nextTriggerDate() == nil)
    #expect(UNCalendarNotificationTrigger(dateMatching: DateComponents(), repeats: true).nextTriggerDate() == nil)
    #expect(
      UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 25), repeats: true).nextTriggerDate() == nil)
    var hebrew = DateComponents(month: 1, day: 1)
    hebrew.calendar = Calendar(identifier: .hebrew)
    hebrew.timeZone = TimeZone(identifier: "UTC")
    let next = try #require(hebrew.nextMatch(after: try Self.date("2026-11-21T12:00:00Z")))
    #expect(next == (try Self.date("2027-10-02T00:00:00Z")))
    let error = #expect(throws: UNError.self) { try hebrew.schedule(repeats: true) }
    #expect(error?.code == .notificationInvalidNoDate)
  }

  @Test func `Components become the words of the center, with their zone`() throws {
    let daily = DateComponents(timeZone: TimeZone(identifier: "Europe/Paris"), hour: 7)
    #expect(try daily.schedule(repeats: true) == .repeating(.match(["hour": 7]), zone: "Europe/Paris"))
    #expect(try DateComponents(hour: 7).schedule(repeats: false) == .match(["hour": 7]))
    let offset = DateComponents(timeZone: TimeZone(secondsFromGMT: -5 * 3600), hour: 7)
    #expect(try offset.schedule(repeats: true) == .repeating(.match(["hour": 7]), zone: "Etc/GMT+5"))
  }

  // MARK: Intervals

  @Test(arguments: [(0.2, "1s"), (1, "1s"), (59.5, "1m"), (3600, "1h")])
  func `An interval has whole seconds`(_ seconds: Double, text: String) throws {
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
    #expect(try UNNotificationTrigger.schedule(of: trigger) == .in(Duration.parse(text)))
    let next = try #require(trigger.nextTriggerDate()).timeIntervalSinceNow
    #expect(seconds - 1...seconds ~= next)
  }

  @Test(arguments: [(59.9, true), (0, false), (-1, false), (.nan, false), (.infinity, false)])
  func `An interval that is too short or no number is refused`(_ seconds: Double, repeats: Bool) throws {
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
    let error = #expect(throws: UNError.self) { try UNNotificationTrigger.schedule(of: trigger) }
    #expect(error?.code == .notificationInvalidNoDate)
    #expect(trigger.nextTriggerDate() == nil)
  }

  @Test func `A minute may repeat`() throws {
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
    #expect(try UNNotificationTrigger.schedule(of: trigger) == .repeating(.after(.seconds(60))))
    // The date that the center told has passed: the next one is a whole number of intervals later.
    let told = Date(timeIntervalSinceNow: -90)
    let known = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true, toldDate: told)
    #expect(known.nextTriggerDate() == told.addingTimeInterval(120))
  }

  // MARK: Places

  @Test(arguments: [
    (true, false, "place 52.52,13.405 200m"), (false, true, "leave place 52.52,13.405 200m"),
    (true, true, "change place 52.52,13.405 200m"),
  ])
  func `A circle is a condition`(_ entry: Bool, exit: Bool, text: String) throws {
    let circle = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405), radius: 200, identifier: "office")
    circle.notifyOnEntry = entry
    circle.notifyOnExit = exit
    let trigger = UNLocationNotificationTrigger(region: circle, repeats: true)
    #expect(try UNNotificationTrigger.schedule(of: trigger) == .on(Condition(text), repeats: true))
    // Later changes of the region do not count.
    circle.notifyOnEntry = !entry
    #expect(trigger.region.notifyOnEntry == entry && (trigger.region as? CLCircularRegion)?.radius == 200)
  }

  @Test func `Beacons are a condition, and a region that cannot be one is refused`() throws {
    let uuid = try #require(UUID(uuidString: "F7826DA6-4FA2-4E98-8024-BC5B71E0893E"))
    let beacon = CLBeaconRegion(uuid: uuid, major: 1, minor: 2, identifier: "b")
    beacon.notifyOnExit = false
    let text = "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1 2"
    #expect(
      try UNNotificationTrigger.schedule(of: UNLocationNotificationTrigger(region: beacon, repeats: false))
        == .on(Condition(text)))
    beacon.notifyOnEntry = false
    let far = CLCircularRegion(center: CLLocationCoordinate2D(latitude: 95, longitude: 0), radius: 10, identifier: "f")
    let huge = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1e9, identifier: "h")
    for region in [beacon, far, huge] {
      let error = #expect(throws: UNError.self) {
        try UNNotificationTrigger.schedule(of: UNLocationNotificationTrigger(region: region, repeats: false))
      }
      #expect(error?.code == .notificationInvalidNoDate)
    }
  }
}
