// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import SuzuTesting
import TestSupport
import Testing
import Triggers
import Zoneinfo

private let minute: Int64 = 60_000
private let hour: Int64 = 3_600_000

/// Tests the scheduler while clocks are set and zones change.
@Suite struct SchedulerClockTests {
  @Test func `Each repetition comes once for all skipped dates when the clock is set forward a year`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("daily", .every("07:30"))
    try table.add("once", .at("2027-01-01 09:00"))
    try table.add("egg", .in(.seconds(300)))
    try table.add("stretch", .every("15m"))
    table.time.set("2027-11-21T12:00:00Z")
    #expect(Set(table.take()) == ["2027-01-01 09:00:00", "2027-11-21 07:30:00 +364"])
    // Elapsed time knows nothing of it.
    table.time.pass(5 * minute)
    #expect(table.take() == ["2027-11-21 12:05:00"])
    table.time.pass(10 * minute)
    #expect(table.take() == ["2027-11-21 12:15:00"])
    table.time.pass(20 * hour)
    #expect(table.take().filter { $0.hasSuffix("07:30:00") }.count == 1 + 1)  // stretch is due then as well
  }

  @Test func `A shown date is not shown again when the clock is set back a day`() throws {
    let table = try Timetable("2026-11-21T07:00:00Z")
    try table.add("daily", .every("07:30"))
    try table.add("once", .at("08:00"))
    table.time.pass(5 * hour)
    #expect(table.take().count == 2)
    table.time.set("2026-11-20T07:00:00Z")
    table.time.pass(72 * hour)
    #expect(table.take() == ["2026-11-22 07:30:00"])
  }

  @Test func `A clock that was a year ahead by mistake does not silence the alarm for a year`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("daily", .every("07:30"))
    table.time.set("2027-11-21T12:00:00Z")
    #expect(table.take().count == 1)
    table.time.set("2026-11-21T12:01:00Z")
    table.time.pass(48 * hour)
    #expect(table.take() == ["2026-11-22 07:30:00", "2026-11-23 07:30:00"])
  }

  @Test func `An unsynchronized clock that is plainly wrong is waited for, up to five minutes`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("daily", .every("07:30"))
    try table.add("once", .at("13:00"))
    table.time.pass(hour)
    #expect(table.take().count == 1)
    table.time.isSynchronised = false
    try table.restart {
      table.time.boot = "second"
      table.time.wall = VirtualTime.date("1970-01-01T00:00:00Z")
    }
    table.time.pass(2 * minute)
    #expect(table.take() == [])
    table.time.set("2026-11-22T08:00:00Z")
    #expect(table.take() == ["2026-11-22 07:30:00"])
    // The clock is not corrected this time. Requests of 2026 have no earlier dates.
    try table.add("before", .in(.seconds(7200)))
    try table.restart {
      table.time.boot = "third"
      table.time.wall = VirtualTime.date("2020-01-01T07:00:00Z")
    }
    try table.add("since", .in(.seconds(1000)))
    table.time.pass(4 * minute)
    #expect(table.take() == [])
    table.time.pass(2 * minute)
    // Set right at last: what was asked for since then knows nothing of it, what was asked for before is overdue.
    table.time.isSynchronised = true
    table.time.set("2026-11-22T10:30:00Z")
    #expect(table.due.map(\.request.content.title) == ["before"])
    table.time.pass(640_000)
    #expect(table.due.map(\.request.content.title) == ["before", "since"])
    // From here on it is believed, and a correction is only that.
    try table.add("egg", .in(.seconds(1000)))
    table.time.set("2026-11-22T15:30:00Z")
    table.time.pass(1000_000 - 1)
    #expect(table.due.count == 2)
    table.time.pass(1)
    #expect(table.due.count == 3)
  }

  @Test func `A clock set while the center is off does not move elapsed times`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("egg", .in(.seconds(300)))
    try table.restart {
      table.time.passUnnoticed(minute)
      table.time.wall += 12 * hour
    }
    table.time.pass(4 * minute - 1)
    #expect(table.due.isEmpty)
    table.time.pass(1)
    #expect(table.due.count == 1)
  }

  @Test func `A small clock correction moves no elapsed time, and many together do`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("egg", .in(.seconds(3600)))
    let due = table.time.elapsed + hour
    for _ in 0..<40 {
      table.time.pass(minute)
      table.time.set(to: table.time.wall + 100)
    }
    while table.due.isEmpty { table.time.pass(100) }
    #expect(abs(table.time.elapsed - due) < 600)
  }

  // It came 400 ms early: as if it had been there when the clock was corrected.
  @Test(arguments: [false, true])
  func `A delay that is newer than a small correction of the clock does not follow it`(restarts: Bool) throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("older", .in(.seconds(1800)))
    table.time.set(to: table.time.wall - 400)
    table.time.pass(minute)
    try table.add("newer", .in(.seconds(3600)))
    let due = table.time.elapsed + hour
    if restarts { try table.restart() }
    table.time.set(to: table.time.wall - 10 * minute)
    table.time.pass(29 * minute)
    #expect(table.due.map(\.request.content.title) == ["older"])
    table.time.pass(due - table.time.elapsed - 1)
    #expect(table.due.count == 1)
    table.time.pass(1)
    #expect(table.due.count == 2)
  }

  private static func addDelays(_ count: Int, to table: Timetable) throws {
    let planned = try table.scheduler.plan(
      try NotificationRequest(app: "test", id: "a", title: "-", schedule: .in(.seconds(3600))))
    let rows = (0..<count).map {
      NewRequest(app: "test", id: "\($0)", payload: planned.payload, start: planned.start)
    }
    try table.store.put(rows, now: table.time.wall)
    table.scheduler.rearm()
    table.time.runDue()
  }

  // They moved in one turn: a second for each two hundred thousand.
  @Test func `Twelve hundred delays move with the clock in several turns, and none comes meanwhile`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try Self.addDelays(1200, to: table)
    let before = table.time.turns
    table.time.set(to: table.time.wall + 2 * hour)
    #expect(table.time.turns >= before + 2)
    // Set again before all have followed.
    table.time.wall += hour
    table.time.whenSet()
    table.time.wall += -2 * hour
    table.time.whenSet()
    table.time.runDue()
    table.time.pass(hour - 1)
    #expect(table.due.isEmpty)
    table.time.pass(1)
    #expect(table.due.count == 1200)
    #expect(table.reports == [])
  }

  @Test(arguments: [false, true]) func `Delays that have not moved with the clock move after a start`(
    ofMachine: Bool
  ) throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try Self.addDelays(1200, to: table)
    table.time.wall += 2 * hour
    table.time.whenSet()
    try table.restart {
      if ofMachine {
        table.time.boot = "second"
        table.time.elapsed = 1000
      }
    }
    table.time.pass(hour - 1)
    #expect(table.due.isEmpty)
    table.time.pass(1)
    #expect(table.due.count == 1200)
    #expect(table.reports == [])
  }

  // MARK: Zones

  @Test func `Each local date comes once across the date line`() throws {
    let table = try Timetable("2026-11-20T12:00:00Z", zone: "Pacific/Auckland")
    try table.add("floating", .every("07:30"))
    try table.add("at home", .every("09:00", zone: "Europe/Paris"))
    // 07:30 on the 21st in Auckland, and 09:00 in Paris.
    table.time.pass(24 * hour)
    #expect(table.take().filter { $0.contains("07:30") } == ["2026-11-21 07:30:00"])
    // It is 01:00 of the 22nd there, and 02:00 of the 21st in Honolulu, whose 07:30 has a date that has rung.
    table.zones.move(to: "Pacific/Honolulu")
    table.time.pass(24 * hour)
    #expect(table.take() == ["2026-11-21 22:00:00"])
    table.time.pass(24 * hour)
    #expect(table.take() == ["2026-11-22 07:30:00", "2026-11-22 22:00:00"])
    // Back again: the skipped dates come now, late.
    table.zones.move(to: "Pacific/Auckland")
    table.time.runDue()
    #expect(table.take().count { $0.contains("2026-11-23 07:30:00") || $0.contains("2026-11-24 07:30:00") } == 1)
    #expect(
      try table.store.history().filter { $0.id == "floating" }.count
        == Set(
          try table.store.history().filter { $0.id == "floating" }.compactMap(\.occurrence.wall)
        ).count)
  }

  @Test func `A moment with an offset and a date with a zone do not move with the machine`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z", zone: "Europe/London")
    let moment = try table.add("moment", .at("2026-11-21T15:00:00+01:00"))
    let zoned = try table.add("zoned", .at("2026-11-21 16:00", zone: "Europe/Paris"))
    let floating = try table.add("floating", .at("2026-11-21 17:00"))
    table.zones.move(to: "America/New_York")
    table.time.runDue()
    let dates = try table.store.pending().reduce(into: [:]) { $0[$1.id] = $1.date?.due }
    #expect(dates["moment"] == moment.start.date?.due)
    #expect(dates["zoned"] == zoned.start.date?.due)
    #expect(dates["floating"] == (floating.start.date?.due ?? 0) + 5 * hour)
  }

  @Test func `New rules of a zone move its dates, whether the center runs or not`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    try table.add("a", .at("2026-12-01 12:00", zone: "Europe/Paris"))
    let before = try table.store.pending()[0].date?.due
    table.zones.newer["Europe/Paris"] = "XXX-5"
    table.zones.whenChanged()
    table.time.runDue()
    #expect(try table.store.pending()[0].date?.due == before.map { $0 - 4 * hour })
    try table.restart { table.zones.newer["Europe/Paris"] = "XXX-3" }
    #expect(try table.store.pending()[0].date?.due == before.map { $0 - 2 * hour })
  }

  @Test func `Twenty thousand dates move with the machine, and those due meanwhile are right`() throws {
    let table = try Timetable("2026-11-21T12:00:00Z")
    let planned = try table.scheduler.plan(
      try NotificationRequest(app: "test", id: "a", title: "-", schedule: .at("2026-11-21 17:00")))
    let rows = (0..<20_000).map {
      NewRequest(app: "test", id: "\($0)", payload: planned.payload, start: planned.start)
    }
    try table.store.put(rows, now: table.time.wall)
    table.scheduler.rearm()
    table.zones.move(to: "Asia/Tokyo")  // where it is 21:00: all of them are late
    table.time.runDue()
    #expect(table.due.count == 20_000)
    #expect(Set(table.due.map(\.date)) == [VirtualTime.date("2026-11-21T08:00:00Z")])
  }

  // MARK: Anything

  @Test func `Changes of clocks and zones neither double nor drop a date`() throws {
    var (dates, settings, moves, restarts) = (0, 0, 0, 0)
    for seed in 0..<(4 * roundFactor) {
      var random = Seeded(UInt64(seed))
      let table = try Timetable("2026-03-20T12:00:00Z")
      let zones = [
        "Europe/London", "Pacific/Auckland", "Pacific/Honolulu", "Australia/Lord_Howe", "UTC", "Asia/Kolkata",
      ]
      for number in 0..<10 {
        let schedule: Schedule =
          switch Int.random(in: 0..<5, using: &random) {
          case 0: try .in(.seconds(Int.random(in: 1...200_000, using: &random)))
          case 1: try .every("\(Int.random(in: 1...20, using: &random))h", count: 10)
          case 2: try .every("*-*-* \(Int.random(in: 0...23, using: &random)):30")
          case 3: try .every("hourly", zone: zones.randomElement(using: &random))
          default: try .at("2026-03-\(Int.random(in: 21...31, using: &random)) 02:30")
          }
        try table.add("\(number)", schedule)
      }
      for _ in 0..<60 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          table.time.set(to: table.time.wall + Int64.random(in: -20 * hour...40 * hour, using: &random))
          settings += 1
        case 1:
          table.zones.move(to: zones.randomElement(using: &random) ?? "UTC")
          table.time.runDue()
          moves += 1
        case 2:
          try table.restart { table.time.passUnnoticed(Int64.random(in: 0...10 * hour, using: &random)) }
          restarts += 1
        default: table.time.pass(Int64.random(in: 0...8 * hour, using: &random))
        }
        // Every date before now has been handled.
        let overdue = try table.store.nearestDue(through: table.time.wall, limit: 10)
        #expect(overdue.isEmpty, "seed \(seed): \(overdue.map(\.id))")
      }
      table.time.pass(days: 20)
      #expect(table.reports == [])
      let history = try table.store.history()
      dates += history.count
      // The store refuses a second one with the same name; that each was handed out once is for us to see.
      #expect(Set(history.map(\.number)) == Set(table.due.compactMap(\.record?.delivery)))
      #expect(table.due.count == history.count, "seed \(seed)")
      // Single dates came, all of them; counted ones came as often as they should, or were counted as missed.
      for request in try table.store.pending() {
        #expect(Payload.request(request)?.schedule.isRepeating == true, "seed \(seed): \(request.payload)")
        #expect(Payload.request(request)?.schedule.repetition?.count == nil, "seed \(seed): \(request.payload)")
      }
      for number in 0..<10 {
        let mine = table.due.filter { $0.request.id?.text == "\(number)" }
        guard let count = mine.first?.request.schedule.repetition?.count else { continue }
        #expect(mine.reduce(0) { $0 + 1 + $1.missed } == count, "seed \(seed)")
      }
    }
    print(
      "scheduler: \(dates) dates through \(settings) settings, \(moves) moves, \(restarts) restarts; 0 lost, 0 twice")
  }
}

/// The same numbers for the same seed, so that a failure can be looked at again.
private struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
