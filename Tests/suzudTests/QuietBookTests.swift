// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import TestSupport
import Testing
import Triggers
import Zoneinfo

@testable import suzud

/// Tests quiet hours on a clock that a test sets: over midnight, over changes of the clock and of the zone.
@Suite struct QuietBookTests {
  /// A machine's zone that a test sets.
  private final class SetZone: ZoneSource {
    var whenChanged: () -> Void = {}
    var name = "Europe/Paris"
    let problem: String? = nil
    let fingerprint = ""

    func check() {}

    func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
      do { return try ZoneDatabase(folder: FixedZones.folder).zone(named: name ?? self.name).rules } catch {
        throw TriggerError.unreadable
      }
    }
  }

  private static func run(_ body: (QuietBook, SetTime, SetZone) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let (time, zone) = (SetTime(), SetZone())
    let store = try Store(folder: folder.path("suzu")) { time.wall }
    defer { store.close() }
    try body(QuietBook(store: store, time: time, zones: zone), time, zone)
  }

  private static func end(_ text: String) throws -> QuietEnd { .at(try #require(Instant(rfc3339: text)).seconds) }

  @Test func `A night that begins on a weekday ends in the morning, whatever the clock did in between`() throws {
    try Self.run { book, time, _ in
      var hours = QuietHours()
      hours.hours = ["Mon..Fri 22:00..07:00"]
      try time.set("2026-11-20T12:00:00Z")
      try book.set(hours, of: nil)
      #expect(book.causes(of: "a").end == nil)
      // 2026-11-20 is a Friday, and Paris one hour ahead.
      for (now, end) in [
        ("2026-11-20T21:00:00Z", "2026-11-21T06:00:00Z"), ("2026-11-21T05:59:59Z", "2026-11-21T06:00:00Z"),
        // The clock is set back by an hour, into the night, and forward again.
        ("2026-11-21T05:00:00Z", "2026-11-21T06:00:00Z"), ("2026-11-21T06:00:00Z", nil),
        ("2026-11-21T22:00:00Z", nil),
        // The night in which summer time ends has one more hour; it began on a Saturday in these rules.
        ("2026-10-23T20:00:00Z", "2026-10-24T05:00:00Z"),
      ] as [(String, String?)] {
        try time.set(now)
        let expected = try end.map { try Self.end($0) }
        #expect(book.causes(of: "a").end == expected, "\(now)")
      }
    }
  }

  @Test func `Another zone has another night`() throws {
    try Self.run { book, time, zone in
      var hours = QuietHours()
      hours.hours = ["22:00..07:00"]
      try time.set("2026-11-20T21:30:00Z")
      try book.set(hours, of: nil)
      #expect(try book.causes(of: nil).end == Self.end("2026-11-21T06:00:00Z"))
      zone.name = "America/New_York"
      book.forgetEnds()
      #expect(book.causes(of: nil).end == nil)
      zone.name = "Europe/Paris"
      book.forgetEnds()
      #expect(book.causes(of: nil).end != nil)
    }
  }

  @Test func `What is on until a time ends with it, and is on again if the clock is set back`() throws {
    try Self.run { book, time, _ in
      try time.set("2026-11-20T12:00:00Z")
      var hours = QuietHours()
      hours.turnOn(until: try #require(Instant(rfc3339: "2026-11-20T13:00:00Z")).seconds)
      try book.set(hours, of: "a")
      #expect(try book.causes(of: "a").end == Self.end("2026-11-20T13:00:00Z") && book.causes(of: "b").end == nil)
      try time.set("2026-11-20T13:00:00Z")
      #expect(book.causes(of: "a").end == nil)
      try time.set("2026-11-20T12:59:59Z")
      #expect(book.causes(of: "a").end != nil)
    }
  }

  @Test func `The rule has the choice of the app before that of all apps`() throws {
    try Self.run { book, _, _ in
      var (all, own) = (QuietHours(), QuietHours())
      all.limit = .critical
      own.limit = .active
      try book.set(all, of: nil)
      try book.set(own, of: "a")
      let request = NotificationRequest(trusted: .init(title: "x"), app: "a", id: "x", schedule: .now)
      #expect(book.rule(for: request).passes)
      let other = NotificationRequest(trusted: .init(title: "x"), app: "b", id: "x", schedule: .now)
      #expect(!book.rule(for: other).passes)
      try book.set(QuietHours(), of: "a")
      #expect(book.names.isEmpty && !book.rule(for: request).passes)
    }
  }

  @Test func `What cannot be read in the store counts as not decided`() throws {
    let folder = try TemporaryFolder()
    let time = SetTime()
    let store = try Store(folder: folder.path("suzu")) { time.wall }
    defer { store.close() }
    try store.withNeededTransaction { () throws(StoreError) in
      try store.set("quiet", to: "{")
      try store.set("quiet/a", to: #"{"hours": ["x", "00:00..24:00"], "pass": 7}"#)
    }
    let book = QuietBook(store: store, time: time, zones: SetZone())
    #expect(book[nil].isUnset && book.names == ["a"])
    #expect(book.causes(of: "a").end != nil && book.causes(of: "b").end == nil)
  }
}
