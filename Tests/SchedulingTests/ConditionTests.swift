// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import SuzuTesting
import TestSupport
import Testing

@testable import Scheduling

extension ScriptedConditions {
  /// Observes units, batteries, places and signals, and nothing else.
  static var some: ScriptedConditions {
    ScriptedConditions { subject in
      switch subject {
      case .unit, .battery, .place, .signal: true
      default: false
      }
    }
  }
}

extension Timetable {
  /// Takes in a request that waits for a condition; `keys` are those beside `on`.
  @discardableResult
  func add(_ id: String, on line: String, _ keys: [String: PlainValue] = [:]) throws -> NewRequest {
    var words: [String: PlainValue] = ["app": .text("test"), "id": .text(id), "title": .text(id), "on": .text(line)]
    words.merge(keys) { $1 }
    let new = try scheduler.plan(try PlainValue.dictionary(words).decode(as: NotificationRequest.self))
    try store.put([new], now: time.wall)
    scheduler.rearm()
    time.runDue()
    return new
  }

  var titles: [String] { due.map(\.request.content.title) }

  /// Runs what is due, and returns how many requests came since the last call of it.
  func newTitles(since count: Int) -> [String] {
    time.runDue()
    return Array(titles.dropFirst(count))
  }
}

/// Tests that a request which waits for a condition comes when that becomes true, and that its source runs only until
/// then.
@Suite struct ConditionTests {
  private let source = ScriptedConditions.some
  private let table: Timetable
  private let front = "unit front.service active"
  private let back = "unit back.service active"

  init() throws { table = try Timetable("2026-11-21T12:00:00Z", conditions: [source]) }

  @Test func `A request comes once, when its condition becomes true and not before`() throws {
    try source.set(front, false)
    #expect(try table.add("a", on: front).start == .armed)
    #expect(try table.store.pending().map(\.wait) == [.condition])
    table.time.pass(days: 2)
    #expect(table.titles == [] && table.time.alarm == nil)
    try source.set(front, true)
    table.time.runDue()
    #expect(table.titles == ["a"])
    #expect(table.due.map(\.date) == [table.time.wall])
    #expect(try table.states("a") == ["intent"])
    try source.set(front, false)
    try source.set(front, true)
    table.time.runDue()
    #expect(table.titles == ["a"])
    #expect(try table.store.pendingCount() == 0)
  }

  @Test func `A subject is watched once for all of its requests, until none waits for it`() throws {
    try source.set(front, false)
    for id in ["a", "b"] { try table.add(id, on: front) }
    try table.add("c", on: "leave " + front)
    try table.add("d", on: back)
    #expect(source.takeCalls() == ["watch \(front)", "watch \(back)"])
    try table.store.remove(app: "test", ids: ["a"])
    try table.add("d", on: front)
    #expect(source.takeCalls() == ["unwatch \(back)"])
    try source.set(front, true)
    table.time.runDue()
    #expect(table.titles == ["b", "d"])
    #expect(source.takeCalls() == [])
    try source.set(front, false)
    table.time.runDue()
    #expect(table.titles == ["b", "d", "c"])
    #expect(source.takeCalls() == ["unwatch \(front)"])
  }

  @Test func `A condition without a source is refused`() throws {
    #expect(throws: (any Error).self) { try table.add("a", on: "wifi Home") }
  }

  /// The last ones are kept decoded, with the number of times they came.
  @Test func `Of more requests than are kept decoded, each comes with its own newest text, as often as it may`() throws
  {
    let all = (0..<2 * PreparedRequests.most).map { "r\($0)" }
    for id in all {
      try source.set("unit \(id).service active", false)
      try table.add(
        id, on: "unit \(id).service active", ["repeat": .flag(true), "count": .integer(2)])
    }
    // One of those that are kept, and one of the others.
    for id in [all.first, all.last].compactMap(\.self) {
      try table.add(id, on: "unit \(id).service active", ["title": .text("new \(id)")])
    }
    try table.store.remove(app: "test", ids: [all[1], all[all.count - 2]])
    let left = all.filter { $0 != all[1] && $0 != all[all.count - 2] }
    let texts = left.map { $0 == all.first || $0 == all.last ? "new \($0)" : $0 }
    func meet() throws {
      for id in all {
        for holds in [true, false] { try source.set("unit \(id).service active", holds) }
        table.time.runDue()
        table.time.pass(days: 1)
      }
    }
    try meet()
    #expect(table.titles == texts)
    for _ in 0..<3 { try meet() }
    // Those that were replaced came once, the others twice.
    let twice = texts.filter { !$0.hasPrefix("new") }
    #expect(table.titles == texts + twice)
    #expect(try table.store.pendingCount() == 0)
  }

