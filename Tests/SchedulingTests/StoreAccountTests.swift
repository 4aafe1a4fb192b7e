// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Scheduling
import SuzuTesting
import TestSupport
import Testing
import Triggers

/// Tests the accounts and quotas of apps, and the limits of their history.
@Suite struct StoreAccountTests {
  let fixture: StoreFixture
  let now = StoreFixture.now
  let box = "org.example.Boxed"

  init() throws { fixture = try StoreFixture() }

  private func open(_ change: (inout Quotas) -> Void = { _ in }) throws -> Store {
    var options = Store.Options()
    change(&options.quotas)
    return try fixture.open(options)
  }

  private func request(_ id: String, app: String? = nil, bytes: Int = 100) -> NewRequest {
    var request = StoreFixture.request(id, app: app ?? box, body: String(repeating: "x", count: bytes))
    request.asker = app == nil ? "box:org.example.Box" : nil
    return request
  }

  /// Shows a request now, and removes it from the screen.
  private func show(_ request: NewRequest, in store: Store, closed: Bool = true) throws -> DeliveryRecord {
    let record = try store.putDue([request], withinQuota: true, now: now)[0]
    if closed { try store.recordClosed(record.number, reason: "expired", now: now) }
    return record
  }

  /// The same; nil if the app has too many notifications on the screen for its quota.
  private func showIfAllowed(_ request: NewRequest, in store: Store, closed: Bool = true) throws -> DeliveryRecord? {
    do {
      return try show(request, in: store, closed: closed)
    } catch let error as StoreError where error.code == .quota {
      return nil
    }
  }

