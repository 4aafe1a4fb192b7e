// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import SuzuTesting
import TestSupport
import Testing

@testable import Scheduling

/// Tests which observations count: edges, states that last, pauses, windows, and values on the edge.
@Suite struct ArmedRequestTests {
  private let source = ScriptedConditions.some
  private let table: Timetable
  private let unit = "unit a.service active"

  // A Saturday.
  init() throws { table = try Timetable("2026-11-21T12:00:00Z", conditions: [source]) }

  /// Sets states one after another, a minute apart, and returns how many requests came.
  private func count(_ states: Bool...) throws -> Int {
    let before = table.due.count
    for state in states {
      try source.set(unit, state)
      table.time.pass(60_000)
    }
    return table.due.count - before
  }

  @Test func `A condition that is true already counts only after it was false, or with now`() throws {
    try source.set(unit, true)
    try table.add("waits", on: unit)
    try table.add("now", on: unit, ["now": .flag(true)])
    table.time.runDue()
    #expect(table.titles == ["now"])
    #expect(try count(true, false) == 0)
    #expect(try count(true) == 1)
    #expect(table.titles == ["now", "waits"])
  }

  @Test func `Enter, leave and change count different changes`() throws {
    try source.set(unit, false)
    for edge in ["enter", "leave", "change"] { try table.add(edge, on: "\(edge) \(unit)", ["repeat": .flag(true)]) }
    try source.set(unit, true)
    table.time.pass(60_000)
    #expect(table.titles == ["enter", "change"])
    #expect(table.due.map { $0.event["edge"] } == ["enter", "enter"])
    try source.set(unit, false)
    table.time.pass(60_000)
    #expect(table.titles == ["enter", "change", "leave", "change"])
    #expect(table.due.last?.event == ["condition": "change \(unit)", "edge": "leave"])
  }

  @Test func `A count ends a repetition`() throws {
    try source.set(unit, false)
    try table.add("a", on: unit, ["repeat": .flag(true), "count": .integer(2)])
    #expect(try count(true, false, true, false, true, false) == 2)
    #expect(try table.store.pendingCount() == 0)
    #expect(source.takeCalls() == ["watch \(unit)", "unwatch \(unit)"])
  }

  @Test func `A state must last as long as the request says, also across a restart`() throws {
    try source.set(unit, false)
    try table.add("a", on: unit + " for 5m")
    // Flapping: never for five minutes.
    #expect(try count(true, false, true, false, true, false) == 0)
    try source.set(unit, true)
    table.time.pass(240_000)
    #expect(table.titles == [])
    // A minute is left, and passes while the center is down.
    try table.restart { table.time.passUnnoticed(120_000) }
    #expect(table.titles == ["a"])
  }

  @Test func `Two events within the pause are one, and the next one says how many there were`() throws {
    let signal = "signal org.example.Printer.Done"
    try table.add(
      "a", on: signal, ["repeat": .flag(true), "cooldown": .text("1m"), "body": .text("page {event.arg0}")])
    for number in 0..<10_000 { try source.set(signal, .happened(event: ["arg0": "\(number)"])) }
    table.time.runDue()
    #expect(table.due.map(\.request.content.body) == ["page 0"])
    let stored = try #require(try table.store.pending().first)
    let standing = try #require(table.scheduler.standing(of: stored.revision))
    #expect(standing.folded == 9_999 && standing.met == table.time.wall)
    table.time.pass(60_000)
    #expect(table.due.count == 1)
    try source.set(signal, .happened(event: ["arg0": "x"]))
    table.time.runDue()
    #expect(table.due.map(\.missed) == [0, 9_999])
    #expect(table.due.last?.request.content.body == "page x")
  }

  @Test func `Only events within the window count`() throws {
    try source.set(unit, false)
    try table.add(
      "a", on: unit, ["repeat": .flag(true), "during": .text("Mon..Fri 08:00..18:00"), "zone": .text("UTC")])
    #expect(try count(true, false) == 0)
    table.time.pass(days: 2)
    #expect(try count(true, false) == 1)
    table.time.pass(8 * 3_600_000)
    #expect(try count(true, false) == 0)
  }

  @Test func `A request is over when its last moment has passed, and is recorded if it never came`() throws {
    try source.set(unit, false)
    try table.add(
      "never", on: unit, ["from": .text("2026-11-21 13:00"), "until": .text("2026-11-21 14:00"), "zone": .text("UTC")])
    try table.add("came", on: unit, ["repeat": .flag(true), "until": .text("2026-11-21 14:00"), "zone": .text("UTC")])
    #expect(try count(true, false) == 1)
    table.time.pass(3 * 3_600_000)
    #expect(try count(true, false) == 0)
    #expect(try table.states("never") == ["expired"])
    #expect(try table.states("came") == ["intent"])
    #expect(try table.store.pendingCount() == 0)
  }

  @Test func `A charge on the edge comes once`() throws {
    let battery = "battery < 20%"
    try table.add("a", on: battery, ["repeat": .flag(true), "body": .text("{event.percent} %")])
    var charges = [25.0]
    for _ in 0..<50 { charges += [20.4, 19.6, 21.9] }
    for charge in charges {
      try source.set(battery, .level(charge, event: ["percent": "\(Int(charge))"]))
      table.time.pass(60_000)
    }
    #expect(table.due.map(\.request.content.body) == ["19 %"])
    for charge in [22.1, 19.9] {
      try source.set(battery, .level(charge))
      table.time.pass(60_000)
    }
    #expect(table.due.count == 2)
  }