  @Test func `A cancellation that was rolled back leaves its condition armed`() throws {
    try source.set(front, false)
    try table.add("a", on: front)
    #expect(throws: StoreError.self) {
      try table.store.withTransaction { () throws(StoreError) in
        try table.store.remove(app: "test", ids: ["a"])
        throw StoreError(.full, "no space")
      }
    }
    #expect(source.takeCalls() == ["watch \(front)"])
    try source.set(front, true)
    table.time.runDue()
    #expect(table.titles == ["a"])
  }

  @Test func `After a restart conditions are armed again, and those that became true meanwhile are found`() throws {
    try source.set(front, false)
    try source.set(back, false)
    try table.add("a", on: front)
    try table.add("b", on: back)
    try table.add("skipped", on: back, ["missed": .text("skip")])
    // The center ends before it has ever seen a state.
    try table.add("never", on: "unit other.service active")
    _ = source.takeCalls()
    try table.restart {
      #expect(source.takeCalls().count == 3)
      // Longer than what still counts as on time.
      table.time.passUnnoticed(120_000)
      try? source.set(back, true)
      try? source.set("unit other.service active", true)
    }
    #expect(table.titles == ["b"])
    #expect(try table.states("skipped") == ["skipped"])
    try source.set(front, true)
    table.time.runDue()
    #expect(table.titles == ["b", "a"])
    try table.restart()
    #expect(table.titles == ["b", "a"])
    #expect(try table.store.pendingCount() == 1)
  }

  @Test func `A batch that was accepted before the center ended is armed by the next one`() throws {
    let request = try NotificationRequest(
      app: "test", id: "a", title: "a", schedule: .on(Condition(front)))
    let new = try table.scheduler.plan(request)
    try table.store.stage(BatchPart([new]), number: 1, charges: [:])
    try table.store.acceptBatch(BatchPart([]), now: table.time.wall)
    try table.restart()
    #expect(source.takeCalls() == ["watch \(front)"])
  }

  @Test func `Twelve hundred requests for one condition come in their order, in several turns`() throws {
    try source.set(front, false)
    let requests = try (0..<1200).map { number in
      try table.scheduler.plan(
        try NotificationRequest(
          app: "test", id: RequestID("\(number)"), title: "\(number)",
          schedule: .on(Condition(front))))
    }
    try table.store.put(requests, now: table.time.wall)
    table.scheduler.rearm()
    table.time.runDue()
    #expect(source.takeCalls() == ["watch \(front)"])
    let before = table.time.turns
    try source.set(front, true)
    table.time.runDue()
    #expect(table.titles == (0..<1200).map { "\($0)" })
    #expect(table.time.turns - before >= 3)
  }

  @Test func `A request whose condition is true comes although it cannot be recorded, and is recorded later`() throws {
    try source.set(front, false)
    try table.add("a", on: front)
    _ = try table.store.write(.needed) { database throws(StoreError) in
      try database.run("CREATE TEMP TRIGGER failing BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    try source.set(front, true)
    table.time.runDue()
    #expect(table.titles == ["a"])
    #expect(try table.store.pendingCount() == 1)
    _ = try table.store.write(.needed) { database throws(StoreError) in try database.run("DROP TRIGGER failing") }
    table.time.pass(days: 1)
    #expect(table.titles == ["a"])
    #expect(try table.states("a") == ["closed"])
    #expect(try table.store.pendingCount() == 0)
  }

  @Test func `A request whose condition is met is recorded before it is shown`() throws {
    try source.set(front, false)
    try table.add("a", on: front)
    var shown: [Due] = []
    var recorded: [DeliveryRecord.Number] = []
    table.scheduler.onDue = { [table] due in
      shown += due
      // What the next start finds if the center is killed now.
      guard let (_, store) = try? StoreFixture.opened(table.fixture.files()) else { return }
      recorded += ((try? store.history()) ?? []).filter { $0.state == .intent }.map(\.number)
    }
    try source.set(front, true)
    table.time.runDue()
    #expect(shown.map(\.request.content.title) == ["a"])
    #expect(recorded == shown.compactMap(\.record?.delivery))
  }

  @Test func `Changes of clocks and zones neither fire nor move what waits for a condition`() throws {
    try table.add("a", on: front)
    table.zones.move(to: "Asia/Tokyo")
    table.time.runDue()
    table.time.set("2026-12-01T12:00:00Z")
    table.time.set("2026-11-21T12:00:00Z")
    #expect(table.titles == [])
    #expect(try table.store.pending().map(\.wait) == [.condition])
  }

  @Test func `A preview of a request that waits for a condition has no dates`() throws {
    let request = try NotificationRequest(
      app: "test", title: "a", schedule: .on(Condition(front)))
    var preview = try table.scheduler.preview(of: request, count: 3)
    #expect(try preview.goOn())
    #expect(preview.dates == [])
  }
}