  @Test func `Accounts agree with the rows after any steps`() throws {
    let seed = Int.random(in: 0..<1_000_000)
    var random = SeededNumbers(seed: UInt64(seed))
    let store = try open {
      $0.boxedHistoryRows = 20
      $0.leastHistoryRows = 10
      $0.historyRows = 60
    }
    for step in 0..<400 {
      let app = [nil, "a", "b"].randomElement(using: &random) ?? nil
      let id = "\(Int.random(in: 0..<20, using: &random))"
      let request = request(id, app: app, bytes: Int.random(in: 0..<5000, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1: try store.put([request], now: now)
      case 2: _ = try showIfAllowed(request, in: store)
      case 3:
        guard let record = try showIfAllowed(request, in: store, closed: false) else { break }
        try store.recordShown(record.number, server: ":1.2", serverNumber: 1, keys: "{\"keys\":{}}", now: now)
        let response = try store.commitResponse(to: record, action: "a", reply: id + "é", now: now)
        if step % 2 == 0 { try store.finish(response.number, outcome: "done", now: now) }
        if step % 3 == 0 { try store.recordClosed(record.number, reason: "dismissed", now: now) }
      case 4: _ = try store.cancel(app: request.app, ids: [id])
      case 5:
        guard let stored = try store.request(app: request.app, id: id), stored.state == .pending else { break }
        let next = PlannedDate(due: now + Int64(step))
        if let record = try store.recordIntent(next, of: stored, now: now) {
          try store.recordClosed(record.number, reason: "expired", now: now)
        }
        try store.setNext(step % 2 == 0 ? nil : .date(next), fired: stored.fired + 1, of: stored.revision)
      default: _ = try store.purge(now: now, limit: 3, length: 40)
      }
      if step % 20 == 0 { try store.check() }
    }
    try store.check()
    let total = store.total
    store.close()
    let again = try open()
    #expect(again.total == total, "seed \(seed)")
    try again.check()
  }

  @Test func `A store of the first schema gets its accounts when it is opened`() throws {
    try FileManager.default.createDirectory(
      atPath: fixture.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let old = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/store/schema-1.db")
    try Data(contentsOf: old).write(to: URL(filePath: fixture.file("suzu.db")))
    let store = try open()
    #expect(try store.recoveries() == [])
    try store.check()
    #expect(try store.pendingCount() == 70 && store.account(of: "a").historyRows == 4)
    #expect(store.total.pendingBytes > 70 * 256)
    store.close()
    // Rows of the old schema, which have fewer columns, are found in a damaged file as well.
    var files = try fixture.files()
    for index in 0..<4096 { files["suzu.db"]?[index] = 0xEE }
    try fixture.restore(files)
    let rescued = try open()
    #expect(try rescued.recoveries().map(\.lost) == [0])
    #expect(try rescued.pendingCount() == 70)
    try rescued.check()
  }

  @Test func `A sandboxed app has a quota of pending bytes, and other apps do not share it`() throws {
    let store = try open { $0.boxedPendingBytes = 100_000 }
    for number in 0..<9 { try store.put([request("\(number)", bytes: 10_000)], withinQuota: true, now: now) }
    func refusal(_ request: NewRequest) -> StoreError? {
      do {
        try store.put([request], withinQuota: true, now: now)
        return nil
      } catch {
        return error
      }
    }
    let error = try #require(refusal(request("more", bytes: 10_000)))
    #expect(error.code == .quota && error.message.contains("'\(box)'") && error.message.contains("cancel some"))
    // The same id replaces, and cancelling makes space.
    #expect(refusal(request("0", bytes: 10_000)) == nil)
    _ = try store.cancel(app: box, ids: ["1"])
    #expect(refusal(request("more", bytes: 10_000)) == nil)
    #expect(refusal(request("other", app: "org.example.Free", bytes: 200_000)) == nil)
    #expect(try store.account(of: box).pending == 9)
    try store.check()
  }

  @Test func `No app takes all of the space`() throws {
    let store = try open { $0.pendingBytes = 1_000_000 }
    var kept: [Int] = []
    for app in ["a", "b", "c"] {
      var count = 0
      while (try? store.put([request("\(count)", app: app, bytes: 1000)], withinQuota: true, now: now)) != nil {
        count += 1
      }
      kept.append(count)
    }
    // Half of what the ones before have left.
    #expect(kept[0] > 300 && kept[1] > kept[0] / 2 - 5 && kept[2] > kept[1] / 2 - 5, "\(kept)")
    try store.put([request("honest", app: "d", bytes: 10_000)], withinQuota: true, now: now)
  }

  @Test func `The history of an app is limited, and shown or unanswered requests stay`() throws {
    let store = try open {
      $0.boxedHistoryRows = 50
      $0.boxedHistoryBytes = 200_000
    }
    let shown = try show(request("shown"), in: store, closed: false)
    try store.recordShown(shown.number, server: ":1.2", serverNumber: 1, keys: nil, now: now)
    let answered = try show(request("answered"), in: store)
    let response = try store.commitResponse(to: answered, action: "a", reply: nil, now: now)
    let other = try show(request("other", app: "org.example.Other"), in: store)
    for number in 0..<200 { _ = try show(request("\(number)"), in: store) }
    #expect(try store.account(of: box).historyRows == 50)
    #expect(try store.delivery(shown.number) != nil && store.delivery(answered.number) != nil)
    #expect(try store.delivery(other.number) != nil)
    #expect(try store.history(app: box).first?.id == "199")
    // Few and long ones are bounded by their bytes; one id again and again as well.
    for number in 0..<20 { _ = try show(request("same", bytes: 50_000 + number), in: store) }
    #expect(try store.account(of: box).historyBytes <= 200_000)
    try store.finish(response.number, outcome: "done", now: now)
    for number in 0..<50 { _ = try show(request("\(number)"), in: store) }
    #expect(try store.delivery(answered.number) == nil && store.delivery(shown.number) != nil)
    try store.check()
  }

  @Test func `Requests of an app that fills the screen are refused`() throws {
    let store = try open { $0.boxedHistoryRows = 40 }
    var count = 0
    while count < 1000, (try? show(request("\(count)"), in: store, closed: false)) != nil { count += 1 }
    #expect(40...60 ~= count)
    #expect {
      _ = try show(request("more"), in: store)
    } throws: {
      ($0 as? StoreError)?.code == .quota
    }
    // Another app is not held up.
    _ = try show(request("free", app: "org.example.Free"), in: store)
  }

  @Test func `Replies have a quota`() throws {
    let store = try open { $0.boxedReplyBytes = 100_000 }
    for number in 0..<30 {
      let record = try show(request("\(number)"), in: store)
      let reply = String(repeating: "r", count: 10_000)
      let response = try store.commitResponse(to: record, action: "a", reply: reply, now: now)
      try store.finish(response.number, outcome: "done", now: now)
    }
    #expect(try store.account(of: box).replyBytes <= 110_000)
    #expect(try store.responses(to: store.history(app: box)[0].number).first?.reply?.count == 10_000)
    try store.check()
  }

  @Test func `A request every second for hours takes limited disk space`() throws {
    var options = Store.Options()
    options.quotas.historyRows = 1000
    options.quotas.leastHistoryRows = 100
    let time = VirtualTime("2026-11-21T12:00:00Z")
    let store = try fixture.open(options)
    let scheduler = Scheduler(store: store, time: time, zones: try VirtualZones("Europe/London"))
    nonisolated(unsafe) var fired = 0
    scheduler.onDue = { due in
      fired += due.count
      for one in due { try? store.recordClosed(one.record?.delivery ?? 0, reason: "expired", now: time.wall) }
    }
    try scheduler.start()
    for number in 0..<5 {
      let request = try NotificationRequest(
        app: "test", id: RequestID("\(number)"), title: "t", schedule: .every("1s")
      ) { $0.body = String(repeating: "b", count: 200) }
      try store.put([scheduler.plan(request)], now: time.wall)
    }
    scheduler.rearm()
    var sizes: [Int] = []
    for _ in 0..<8 {
      time.pass(50_000)
      sizes.append(try fixture.bytes("suzu.db").count)
    }
    #expect(fired >= 1900)
    #expect(try store.account(of: "test").historyRows <= 500)
    // Everything after the first two minutes fits into the existing space.
    #expect(sizes[7] <= sizes[3] + sizes[3] / 10, "\(sizes)")
    try store.check()
    scheduler.end()
  }
}