  @Test func `A position that jitters on the edge for an hour comes once`() throws {
    let place = "place 52.52,13.405 200m"
    try table.add("a", on: place, ["repeat": .flag(true)])
    try source.set(place, .distance(900, radius: 200, accuracy: 20))
    for second in 0..<3600 {
      try source.set(place, .distance(second.isMultiple(of: 2) ? 185 : 215, radius: 200, accuracy: 20))
      table.time.pass(1000)
    }
    #expect(table.due.count == 0)
    try source.set(place, .distance(100, radius: 200, accuracy: 20))
    for second in 0..<3600 {
      try source.set(place, .distance(second.isMultiple(of: 2) ? 185 : 215, radius: 200, accuracy: 20))
      table.time.pass(1000)
    }
    #expect(table.due.count == 1)
  }

  @Test func `A source that vanishes and comes back is no change, and what changed meanwhile counts`() throws {
    try source.set(unit, true)
    try table.add("a", on: unit, ["repeat": .flag(true)])
    try source.set(unit, .unknown("systemd is not running"))
    #expect(table.scheduler.obstacles.map(\.reason) == ["systemd is not running"])
    #expect(try count(true) == 0)
    #expect(table.scheduler.obstacles.isEmpty)
    #expect(try count(false) == 0)
    try source.set(unit, .unknown("systemd is not running"))
    #expect(try count(true) == 1)
  }

  @Test func `What happened stays with the delivery`() throws {
    let signal = "signal org.example.Printer.Done"
    try table.add(
      "a", on: signal,
      ["title": .text("{event.arg0} {event.arg1}"), "body": .text("<b>{event.arg0}</b>"), "markup": .flag(true)])
    try source.set(signal, .happened(event: ["arg0": "<i>&", "arg2": String(repeating: "x", count: 5000)]))
    table.time.runDue()
    #expect(table.due.map(\.request.content.title) == ["<i>& "])
    #expect(table.due.map(\.request.content.body) == ["<b>&lt;i&gt;&amp;</b>"])
    let record = try #require(try table.store.openIntents().first)
    #expect(record.event["arg0"] == "<i>&" && record.event["arg2"]?.utf8.count == 1024)
  }

  // They were refused with 'on' once.
  @Test(
    arguments: [
      ("deliver", nil, 600, true), ("each", nil, 600, true), ("skip", nil, 600, false), ("skip", nil, 30, true),
      ("skip", "15m", 600, true), ("deliver", "5m", 600, false), ("deliver", "15m", 600, true),
    ] as [(String, String?, Int64, Bool)])
  func `What became true while the center was down is as late as that time`(
    _ missed: String, _ grace: String?, _ seconds: Int64, _ comes: Bool
  ) throws {
    try source.set(unit, false)
    var keys: [String: PlainValue] = ["missed": .text(missed)]
    keys["grace"] = grace.map { .text($0) }
    try table.add("a", on: unit, keys)
    let (unit, source, time) = (unit, source, table.time)
    try table.restart {
      time.passUnnoticed(seconds * 1000)
      try? source.set(unit, true)
    }
    #expect(table.titles == (comes ? ["a"] : []))
    let state = try #require(try table.store.history().first).state
    #expect(state == (comes ? .intent : missed == "skip" ? .skipped : .expired))
  }

  @Test func `A state that must last wakes the machine when it has`() throws {
    try source.set(unit, false)
    try table.add("a", on: unit + " for 5m", ["wake": .flag(true)])
    #expect(table.time.waking == nil)
    try source.set(unit, true)
    table.time.runDue()
    #expect(table.time.waking == table.time.wall + 300_000)
    try source.set(unit, false)
    table.time.runDue()
    #expect(table.time.waking == nil)
  }

  // The postponed request had no condition, and so what happened was lost: its buttons failed.
  @Test func `A request that is postponed keeps what happened`() throws {
    let postponed = try NotificationRequest(
      app: AppID("test"), id: RequestID("a"), title: "Page 7", schedule: .in(.seconds(60)))
    let new = try table.scheduler.plan(postponed, event: ["arg0": "7"])
    try table.store.put([new], now: table.time.wall)
    table.scheduler.rearm()
    let stored = try #require(try table.store.pending().first)
    // Its keys are those of a request.
    #expect(Payload.words(stored)?["event"] == nil && Payload.request(stored) == postponed)
    table.time.pass(60_000)
    #expect(table.due.map(\.event) == [["arg0": "7"]])
    #expect(try table.store.openIntents().first?.event == ["arg0": "7"])
  }

  @Test func `Nothing wakes the center while nothing happens`() throws {
    try source.set(unit, false)
    for number in 0..<1000 { try table.add("\(number)", on: unit, ["repeat": .flag(true)]) }
    let before = (table.time.wakeUps, table.time.turns)
    table.time.pass(days: 1)
    // The daily look at the clock is not the scheduler's.
    #expect((table.time.wakeUps, table.time.turns) == before)
  }
}
