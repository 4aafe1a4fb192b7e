// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import Scheduling

/// Doors that a test opens. A request waits for the door that its user data names.
private final class Doors: ConditionSource {
  var whenMet: (Condition) -> Void = { _ in }
  /// The calls, in order.
  private(set) var calls: [String] = []
  private var open: Set<String> = []

  func condition(of request: NotificationRequest) -> Condition? {
    guard case .text(let door) = request.content.userInfo["door"] else { return nil }
    return Condition("door \(door)")
  }

  func arm(_ condition: Condition) {
    calls.append("arm \(condition.text)")
    if open.contains(condition.text) { whenMet(condition) }
  }

  func disarm(_ condition: Condition) { calls.append("disarm \(condition.text)") }

  func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  func open(_ door: String) {
    open.insert("door \(door)")
    whenMet(Condition("door \(door)"))
  }
}

extension Timetable {
  /// Takes in a request that waits for a door.
  @discardableResult
  fileprivate func add(_ id: String, waitingFor door: String) throws -> NewRequest {
    let request = try NotificationRequest(app: "test", id: RequestID(id), title: id) {
      $0.userInfo = ["door": .text(door)]
    }
    let new = try scheduler.plan(request)
    try store.put([new], now: time.wall)
    scheduler.rearm()
    time.runDue()
    return new
  }

  fileprivate var titles: [String] { due.map(\.request.content.title) }
}

/// Tests that a request which waits for a condition comes when that becomes true, and that its source runs only until
/// then.
@Suite struct ConditionTests {
  private let doors = Doors()
  private let table: Timetable

  init() throws { table = try Timetable("2026-11-21T12:00:00Z", conditions: [doors]) }

  @Test func `A request comes once, when its condition becomes true and not before`() throws {
    #expect(try table.add("a", waitingFor: "front").start == .armed(on: Condition("door front")))
    #expect(try table.store.pending().map(\.wait) == [.condition])
    table.time.pass(days: 2)
    #expect(table.titles == [] && table.time.alarm == nil)
    doors.open("front")
    table.time.runDue()
    #expect(table.titles == ["a"])
    #expect(table.due.map(\.date) == [table.time.wall])
    #expect(try table.states("a") == ["intent"])
    doors.open("front")
    table.time.runDue()
    #expect(table.titles == ["a"])
    #expect(try table.store.pendingCount() == 0)
  }

  @Test func `A condition is armed once for all of its requests, until none waits for it`() throws {
    for id in ["a", "b", "c"] { try table.add(id, waitingFor: "front") }
    try table.add("d", waitingFor: "back")
    #expect(doors.takeCalls() == ["arm door front", "arm door back"])
    try table.store.remove(app: "test", ids: ["a"])
    try table.add("d", waitingFor: "front")
    #expect(doors.takeCalls() == ["disarm door back"])
    doors.open("front")
    table.time.runDue()
    #expect(table.titles == ["b", "c", "d"])
    #expect(doors.takeCalls() == ["disarm door front"])
  }

  @Test func `A cancellation that was rolled back leaves its condition armed`() throws {
    try table.add("a", waitingFor: "front")
    #expect(throws: StoreError.self) {
      try table.store.withTransaction { () throws(StoreError) in
        try table.store.remove(app: "test", ids: ["a"])
        throw StoreError(.full, "no space")
      }
    }
    #expect(doors.takeCalls() == ["arm door front"])
    doors.open("front")
    table.time.runDue()
    #expect(table.titles == ["a"])
  }

  @Test func `After a restart conditions are armed again, and those that became true meanwhile are found`() throws {
    try table.add("a", waitingFor: "front")
    try table.add("b", waitingFor: "back")
    _ = doors.takeCalls()
    try table.restart {
      #expect(doors.takeCalls().sorted() == ["disarm door back", "disarm door front"])
      doors.open("back")
    }
    #expect(table.titles == ["b"])
    #expect(doors.takeCalls() == ["arm door front", "arm door back", "disarm door back"])
    doors.open("front")
    table.time.runDue()
    #expect(table.titles == ["b", "a"])
  }

  @Test func `A batch that was accepted before the center ended is armed by the next one`() throws {
    let request = try NotificationRequest(app: "test", id: "a", title: "a") { $0.userInfo = ["door": .text("front")] }
    let new = try table.scheduler.plan(request)
    try table.store.stage(BatchPart([new]), number: 1, charges: [:])
    try table.store.acceptBatch(BatchPart([]), now: table.time.wall)
    try table.restart()
    #expect(doors.takeCalls() == ["arm door front"])
  }

  @Test func `Twelve hundred requests for one condition come in their order, in several turns`() throws {
    let requests = try (0..<1200).map { number in
      try table.scheduler.plan(
        try NotificationRequest(app: "test", id: RequestID("\(number)"), title: "\(number)") {
          $0.userInfo = ["door": .text("front")]
        })
    }
    try table.store.put(requests, now: table.time.wall)
    table.scheduler.rearm()
    table.time.runDue()
    #expect(doors.takeCalls() == ["arm door front"])
    let before = table.time.turns
    doors.open("front")
    table.time.runDue()
    #expect(table.titles == (0..<1200).map { "\($0)" })
    #expect(table.time.turns - before >= 3)
  }

  @Test func `A request whose condition is true comes although it cannot be recorded, and is recorded later`() throws {
    try table.add("a", waitingFor: "front")
    _ = try table.store.write(.needed) { database throws(StoreError) in
      try database.run("CREATE TEMP TRIGGER failing BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    doors.open("front")
    table.time.runDue()
    #expect(table.titles == ["a"])
    #expect(try table.store.pendingCount() == 1)
    _ = try table.store.write(.needed) { database throws(StoreError) in try database.run("DROP TRIGGER failing") }
    table.time.pass(days: 1)
    #expect(table.titles == ["a"])
    #expect(try table.states("a") == ["closed"])
    #expect(try table.store.pendingCount() == 0)
  }

  @Test func `Changes of clocks and zones neither fire nor move what waits for a condition`() throws {
    try table.add("a", waitingFor: "front")
    table.zones.move(to: "Asia/Tokyo")
    table.time.runDue()
    table.time.set("2026-12-01T12:00:00Z")
    table.time.set("2026-11-21T12:00:00Z")
    #expect(table.titles == [])
    #expect(try table.store.pending().map(\.wait) == [.condition])
  }

  @Test func `A preview of a request that waits for a condition has no dates`() throws {
    let request = try NotificationRequest(app: "test", title: "a") { $0.userInfo = ["door": .text("front")] }
    var preview = try table.scheduler.preview(of: request, count: 3)
    #expect(try preview.goOn())
    #expect(preview.dates == [])
  }
}
