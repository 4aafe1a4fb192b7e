// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import SuzuTesting
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests requests whose next date takes too many steps: new ones are refused, stored ones are set aside.
@Suite struct LongSearchTests {
  /// One second a day, which is a second earlier each day: from 20:59:00 it takes 86,399 days to 20:59:01.
  private static let rule = "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=20;BYMINUTE=59;BYSECOND=1"

  /// Writes requests that no intake has checked.
  private static func put(_ number: Int, in table: Timetable, due: Timestamp) throws {
    let schedule = try Schedule.rule(rule, zone: "UTC", from: "2026-11-21 20:59:00")
    let requests = try (0..<number).map { index in
      try NotificationRequest(app: "test", id: RequestID("hostile \(index)"), title: "hostile", schedule: schedule)
    }
    let rows = requests.map {
      NewRequest(app: "test", id: $0.id?.text ?? "", payload: Payload.text(of: $0), start: .at(PlannedDate(due: due)))
    }
    try table.store.put(rows, now: table.time.wall)
    table.scheduler.rearm()
  }

  @Test func `A request whose first date takes too many steps is refused`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    let error = #expect(throws: TriggerError.self) {
      try table.add("a", .rule(Self.rule, zone: "UTC", from: "2026-11-21 20:59:00"))
    }
    #expect(error?.code == .tooLong && error?.key == "rule")
    #expect(table.scheduler.stepsOfPlanning <= DateSearch.mostSteps + 1000)
  }

  @Test func `A stored request whose next date takes too many steps is shown and set aside, and others fire`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    let due = table.time.wall + 60_000
    try Self.put(12, in: table, due: due)
    try table.add("honest", .every("12:01", zone: "UTC"))
    let turns = table.time.turns
    table.time.pass(120_000)
    #expect(table.due.count == 13 && table.due.count { $0.request.id == "honest" } == 1)
    // After each long search the rest of the program has its turn.
    #expect(table.time.turns - turns >= 6, "\(table.time.turns - turns)")
    #expect(table.scheduler.setAside == 12)
    #expect(table.reports.count == 12)
    #expect(table.reports.allSatisfy { $0.contains("set aside") && !$0.contains("SECONDLY") })
    let pending = try table.store.pending()
    #expect(pending.count == 13 && pending.filter { $0.wait == .condition }.count == 12)
    _ = table.take()
    table.time.pass(days: 1)
    #expect(table.due.map(\.request.id) == ["honest"])
  }

  @Test func `After a change of zones requests that were set aside take a slice of each turn`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try Self.put(12, in: table, due: table.time.wall + 60_000)
    try table.add("honest", .every("18:00"))
    table.time.pass(120_000)
    #expect(table.scheduler.setAside == 12)
    let turns = table.time.turns
    try table.restart { table.zones.name = "Asia/Tokyo" }
    #expect(table.time.turns - turns >= 6, "\(table.time.turns - turns)")
    _ = table.take()
    table.time.pass(days: 1)
    #expect(table.due.map(\.request.id) == ["honest"])
  }

  @Test func `Future dates are found in slices, up to a limit`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    func preview(_ rule: String, _ from: String? = nil) throws -> (dates: Int, slices: Int) {
      let schedule = try Schedule.rule(rule, zone: "Australia/Lord_Howe", from: from)
      var preview = try table.scheduler.preview(of: NotificationRequest(title: "-", schedule: schedule), count: 10_000)
      var slices = 1
      while try !preview.goOn() { slices += 1 }
      return (preview.dates.count, slices)
    }
    let months = try preview("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;COUNT=100000")
    #expect(months.dates == 10_000 && months.slices > 1)
    let error = #expect(throws: TriggerError.self) {
      try preview("FREQ=SECONDLY;INTERVAL=86399;BYHOUR=20;BYMINUTE=59;BYSECOND=0", "2026-11-22 20:59:00")
    }
    #expect(error?.code == .tooLong)
  }

  // MARK: Stored requests read back equal

  @Test(
    arguments: try [
      Schedule.every("07:30", until: "9999-12-31T23:59:59-10:00"),
      Schedule.every("07:30", from: "0001-01-01T00:00:00+10:00"),
      Schedule.every("15m", from: "0001-01-01T00:00:00+10:00"), Schedule.at("9999-12-31T23:59:59-10:00"),
    ])
  func `A moment outside of the supported years is refused with its key`(schedule: Schedule) throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    let error = #expect(throws: TriggerError.self) { try table.add("a", schedule) }
    let text = error?.description ?? ""
    #expect(text.contains("is not within the years 1 to 9999 of UTC"), "\(text)")
    #expect(error?.key == (schedule.bounds.until != nil ? "until" : schedule.bounds.from != nil ? "from" : "at"))
  }

  @Test(
    arguments: try [
      Schedule.every("07:30", until: "9999-12-31T23:59:59Z"), Schedule.every("07:30", until: "9999-12-31"),
      Schedule.every("07:30", from: "0001-01-01T00:00:00Z"), Schedule.every("07:30", from: "0001-01-01"),
      Schedule.rule("FREQ=DAILY", from: "0001-01-01", until: "9999-12-31 23:59"),
    ])
  func `The first and the last moment of the calendar can be stored, and dates go on`(schedule: Schedule) throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("a", schedule)
    table.time.pass(days: 3)
    #expect(table.due.count == 3)
    #expect(table.reports.isEmpty)
  }
}
