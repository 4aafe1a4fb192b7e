// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests notifications that are shown again, with many others or as many.
@Suite(.timeLimit(.minutes(2)))
struct ManyNagsTests {
  @Test func `In a crowd it is counted in the digest, and comes again`() async throws {
    try await CenterStand.run(burst: 1) { stand in
      let server = try await stand.server()
      try await stand.notify("first")
      _ = try await server.posted.next()
      try await stand.notify("pill", ["nag": "5m"])
      #expect(try await server.posted.next().summary == "… and 1 more")
      try await stand.settle()
      #expect(try await stand.states().contains("pill unanswered"))
      #expect(try await stand.history("pill").first?["again"] != nil)
      #expect(!stand.events.waiting.contains("Closed pill folded"))
    }
  }

  @Test func `Of a sandboxed app at most a hundred are shown again`() async throws {
    try await CenterStand.run { stand in
      let open = try await stand.center.openNags(afterBeginning: Nags.mostOfABox + 1, asker: "box:test")
      #expect(open == Nags.mostOfABox)
      #expect(try await stand.center.openNags(afterBeginning: 1000, asker: nil) == 1000)
    }
  }

  @Test func `Many that come again at once are written in small commits, and all are shown`() async throws {
    let home = try TemporaryFolder()
    let count = 1000
    try Self.store(count, in: home)
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      let changes = Inbox<Int>()
      await stand.center.report(changes)
      await stand.center.endPauses()
      #expect(Set(try await server.posted.next(count, within: .seconds(60)).map(\.summary)).count == count)
      try await stand.settle()
      await stand.center.flush()
      let sizes = changes.waiting
      #expect(sizes.reduce(0, +) == 2 * count && sizes.allSatisfy { $0 <= Scheduler.nagSlice }, "\(sizes)")
      #expect(server.posted.waiting.isEmpty)
    }
  }

  /// Stores deliveries that were shown a minute ago, and come again.
  private static func store(_ count: Int, in home: TemporaryFolder) throws {
    let now = Timestamp(milliseconds: Int64(time(nil) - 60) * 1000)
    let store = try Store(folder: home.path("suzu")) { now }
    let plan = NagPlan(nag: .every(.seconds(3600)), wakes: false, step: 0)
    try store.withTransaction { () throws(StoreError) in
      for number in 0..<count {
        let id = RequestID(trusted: "\(number)")
        var content = NotificationRequest.Content(title: id.text)
        content.nag = plan.nag
        let request = NotificationRequest(trusted: content, app: "test", id: id, schedule: .now)
        let new = NewRequest(app: "test", id: id.text, payload: Payload.text(of: request), start: .now)
        guard let record = try store.putDue([new], now: now).first else { continue }
        try store.recordShown(
          record.number, server: "none", serverNumber: Int64(number + 1), keys: nil, nag: plan, now: now)
        try store.recordResting(record.number, reason: "expired", nag: plan, now: now)
      }
    }
    store.close()
  }
}

extension CenterService {
  func flush() { around.agenda.journal.flush() }

  /// Reports how many deliveries each commit changes that are shown again.
  func report(_ changes: Inbox<Int>) {
    let store = around.agenda.store
    let tell = store.whenNagging
    store.whenNagging = {
      changes.put($0.count)
      tell($0)
    }
  }

  /// How many of so many requests are shown again, with a place that has become free in between.
  func openNags(afterBeginning count: Int, asker: String?) throws -> Int {
    let nags = Nags(journal: around.agenda.journal, time: around.agenda.time)
    let request = try NotificationRequest(app: "test", id: "a", title: "a") { $0.nag = .every(.seconds(60)) }
    func begin(_ number: Int) {
      nags.begin(
        Due(
          request, record: Due.Record(delivery: .init(Int64(number)), revision: .init(Int64(number))),
          date: Timestamp(milliseconds: 0), asker: asker))
    }
    for number in 1...count { begin(number) }
    guard nags.stop(.init(1)) == nil, !nags.isOpen(.init(1)) else { return -1 }
    begin(count + 1)
    guard nags.isOpen(.init(Int64(count + 1))) else { return -1 }
    let open = nags.stop(of: RequestKey(app: "test", id: "a")).count
    return nags.isEmpty ? open : -1
  }
}
