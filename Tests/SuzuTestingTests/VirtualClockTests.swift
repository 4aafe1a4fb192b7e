// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Suzu
import SuzuTesting
import TestSupport
import Testing

/// Tests the virtual clock by itself, its limits, and many tasks at once.
@Suite(.timeLimit(.minutes(1))) struct VirtualClockTests {
  @Test func `It stands still unless a test moves it`() throws {
    let clock = try VirtualClock("2026-03-29 01:59:59", in: "Europe/Paris", zoneinfo: FixedZones.folder)
    #expect(clock.now == clock.now && clock.localTime == "2026-03-29 01:59:59" && clock.nextDate == nil)
    clock.advance(by: .seconds(1))
    #expect(clock.localTime == "2026-03-29 03:00:00")
    try clock.advance(to: "2026-03-29T02:00:00Z")
    #expect(clock.localTime == "2026-03-29 04:00:00")
    try clock.advance(to: Date(timeIntervalSince1970: 1_800_000_000))
    #expect(clock.now.timeIntervalSince1970 == 1_800_000_000)
    try clock.advance(to: "2027-06-01")
    #expect(clock.localTime == "2027-06-01 00:00:00")
  }

  @Test func `The default clock needs no zone files`() {
    let clock = VirtualClock()
    #expect(clock.zone == "UTC" && clock.localTime == "2026-01-05 09:00:00")
  }

  @Test func `Invalid times and zones are refused, and change nothing`() throws {
    #expect(throws: SuzuError.self) { try VirtualClock("tomorrow") }
    #expect(throws: SuzuError.self) { try VirtualClock("2026-02-30 12:00") }
    let error = #expect(throws: SuzuError.self) { try VirtualClock("2026-01-01", in: "Europe/Pariss") }
    #expect(error?.message.contains("Europe/Pariss") == true)
    let clock = VirtualClock()
    #expect(throws: SuzuError.self) { try clock.advance(to: "2026-01-05 08:59") }
    #expect(throws: SuzuError.self) { try clock.suspend(until: "2026-01-05 08:59") }
    #expect(throws: SuzuError.self) { try clock.set(to: "never") }
    #expect(throws: SuzuError.self) { try clock.move(to: "../etc/passwd") }
    #expect(throws: SuzuError.self) { try clock.update(zone: "UTC", to: "nonsense!") }
    clock.advance(by: .seconds(-5))
    clock.suspend(for: .zero)
    #expect(clock.zone == "UTC" && clock.localTime == "2026-01-05 09:00:00")
  }

  @Test func `It goes from date to date`() async throws {
    let spy = SpyCenter()
    try await spy.notify("Late", at: .after(.hours(2)), id: "b")
    try await spy.notify("Soon", at: .after(.hours(1)), id: "a")
    #expect(!spy.clock.advanceToNext(until: spy.clock.now + 600) && spy.delivered.isEmpty)
    #expect(spy.clock.advanceToNext() && spy.delivered.map(\.id) == ["a"])
    #expect(spy.clock.localTime == "2026-01-05 10:00:00" && spy.clock.nextDate != nil)
    #expect(spy.clock.advanceToNext() && spy.delivered.map(\.id) == ["a", "b"])
    #expect(!spy.clock.advanceToNext() && spy.clock.nextDate == nil)
    #expect(spy.clock.localTime == "2026-01-05 11:00:00")
  }

  @Test func `Several centers share a clock`() async throws {
    let clock = VirtualClock()
    let first = SpyCenter(clock: clock)
    var second: SpyCenter? = SpyCenter(clock: clock)
    try await first.notify("A", at: .after(.hours(1)), id: "a")
    try await second?.notify("B", at: .after(.hours(1)), id: "b")
    clock.advance(by: .hours(1))
    #expect(first.delivered.map(\.id) == ["a"] && second?.delivered.map(\.id) == ["b"])
    second = nil
    try await first.notify("A", at: .after(.hours(1)), id: "a")
    clock.advance(by: .hours(1))
    #expect(first.delivered.count == 2)
  }

  @Test func `New rules of a zone move its dates`() async throws {
    let clock = try VirtualClock("2026-11-21 12:00", zoneinfo: FixedZones.folder)
    let spy = SpyCenter(clock: clock)
    try await spy.notify("T", at: .at("2026-12-01 12:00", zone: "Europe/Paris"), id: "t")
    let before = try #require(spy.pending("t")?.next)
    try clock.update(zone: "Europe/Paris", to: "XXX-5")
    #expect(spy.pending("t")?.next == before - 4 * 3600)
  }

  @Test func `The same id replaces, pending and on the screen`() async throws {
    let spy = SpyCenter()
    try await spy.notify("Old", at: .after(.hours(1)), id: "t")
    try await spy.notify("New", at: .after(.hours(2)), id: "t")
    #expect(spy.requests.map(\.content.title) == ["Old", "New"] && spy.pending.map(\.title) == ["New"])
    spy.clock.advance(by: .hours(3))
    try await spy.notify("Newer", id: "t")
    #expect(spy.shown.map(\.title) == ["Newer"] && spy.ended.map(\.reason) == [.replaced, .replaced])
    #expect(spy.dismissAll() == 1)
    var rows: [String] = []
    for try await row in spy.pastRequests() { rows.append("\(row.title) \(row.reason ?? "")") }
    #expect(rows == ["Newer withdrawn", "New replaced", "Old replaced"])
  }

  @Test func `Cancelling is counted, and an app cancels its own`() async throws {
    let spy = SpyCenter()
    let tea = spy.app("org.example.Tea")
    for (id, hours) in [("a", 1), ("b", 2), ("c", 3)] {
      try await tea.notify("T", at: .after(.hours(hours)), id: RequestID(id))
      try await spy.notify("T", at: .after(.hours(hours)), id: RequestID(id))
    }
    #expect(tea.cancel(["a", "x"]) == 1 && tea.cancel([] as [RequestID]) == 0)
    #expect(tea.cancelAll() == 2 && spy.pending.count == 3)
    #expect(spy.ended.count == 3 && spy.ended.allSatisfy { $0.reason == .cancelled && $0.app == "org.example.Tea" })
  }

  @Test func `Sixteen tasks at once lose nothing`() async throws {
    let spy = SpyCenter()
    let app = spy.app("org.example.Crowd")
    let reading = Task {
      for await response in app.responses() { await response.complete() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for number in 0..<25 {
            let id = try RequestID("\(task)-\(number)")
            try await app.notify("T", at: .after(.minutes(1)), id: id, actions: [Action(id: "ok", title: "OK")])
            spy.clock.advance(by: .seconds(1))
            _ = spy.pending.first?.next(2)
            _ = spy.shown.count
          }
        }
      }
      try await group.waitForAll()
    }
    spy.clock.advance(by: .minutes(1))
    #expect(spy.delivered.count == 400 && spy.requests.count == 400 && spy.pending.isEmpty)
    // In the order of their dates.
    #expect(spy.delivered.map(\.due) == spy.delivered.map(\.due).sorted())
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
      for shown in spy.shown { group.addTask { try await spy.user.press("ok", on: shown.id).outcome() } }
      for try await outcome in group { #expect(outcome == .done) }
    }
    #expect(spy.responses.count == 400 && !spy.responses.contains { $0.isReportedTwice } && spy.shown.isEmpty)
    reading.cancel()
    await reading.value
  }
}
