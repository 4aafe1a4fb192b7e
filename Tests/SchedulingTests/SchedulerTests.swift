// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import SuzuTesting
import TestSupport
import Testing
import Triggers
import Zoneinfo

@testable import Scheduling

extension Timetable {
  /// Takes a request in as the center does.
  @discardableResult
  func add(
    _ id: String, _ schedule: Schedule, missed: Schedule.Missed = .deliver, grace: Duration? = nil,
    wake: Bool = false
  ) throws -> NewRequest {
    let request = try NotificationRequest(
      app: "test", id: RequestID(id), title: id,
      schedule: schedule.whenMissed(missed, grace: grace).waking(wake))
    let planned = try scheduler.plan(request)
    try store.put([planned], now: time.wall)
    scheduler.rearm()
    return planned
  }
}

private let minute: Int64 = 60_000
private let hour: Int64 = 3_600_000

/// Tests that the scheduler reports each date on time and once.
@Suite struct SchedulerTests {
  @Test func `An alarm on three weekdays repeats for ever, through both changes of the clocks`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("alarm", .every("Mon,Tue,Thu 07:30"))
    table.time.pass(days: 4 * 366)
    let dates = table.take()
    #expect(dates.count == 627)
    #expect(dates.allSatisfy { $0.hasSuffix("07:30:00") })
    #expect(
      dates.prefix(4)
        == ["2026-11-23 07:30:00", "2026-11-24 07:30:00", "2026-11-26 07:30:00", "2026-11-30 07:30:00"]
        .prefix(4))
    // Two alarms for each date, one to write it down and one to show it: nothing else wakes it.
    #expect(table.time.wakeUps == 2 * 627)
  }

  @Test func `Every fifteen minutes, six times, is one request`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("stretch", .every("15m", count: 6))
    table.time.pass(days: 2)
    #expect(
      table.take().map { $0.suffix(8) } == ["12:15:00", "12:30:00", "12:45:00", "13:00:00", "13:15:00", "13:30:00"])
    #expect(try table.store.pendingCount() == 0)
    #expect(table.time.alarm == nil)
  }

  @Test func `A delay is exact to the millisecond, and comes once`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("tea", .in(.milliseconds(1500)))
    table.time.pass(1499)
    #expect(table.due.isEmpty)
    table.time.pass(1)
    #expect(table.due.count == 1)
    table.time.pass(days: 10)
    #expect(table.due.count == 1)
  }

  // `from` had no effect on `in`: an edit of the title began the pause anew, and 'suzu next' printed other dates.
  @Test func `A repeated delay begins where its start says`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("tea", .repeating(.after(.seconds(1200)), from: "2026-11-21T11:50:00Z"))
    table.time.pass(hour)
    #expect(table.take().map { $0.suffix(8) } == ["12:10:00", "12:30:00", "12:50:00"])
  }

  @Test func `A replaced or cancelled request does not come`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("a", .in(.seconds(60)))
    try table.add("a", .in(.seconds(120)))
    try table.add("b", .in(.seconds(60)))
    try table.store.remove(app: "test", ids: ["b"])
    table.scheduler.rearm()
    table.time.pass(hour)
    #expect(table.take() == ["2026-11-21 12:02:00"])
  }

  // It was set anew for each request, which took a twentieth of the time of a call.
  @Test func `The alarm stays where it is for a request that comes later, and moves for an earlier one`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    /// Stores a request, and returns when the alarm is set, in seconds from now.
    func alarm(_ id: String, in seconds: Int64, isFirstKnown: Bool = true) throws -> Int64? {
      let date = table.time.wall + seconds * 1000
      try table.store.put(
        [NewRequest(app: "test", id: id, payload: #"{"title":"\#(id)"}"#, start: .at(PlannedDate(due: date)))],
        now: table.time.wall)
      table.scheduler.rearm(for: isFirstKnown ? date : nil)
      table.time.runDue()
      return table.time.alarm.map { ($0 + Scheduler.lead - table.time.wall) / 1000 }
    }
    #expect(try alarm("a", in: 60) == 60)
    #expect(try alarm("b", in: 90) == 60)
    #expect(try alarm("c", in: 30) == 30)
    // It has replaced the first one.
    #expect(try alarm("c", in: 120, isFirstKnown: false) == 60)
    #expect(try alarm("d", in: 60) == 60)
    table.time.pass(61_000)
    #expect(table.takeDue().map(\.request.content.title) == ["a", "d"])
    // The alarm has rung, and is set for the next one.
    #expect(try alarm("e", in: 300) == 29)
    table.time.pass(hour)
    #expect(table.takeDue().map(\.request.content.title) == ["b", "c", "e"])
    #expect(table.time.alarm == nil)
    #expect(try alarm("f", in: 10) == 10)
  }

  @Test func `A count holds through a change of the zone, in which several dates come at once`() throws {
    let table = try Timetable("2026-03-30T13:42:28Z", zone: "UTC")
    try table.add("a", .every("09,10,11,14,15:45", count: 5))
    table.time.pass(5 * hour)
    #expect(table.take() == ["2026-03-30 14:45:00", "2026-03-30 15:45:00"])
    table.time.pass(13 * hour)
    table.zones.move(to: "Asia/Tokyo")
    table.time.runDue()
    #expect(table.take() == ["2026-03-31 11:45:00 +2"])
  }

  // They came one after the other, because there were none by the count from the beginning in this zone.
  @Test func `Dates that came in another zone do not keep missed ones from coming as one`() throws {
    let table = try Timetable("2026-03-10T11:15:00Z", zone: "Australia/Lord_Howe")
    try table.add("a", .every("09,10,11,14,15:30", count: 6))
    table.time.pass(14 * hour)
    #expect(table.take() == ["2026-03-11 09:30:00", "2026-03-11 10:30:00", "2026-03-11 11:30:00"])
    table.zones.move(to: "Europe/London")
    try table.restart { table.time.pass(16 * hour) }
    #expect(table.take() == ["2026-03-11 15:30:00 +1"])
    table.time.pass(72 * hour)
    #expect(table.take() == ["2026-03-12 09:30:00"])
  }

  @Test func `Ten thousand requests for one date come in the order of their calls`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.store.withTransaction { () throws(StoreError) in
      for number in 0..<10_000 {
        try table.store.put(
          [
            NewRequest(
              app: "test", id: "\(number)", payload: #"{"title":"\#(number)"}"#,
              start: .at(PlannedDate(due: table.time.wall + 5000)))
          ], now: table.time.wall)
      }
    }
    table.scheduler.rearm()
    table.time.pass(6000)
    #expect(table.due.map(\.request.content.title) == (0..<10_000).map { "\($0)" })
    #expect(table.due.allSatisfy { $0.date == table.time.wall - 1000 })
  }

  @Test func `A second request of the same name for the same date is shown as well`() throws {
    let table = try Timetable("2026-11-21T12:00:30Z")
    try table.add("a", .at("2026-11-21 12:00"))
    table.time.runDue()
    try table.add("a", .at("2026-11-21 12:00"))
    table.time.runDue()
    #expect(table.due.count == 2)
  }

  @Test func `The alarm knows the nearest date that wakes the machine`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("a", .in(.seconds(60)))
    table.time.runDue()
    #expect(table.time.waking == nil)
    try table.add("b", .in(.seconds(600)), wake: true)
    try table.add("c", .in(.seconds(300)), wake: true)
    table.time.runDue()
    #expect(table.time.waking == table.time.wall + 300_000)
    table.time.pass(300_000)
    #expect(table.time.waking == table.time.wall + 300_000)
  }

  @Test func `A date recorded ahead can still be withdrawn, and waits for its exact time`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("a", .in(.seconds(60)))
    try table.add("b", .in(.seconds(60)))
    table.time.pass(minute - 1)
    #expect(table.due.isEmpty)
    #expect(try table.states("a") == ["intent"])
    #expect(table.scheduler.withdraw("test") { $0 == "a" }.map(\.request.content.title) == ["a"])
    table.time.pass(1)
    #expect(table.due.map(\.request.content.title) == ["b"])
    // The clock is set at that moment: recorded requests are shown.
    try table.add("c", .at("2026-11-21 13:00"))
    table.time.pass(59 * minute - 1)
    table.time.set("2026-11-21T09:00:00Z")
    #expect(table.due.map(\.request.content.title) == ["b", "c"])
  }

  // MARK: What was missed

  @Test(
    arguments: [
      (Schedule.Missed.deliver, nil, ["2026-11-25 07:30:00 +2"], ["intent +2"]),
      (.skip, nil, [], ["skipped +2"]),
      (.skip, Duration.seconds(5 * 3600), ["2026-11-25 07:30:00 +2"], ["intent +2"]),
      (.deliver, .seconds(3600), [], ["expired +2"]),
      (
        .each, nil, ["2026-11-23 07:30:00", "2026-11-24 07:30:00", "2026-11-25 07:30:00"],
        ["intent", "intent", "intent"]
      ),
    ] as [(Schedule.Missed, Duration?, [String], [String])])
  func `The missed policy decides which dates of the time off are shown`(
    missed: Schedule.Missed, grace: Duration?, shown: [String], states: [String]
  ) throws {
    let table = try Timetable("2026-11-22T12:00:00Z")
    try table.add("alarm", .every("07:30"), missed: missed, grace: grace)
    try table.restart { table.time.passUnnoticed(3 * 24 * hour) }
    #expect(table.take() == shown)
    #expect(try table.states("alarm") == states)
    table.time.pass(24 * hour)
    #expect(table.take() == ["2026-11-26 07:30:00"])
  }

  // They came in the order of the first dates that they had missed.
  @Test func `Requests that have missed dates come in the order of the dates that they stand for`() throws {
    let table = try Timetable("2026-11-22T06:00:00Z")
    try table.add("often", .every("*:30"))
    try table.add("once", .every("08:00"))
    try table.restart { table.time.passUnnoticed(3 * hour) }
    #expect(table.take() == ["2026-11-22 08:00:00", "2026-11-22 08:30:00 +2"])
  }

  @Test func `A single missed date is shown late within its grace, and expires beyond it`() throws {
    let table = try Timetable("2026-11-22T12:00:00Z")
    try table.add("late", .at("13:00"), grace: .seconds(3600))
    try table.add("too late", .at("12:30"), grace: .seconds(3600))
    try table.add("whenever", .at("12:10"))
    try table.restart { table.time.passUnnoticed(2 * hour) }
    #expect(table.due.map(\.request.content.title) == ["whenever", "late"])
    #expect(try table.states("too late") == ["expired"])
  }

  @Test func `A repetition by elapsed time is continued after a restart`() throws {
    let table = try Timetable("2026-11-22T12:00:00Z")
    try table.add("a", .every("15m", count: 6))
    try table.restart { table.time.passUnnoticed(40 * minute) }
    #expect(table.take() == ["2026-11-22 12:30:00 +1"])
    table.time.pass(days: 1)
    #expect(table.take().map { $0.suffix(8) } == ["12:45:00", "13:00:00", "13:15:00", "13:30:00"])
  }

  // Such a request would come with another text, or not at all, when its date comes.
  @Test func `A request that would change when stored is refused`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    func plan(_ expiry: Duration) throws -> NewRequest {
      var content = NotificationRequest.Content(title: "T")
      content.expires = .after(expiry)
      let request = NotificationRequest(
        trusted: content, app: AppID(trusted: "test"), id: "a", schedule: .now)
      return try table.scheduler.plan(request)
    }
    // Texts of durations have milliseconds.
    let error = #expect(throws: TriggerError.self) { try plan(.microseconds(1500)) }
    #expect(error?.description == "the request would change when stored; change its times, numbers or texts")
    #expect(error?.code == .invalid)
    _ = try plan(.milliseconds(1500))
  }

  // MARK: Looking ahead

  @Test func `The previewed dates are those that come`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    for schedule in try [
      Schedule.every("Mon,Tue,Thu 07:30"), Schedule.every("7m", count: 5), Schedule.in(.seconds(90)),
      Schedule.rule("FREQ=DAILY;INTERVAL=3", count: 4), Schedule.at("tomorrow 7:30"),
      Schedule.repeating(.match(["hour": 9])),
    ] {
      var preview = try table.scheduler.preview(of: NotificationRequest(title: "-", schedule: schedule), count: 5)
      while try !preview.goOn() {}
      let dates = preview.dates
      let start = table.time.wall
      try table.add("a", schedule)
      table.time.pass(days: 30)
      #expect(table.due.prefix(5).map { $0.date.milliseconds / 1000 } == dates, "\(schedule)")
      _ = table.take()
      try table.store.remove(app: "test", ids: ["a"])
      table.time.wall = start
    }
  }
}
