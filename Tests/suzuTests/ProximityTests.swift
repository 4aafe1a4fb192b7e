// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Zoneinfo

@testable import Calendars
@testable import suzu

/// Tests alarms for places in calendars, as RFC 9074 and Apple write them.
@Suite(.enabled(if: (try? ICalLibrary()) != nil, "libical is not installed")) struct ProximityTests {
  private static let apple = """
    ACTION:DISPLAY
    TRIGGER;VALUE=DATE-TIME:19760401T005545Z
    DESCRIPTION:Event reminder
    X-APPLE-PROXIMITY:ARRIVE
    X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Main Street 3, Berlin";X-APPLE-RADIUS=141.1751;
     X-TITLE=Office:geo:52.520000,13.405000
    """
  private static let standard = """
    ACTION:DISPLAY
    TRIGGER;VALUE=DATE-TIME:19760401T005545Z
    DESCRIPTION:Buy milk
    PROXIMITY:DEPART
    BEGIN:VLOCATION
    UID:123456-abcdef-98765432
    NAME:Office
    URL:geo:40.443,-79.945;u=10
    END:VLOCATION
    """

  private func read(_ alarm: String, skips: Bool = false) throws -> CalendarReader {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VTODO
      UID:milk
      SUMMARY:Milk
      BEGIN:VALARM
      \(alarm)
      END:VALARM
      END:VTODO
      END:VCALENDAR
      """
    return try CalendarReader(
      Array(text.utf8), library: ICalLibrary(), app: "dev.suzu.Suzu", skips: skips, trusts: false, local: .utc)
  }

  @Test(
    arguments: [
      (apple, "place 52.52,13.405 142m", nil), (standard, "leave place 40.443,-79.945 50m", "Buy milk"),
      (standard.replacing(";u=10", with: ""), "leave place 40.443,-79.945 200m", "Buy milk"),
      (
        apple.replacing("141.1751", with: "0").replacing("ARRIVE", with: "DEPART"), "leave place 52.52,13.405 200m", nil
      ),
    ] as [(String, String, String?)])
  func `An alarm for a place becomes a condition, also without a date`(
    _ alarm: String, _ condition: String, _ body: String?
  ) throws {
    let reminder = try #require(try read(alarm).reminders.first)
    #expect(reminder.words["on"] == .text(condition) && reminder.words["id"] == .text("milk"))
    #expect(reminder.words["title"] == .text("Milk") && reminder.words["body"] == body.map { .text($0) })
    #expect(try NotificationRequest(reminder.words).schedule.occasions?.condition.text == condition)
  }

  @Test(arguments: [
    (standard.replacing("DEPART", with: "CONNECT"), "an alarm for the Bluetooth of a car has no equivalent"),
    (standard.replacing("DEPART", with: "NEAR"), "PROXIMITY must be ARRIVE or DEPART"),
    ("ACTION:DISPLAY\nTRIGGER:PT0S\nPROXIMITY:ARRIVE", "this alarm has PROXIMITY, but no place"),
  ])
  func `An alarm that has no equivalent is named, or skipped`(_ alarm: String, _ problem: String) throws {
    let error = #expect(throws: CalendarError.self) { try read(alarm) }
    #expect(error?.problem == problem && error?.canBeSkipped == true)
    let skipped = try read(alarm, skips: true)
    #expect(skipped.reminders.isEmpty && skipped.warnings.contains { $0.hasSuffix(problem) })
  }

  @Test func `A position that is none is an error`() throws {
    let error = #expect(throws: CalendarError.self) {
      try read(Self.standard.replacing("geo:40.443,-79.945;u=10", with: "https://example.org"))
    }
    #expect(error?.problem == "a position such as geo:52.52,13.405 is expected here" && error?.line == 13)
  }

  @Test func `What is written is read back, by others as RFC 9074`() throws {
    let library = try ICalLibrary()
    var writer = CalendarWriter(
      library: library, clock: LocalTime.current(),
      places: [try NamedPlace("office", latitude: 52.52, longitude: 13.405, radius: 300)])
    for (id, line) in [("a", "place 40.443,-79.945 100m"), ("b", "leave place office"), ("c", "wifi Home")] {
      try writer.add(
        ListedRequest([
          "app": "dev.suzu.Suzu", "id": .text(id), "title": .text(id), "on": .text(line), "state": "pending",
        ])
      )
    }
    #expect(writer.unsupported == ["c"])
    let text = try #require(writer.text)
    #expect(
      text.contains("PROXIMITY:ARRIVE\r\nBEGIN:VLOCATION\r\n") && text.contains("URL:geo:40.443,-79.945;u=100.0\r\n"))
    #expect(text.contains("PROXIMITY:DEPART\r\n") && text.contains("NAME:office\r\n") && !text.contains("X-SUZU-PLACE"))
    // Without our own words, it is what another program would read.
    let others = text.split(separator: "\r\n").reduce(into: [Substring]()) { lines, line in
      if line.hasPrefix(" "), lines.last?.hasPrefix("X-SUZU") == true { return }
      lines.append(line)
    }.filter { !$0.hasPrefix("X-SUZU") }.joined(separator: "\r\n")
    let read = try CalendarReader(
      Array(others.utf8), library: library, app: "dev.suzu.Suzu", skips: true, trusts: false, local: .utc)
    #expect(
      read.reminders.prefix(2).map { $0.words["on"] } == [
        .text("place 40.443,-79.945 100m"), .text("leave place 52.52,13.405 300m"),
      ])
    let own = try CalendarReader(
      Array(text.utf8), library: library, app: "dev.suzu.Suzu", skips: false, trusts: false, local: .utc)
    #expect(own.reminders.map { $0.words["on"] } == ["place 40.443,-79.945 100m", "leave place office", "wifi Home"])
  }
}
