// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import SuzuTesting
import TestSupport
import Testing

@testable import Scheduling

extension Timetable {
  /// Takes in a request that is shown again until it is answered.
  @discardableResult
  func add(
    _ id: String, nag: Nag, _ schedule: Schedule, missed: Schedule.Missed = .deliver, wake: Bool = false
  ) throws -> NewRequest {
    let request = try NotificationRequest(
      app: "test", id: RequestID(id), title: id, schedule: schedule.whenMissed(missed).waking(wake)
    ) { $0.nag = nag }
    let planned = try scheduler.plan(request)
    try store.put([planned], now: time.wall)
    scheduler.rearm()
    time.runDue()
    return planned
  }

  /// A server that shows everything as it comes. Time passes; returns the seconds after the beginning at which
  /// something was shown, each with its step.
  func show(for milliseconds: Int64) throws -> [String] {
    let begin = time.wall
    var lines: [String] = []
    var left = milliseconds
    time.runDue()
    try showAll(since: begin, &lines)
    while left > 0 {
      let step = min(left, time.nearest ?? left)
      time.passUnnoticed(step)
      left -= step
      time.runDue()
      try showAll(since: begin, &lines)
    }
    return lines
  }

  private func showAll(since begin: Timestamp, _ lines: inout [String]) throws {
    for one in takeDue() {
      let number = try #require(one.record?.delivery)
      try store.recordShown(number, server: "s", serverNumber: number.value, keys: nil, nag: one.nag, now: time.wall)
      time.runDue()
      let seconds = Double(time.wall - begin) / 1000
      lines.append(
        "\(one.request.id?.text ?? "") \(Int(seconds.rounded()))" + (one.step > 0 ? "/\(one.step)" : ""))
    }
  }

  /// What the store has of the delivery of a request, the latest one.
  func record(_ id: String) throws -> DeliveryRecord {
    try #require(try store.history().first { $0.id == id })
  }

  func answer(_ id: String) throws {
    let record = try record(id)
    let stored = try #require(try store.request(revision: record.revision))
    let request = try #require(Payload.request(stored))
    let due = Due(request, as: record, asker: nil)
    _ = try store.commitResponse(to: due, action: "ok", reply: nil, now: time.wall)
    time.runDue()
  }
}

private let minute: Int64 = 60_000
private let hour: Int64 = 3_600_000

/// Tests that a notification is shown again until it is answered, whatever happens to the clock, the center and the
/// disk.
@Suite struct NagTests {
  private let table: Timetable
  private let fiveMinutes = Nag.every(.seconds(300))

  init() throws { table = try Timetable("2026-11-21T12:00:00Z") }

  @Test func `It is shown again after each pause, as one delivery with all of its showings`() throws {
    try table.add("pill", nag: fiveMinutes, .in(.seconds(60)))
    #expect(try table.show(for: 17 * minute) == ["pill 60", "pill 360", "pill 660", "pill 960"])
    #expect(try table.store.history().count == 1)
    let record = try table.record("pill")
    #expect(record.state == .shown && record.posted == table.time.wall - 16 * minute)
    #expect(record.showings?.count == 4)
    #expect(record.showings?.kept.map { ($0.at - record.occurrence.due) / minute } == [0, 5, 10, 15])
    #expect(record.again == table.time.wall + 4 * minute)
    try table.answer("pill")
    #expect(try table.show(for: 24 * hour) == [])
    #expect(try table.record("pill").again == nil)
    #expect(table.time.nearest == nil)
  }

  @Test func `It is shown at most so many times`() throws {
    try table.add("pill", nag: .every(.seconds(300), atMost: 3), .in(.seconds(60)))
    #expect(try table.show(for: 10 * hour) == ["pill 60", "pill 360", "pill 660"])
    #expect(try table.record("pill").again == nil)
  }

