// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Suzu
import SuzuTesting
import TestSupport
import Testing

/// Tests of programs, as their authors write them with the kit.
@Suite(.timeLimit(.minutes(1))) struct UserStoryTests {
  @Test func `Tea is ready after four minutes and not before`() async throws {
    let spy = SpyCenter()
    try await TeaTimer(app: spy.app("org.example.Tea")).start()
    let request = try #require(spy.pending.first)
    #expect(request.title == "Tea is ready" && request.app == "org.example.Tea")
    #expect(request.userInfo == ["kind": .text("green"), "grams": .integer(4)])
    #expect(request.next == spy.clock.now + 240)
    spy.clock.advance(by: .minutes(4) - .milliseconds(1))
    #expect(spy.shown.isEmpty)
    spy.clock.advance(by: .milliseconds(1))
    #expect(spy.shown.map(\.title) == ["Tea is ready"] && spy.pending.isEmpty)
    #expect(spy.shown[0].delay == .zero && spy.shown[0].buttons.map(\.title) == ["A minute longer", "Thanks"])
  }

  @Test func `A minute longer is a minute`() async throws {
    let spy = SpyCenter()
    try await TeaTimer(app: spy.app("org.example.Tea")).start()
    spy.clock.advance(by: .minutes(4))
    #expect(try spy.user.press("longer", on: "tea").outcome == .done)
    #expect(spy.shown.isEmpty && spy.pending("tea")?.next == spy.clock.now + 60)
    spy.clock.advance(by: .minutes(1))
    #expect(spy.delivered.map(\.localTime) == ["2026-01-05 09:04:00", "2026-01-05 09:05:00"])
  }

  @Test func `Without a handler, a response waits for one, up to a day`() async throws {
    let spy = SpyCenter()
    let tea = spy.app("org.example.Tea")
    for _ in 0..<2 {
      try await TeaTimer(app: tea).start()
      spy.clock.advance(by: .minutes(4))
      try spy.user.press("drunk", on: "tea")
      spy.clock.advance(by: .hours(13))
    }
    #expect(spy.responses[0].outcome == .lapsed("no handler attached within 24 hours"))
    #expect(spy.responses[1].outcome == nil && !spy.responses[1].isReceived)
    for await response in tea.responses() {
      #expect(response.id == "tea" && response.action == "drunk" && response.dueDate != nil)
      await response.complete()
      break
    }
    #expect(spy.responses[1].outcome == .done && spy.responses[1].isReceived)
  }

  @Test(
    arguments: [
      ("Europe/Paris", ["2026-03-30 07:30:00", "2026-10-26 07:30:00"]),
      ("Australia/Lord_Howe", ["2026-04-06 07:30:00", "2026-10-05 07:30:00"]),
    ])
  func `An alarm rings at half past seven all year, across summer time`(zone: String, mondays: [String]) async throws {
    let clock = try VirtualClock("2026-01-01 00:00", in: zone, zoneinfo: FixedZones.folder)
    let spy = SpyCenter(clock: clock)
    let start = ContinuousClock.now
    try await WeeklyAlarm(center: spy).set([.monday, .tuesday, .thursday], at: "07:30")
    #expect(spy.pending.first?.next(3).count == 3)
    try clock.advance(to: "2027-01-01 00:00")
    let time = ContinuousClock.now - start
    print("alarm: a year in \(zone): \(spy.delivered.count) dates in \(time)")
    #expect(time < .seconds(2))
    // 2026 has 52 Mondays, 52 Tuesdays and 53 Thursdays.
    #expect(spy.delivered.count == 52 + 52 + 53)
    #expect(spy.delivered.allSatisfy { $0.localTime.hasSuffix(" 07:30:00") && $0.missed == 0 && $0.delay == .zero })
    #expect(Set(spy.delivered.map(\.localTime)).isSuperset(of: mondays))
    // The same time of the clock is another moment in summer.
    #expect(Set(spy.delivered.map { $0.due.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) }).count == 2)
    #expect(spy.pending.count == 1 && spy.shown.count == 1 && spy.reports.isEmpty)
  }

  @Test func `Every fifteen minutes, six times`() async throws {
    let spy = SpyCenter()
    try await spy.notify("Stretch", at: .every(.minutes(15), count: 6), id: "stretch")
    #expect(spy.pending("stretch")?.next(10).count == 6)
    spy.clock.advance(by: .hours(24))
    #expect(spy.delivered.map { $0.due.timeIntervalSince(spy.delivered[0].due) / 60 } == [0, 15, 30, 45, 60, 75])
    #expect(spy.pending.isEmpty)
  }

  @Test func `A reminder that came while the machine slept comes once when it wakes up`() async throws {
    let clock = try VirtualClock("2026-11-23 20:00")
    let spy = SpyCenter(clock: clock)
    let medication = Medication(spy.app("org.example.Medicine"))
    try await medication.prescribe(.every("*-*-* 06,12,18:00"))
    let running = Task { try await medication.run() }
    try clock.suspend(until: "2026-11-24 13:30")
    #expect(spy.delivered.count == 1)
    #expect(spy.shown[0].missed == 1 && spy.shown[0].localTime == "2026-11-24 13:30:00")
    #expect(spy.shown[0].delay == .minutes(90))
    let response = try spy.user.press("taken", on: "medicine")
    #expect(await response.outcome() == .done)
    try clock.advance(to: "2026-11-24 18:00")
    #expect(await (try spy.user.type("Better", on: "medicine")).outcome() == .done)
    try clock.advance(to: "2026-11-25 06:00")
    #expect(await (try #require(try spy.user.dismiss("medicine"))).outcome() == .done)
    #expect(await medication.diary == ["taken, 1 missed", "Better", "dismissed"])
    running.cancel()
    _ = await running.result
  }

  @Test func `A reminder that wakes the machine comes on time`() async throws {
    let clock = try VirtualClock("2026-11-23 20:00")
    let spy = SpyCenter(clock: clock)
    try await spy.notify("Wake up", at: .every("*-*-* 06:00").waking())
    try clock.suspend(until: "2026-11-25 13:00")
    #expect(spy.delivered.map(\.localTime) == ["2026-11-24 06:00:00", "2026-11-25 06:00:00"])
  }

  @Test func `Skipped and late dates do not come, and are told`() async throws {
    let clock = try VirtualClock("2026-11-23 20:00")
    let spy = SpyCenter(clock: clock)
    try await spy.notify("Skip", at: .every("*-*-* 06:00").whenMissed(.skip), id: "skip")
    try await spy.notify("Late", at: .at("2026-11-24 06:30").whenMissed(.deliver, grace: .minutes(30)), id: "late")
    try await spy.notify("Each", at: .every("*-*-* *:00").whenMissed(.each), id: "each")
    try clock.suspend(until: "2026-11-24 07:15")
    #expect(Set(spy.delivered.map(\.id)) == ["each"] && spy.delivered.count == 11)
    #expect(spy.ended.map(\.reason) == [.skipped, .late])
    try clock.advance(to: "2026-11-25 06:00")
    #expect(spy.delivered.filter { $0.id == "skip" }.map(\.localTime) == ["2026-11-25 06:00:00"])
  }

  @Test func `A center that was off goes on with what is stored`() async throws {
    let clock = try VirtualClock("2026-11-23 20:00")
    let spy = SpyCenter(clock: clock)
    try await spy.notify("Daily", at: .daily(at: "06:00"), id: "daily")
    try await spy.notify("Egg", at: .after(.minutes(5)), id: "egg")
    clock.switchOff(for: .days(3))
    #expect(Set(spy.delivered.map { "\($0.id) +\($0.missed)" }) == ["daily +2", "egg +0"])
    try clock.advance(to: "2026-11-27 06:00")
    #expect(spy.delivered.last?.localTime == "2026-11-27 06:00:00" && spy.delivered.count == 3)
  }

  @Test func `An alarm goes with its user to another zone, and one with a zone does not`() async throws {
    let clock = try VirtualClock("2026-11-23 20:00", in: "Europe/Paris", zoneinfo: FixedZones.folder)
    let spy = SpyCenter(clock: clock)
    try await spy.notify("Here", at: .daily(at: "07:30"), id: "here")
    try await spy.notify("There", at: .every("*-*-* 07:30", zone: "Europe/Paris"), id: "there")
    try clock.move(to: "America/New_York")
    #expect(clock.zone == "America/New_York" && clock.localTime == "2026-11-23 14:00:00")
    try clock.advance(to: "2026-11-24 12:00")
    #expect(
      spy.delivered.map { "\($0.id) \($0.localTime)" } == [
        "there 2026-11-24 01:30:00", "here 2026-11-24 07:30:00",
      ])
  }

  @Test func `A clock that is set moves alarms, and no egg timer`() async throws {
    let clock = try VirtualClock("2026-11-23 20:00")
    let spy = SpyCenter(clock: clock)
    try await spy.notify("Alarm", at: .daily(at: "07:30"), id: "alarm")
    try await spy.notify("Egg", at: .after(.minutes(5)), id: "egg")
    try clock.set(to: "2026-11-24 08:00")
    #expect(spy.delivered.map(\.id) == ["alarm"])
    clock.advance(by: .minutes(5))
    #expect(spy.delivered.map(\.id) == ["alarm", "egg"])
  }

  @Test func `A condition becomes true when the test says so`() async throws {
    let spy = SpyCenter()
    try spy.set("wifi Home", false)
    try await spy.notify("Welcome", at: .whenever("wifi Home"), id: "home")
    #expect(spy.pending.first?.next == nil)
    try spy.set("wifi Home", true, event: ["ssid": "Home"])
    #expect(spy.delivered.map { $0.event["ssid"] } == ["Home"])
    try spy.set("wifi Home", false)
    spy.clock.advance(by: .hours(1))
    try spy.set("wifi Home", true)
    #expect(spy.delivered.count == 2)
  }
}