  @Test func `Steps change it, and are showings of their own`() throws {
    let steps = [Nag.Step(after: .seconds(600), level: .critical), Nag.Step(after: .seconds(720), sound: "alarm")]
    try table.add("page", nag: .every(.seconds(300), escalating: steps, atMost: 6), .in(.seconds(60)))
    #expect(
      try table.show(for: 10 * hour)
        == ["page 60", "page 360", "page 660/1", "page 780/2", "page 1080/2", "page 1380/2"])
    #expect(try table.record("page").showings?.kept.map(\.step) == [0, 0, 1, 2, 2, 2])
    try table.add("call", nag: .escalating(steps), .in(.seconds(60)))
    #expect(try table.show(for: 10 * hour) == ["call 60", "call 660/1", "call 780/2"])
  }

  @Test func `What comes next survives the end of the center`() throws {
    try table.add("pill", nag: fiveMinutes, .in(.seconds(60)))
    #expect(try table.show(for: 2 * minute) == ["pill 60"])
    try table.restart { table.time.passUnnoticed(minute) }
    #expect(try table.show(for: 10 * minute) == ["pill 180", "pill 480"])
    // It was due while no center ran: it comes at once, and only once.
    try table.restart { table.time.passUnnoticed(3 * hour) }
    #expect(try table.show(for: 6 * minute) == ["pill 0", "pill 300"])
    #expect(try table.record("pill").showings?.count == 5)
    try table.answer("pill")
    try table.restart()
    #expect(try table.show(for: hour) == [])
  }

  @Test func `After a long sleep it comes once, with the step that its age has reached`() throws {
    let steps = [Nag.Step(after: .seconds(600), level: .critical), Nag.Step(after: .seconds(3600), sound: "alarm")]
    try table.add("page", nag: .every(.seconds(300), escalating: steps), .in(.seconds(60)))
    #expect(try table.show(for: 2 * minute) == ["page 60"])
    table.time.passUnnoticed(8 * hour)
    table.time.wakeUp()
    #expect(try table.show(for: 6 * minute) == ["page 0/2", "page 300/2"])
  }

  @Test(arguments: ["2026-11-21T02:00:00Z", "2026-11-23T12:00:00Z"])
  func `A clock that is set does not matter`(to: String) throws {
    try table.add("pill", nag: fiveMinutes, .in(.seconds(60)))
    #expect(try table.show(for: 2 * minute) == ["pill 60"])
    table.time.set(to)
    #expect(try table.show(for: 10 * minute) == ["pill 240", "pill 540"])
  }

  @Test func `A clock that was set back while no center ran puts it off by its pause at most`() throws {
    try table.add("pill", nag: fiveMinutes, .in(.seconds(60)))
    #expect(try table.show(for: 2 * minute) == ["pill 60"])
    try table.restart { table.time.wall = VirtualTime.date("2026-11-21T11:00:00Z") }
    #expect(try table.show(for: 6 * minute) == ["pill 300"])
  }

  @Test func `Off the screen it has not ended, and the next showing is as it was planned`() throws {
    try table.add("pill", nag: fiveMinutes, .in(.seconds(60)))
    #expect(try table.show(for: 2 * minute) == ["pill 60"])
    let plan = NagPlan(nag: fiveMinutes, wakes: false, step: 0)
    try table.store.recordResting(try table.record("pill").number, reason: "expired", nag: plan, now: table.time.wall)
    #expect(try table.record("pill").isResting && table.record("pill").state.listed == .delivered)
    #expect(try table.store.nagging().map(\.isResting) == [true])
    try table.restart()
    #expect(try table.show(for: 4 * minute) == ["pill 240"])
    #expect(try !table.record("pill").isResting && table.record("pill").closed == nil)
    try table.store.recordResting(try table.record("pill").number, reason: "expired", nag: plan, now: table.time.wall)
    try table.answer("pill")
    let record = try table.record("pill")
    #expect(record.state == .closed && record.reason == "withdrawn" && record.again == nil)
  }

  @Test func `Cancelling and replacing its request stop it`() throws {
    for id in ["a", "b", "c"] { try table.add(id, nag: fiveMinutes, .in(.seconds(60))) }
    #expect(try table.show(for: 2 * minute).count == 3)
    #expect(try table.store.cancel(app: "test", ids: ["a"][...]).cancelled == [])
    try table.add("b", nag: fiveMinutes, .in(.seconds(3600)))
    #expect(try table.show(for: 6 * minute) == ["c 240"])
    #expect(try table.store.nagging().map(\.id) == ["c"])
    try table.restart()
    #expect(try table.show(for: 6 * minute) == ["c 180"])
  }

  @Test func `A new date takes the place of the one before, unless each is shown by itself`() throws {
    try table.add("one", nag: fiveMinutes, .every("*:00", count: 2))
    try table.add("each", nag: .every(.seconds(1800), atMost: 3), .every("*:00", count: 2), missed: .each)
    let lines = try table.show(for: 125 * minute)
    #expect(lines.filter { $0.hasPrefix("one") }.count == 12 + 2)
    #expect(
      lines.filter { $0.hasPrefix("each") } == ["each 3600", "each 5400", "each 7200", "each 7200"]
        || lines.filter { $0.hasPrefix("each") }.count == 4)
    let open = try table.store.nagging()
    #expect(open.map(\.id).sorted() == ["each", "one"] && Set(open.map(\.number)).count == 2)
  }

  @Test func `It wakes the machine as its request does, until it is answered`() throws {
    try table.add("alarm", nag: fiveMinutes, .in(.seconds(60)), wake: true)
    #expect(try table.show(for: 2 * minute) == ["alarm 60"])
    #expect(table.time.waking == table.time.wall + 4 * minute)
    try table.restart()
    #expect(table.time.waking == table.time.wall + 4 * minute)
    try table.answer("alarm")
    table.scheduler.rearm()
    table.time.runDue()
    #expect(table.time.waking == nil)
  }

  @Test func `The history keeps the first showing and the last hundred`() throws {
    try table.add("pill", nag: .every(.seconds(10)), .in(.seconds(60)))
    #expect(try table.show(for: 60 * minute).count == 355)
    let showings = try #require(try table.record("pill").showings)
    #expect(showings.count == 355 && showings.kept.count == 100)
    #expect(showings.kept[0].at == table.time.wall - 59 * minute)
    #expect(showings.kept.last.map { $0.at > table.time.wall - 11_000 } == true)
    #expect(Showings(showings.text) == showings)
    let account = try table.store.account(of: "test")
    #expect(try Account.counted(in: table.store.opened())[Identifier("test")] == account)
  }

  @Test func `Ten thousand that come again at once take many short turns`() throws {
    let request = try NotificationRequest(app: "test", id: "0", title: "a") { $0.nag = fiveMinutes }
    try table.store.withTransaction { () throws(StoreError) in
      for number in 0..<10_000 {
        var one = request
        one.id = RequestID(trusted: "\(number)")
        let new = NewRequest(app: "test", id: "\(number)", payload: one.json, start: .now)
        let record = try table.store.putDue([new], now: table.time.wall)[0]
        try table.store.recordShown(
          record.number, server: "s", serverNumber: record.number.value, keys: nil,
          nag: NagPlan(nag: fiveMinutes, wakes: false, step: 0), now: table.time.wall)
      }
    }
    table.time.passUnnoticed(5 * minute)
    var (longest, turns) = (Duration.zero, 0)
    var isAny = true
    while isAny {
      let before = table.due.count
      longest = max(longest, ContinuousClock().measure { isAny = table.time.runOne() })
      #expect(table.due.count - before <= Scheduler.nagSlice)
      turns += 1
    }
    print("nags: 10,000 are shown again in \(turns) turns, the longest of \(longest)")
    #expect(table.due.map(\.request.id?.text) == (0..<10_000).map { "\($0)" })
    #expect(table.time.nearest == nil)
  }

  @Test func `The queue gives deadlines in order, whatever is added and removed`() {
    var queue = NagQueue()
    var random = SeededNumbers(seed: 7)
    var expected: [DeliveryRecord.Number: Int64] = [:]
    func isWaking(_ deadline: Int64) -> Bool { deadline.isMultiple(of: 2) }
    for _ in 0..<5000 {
      let number = DeliveryRecord.Number(Int64.random(in: 0..<300, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        #expect(queue.remove(number) == (expected.removeValue(forKey: number) != nil))
      } else {
        let deadline = Int64.random(in: 0..<1000, using: &random)
        queue.set(number, at: deadline, wakes: isWaking(deadline))
        expected[number] = deadline
      }
      #expect(queue.next() == expected.values.min())
      #expect(queue.nextWake() == expected.values.filter(isWaking).min())
    }
    var last: Int64 = 0
    while let number = queue.popFirst(through: 1000)?.number {
      let deadline = expected.removeValue(forKey: number)
      #expect(deadline.map { $0 >= last } == true)
      last = deadline ?? last
    }
    #expect(expected.isEmpty && queue.isEmpty)
  }
}
