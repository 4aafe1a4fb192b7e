// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests `missed`: dates that come while nothing can be shown, one by one or as one.
@Suite(.timeLimit(.minutes(2)))
struct EachDateTests {
  private static let thrice: [String: Value] = ["every": "1s", "count": .int64(3), "missed": "each"]

  // Dates that were less than a minute late were once shown as one.
  @Test func `Dates that come while there is no server are shown one by one`() async throws {
    try await CenterStand.run { stand in
      try await stand.notify("a", Self.thrice)
      try await stand.notify("end", ["in": "3500ms"])
      while await stand.center.duePerID()["end"] == nil {
        try await stand.center.pass(milliseconds: 1000)
        try await stand.settle()
      }
      #expect(await stand.center.duePerID() == ["a": 3, "end": 1])
      let server = try await stand.server()
      #expect(try await server.posted.next(4).map(\.summary) == ["a", "a", "a", "end"])
      #expect(try await stand.history("a").map { $0["state"]?.string } == ["delivered", "delivered", "delivered"])
      #expect(try await stand.count("Dismiss", ["a"]) == 3)
    }
  }

  // `missed` was a text in a request, and the number of these dates in a row of a listing.
  @Test func `Dates that are shown as one are counted, and leave the request's own texts alone`() async throws {
    try await CenterStand.run { stand in
      try await stand.notify("a", Self.thrice.merging(["missed": "deliver", "count": .int64(4)]) { $1 })
      try await stand.center.pass(milliseconds: 3000)
      let server = try await stand.server()
      #expect(try await server.posted.next().summary == "a")
      let row = try #require(
        try await stand.call("Delivered", ["", .properties([:])]).first?.elements?.first?.properties)
      #expect(row["missedDates"]?.integer == 2)
      #expect(row["missed"] == nil || row["missed"]?.string != nil)
    }
  }

  // A center that ended in between forgot the dates that the newest one stands for.
  @Test func `A date that stands for an earlier one says so after a restart, too`() async throws {
    let folder = try TemporaryFolder()
    try await CenterStand.run(home: folder) { stand in
      try await stand.notify("a", ["every": "1h", "count": .int64(4)])
      for missed in 0...2 {
        try await stand.center.pass(milliseconds: 3_600_000)
        repeat { try await stand.settle() } while await stand.center.missed("a") != missed
      }
    }
    try await CenterStand.run(home: folder) { stand in
      let server = try await stand.server()
      #expect(try await server.posted.next().summary == "a")
      let row = try #require(
        try await stand.call("Delivered", ["", .properties([:])]).first?.elements?.first?.properties)
      #expect(row["missedDates"]?.integer == 2)
    }
  }

  @Test func `A newer request of the same name replaces all of the dates`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", Self.thrice)
      for _ in 0..<3 { _ = try await stand.events.next { $0 == "Delivered a" } }
      try await stand.notify("a", ["title": "new"])
      #expect(Set(try await server.closed.next(3)) == [1, 2, 3])
      _ = try await stand.events.next { $0 == "Delivered a" }
      let shown = try await stand.call("Delivered", ["", .properties([:])]).first?.elements
      #expect(shown?.map { $0.properties?["title"]?.string } == ["new"])
      #expect(try await stand.history("a").map { $0["reason"]?.string } == [nil, "replaced", "replaced", "replaced"])
    }
  }
}

extension CenterService {
  fileprivate func pass(milliseconds: Int64) throws {
    let agenda = around.agenda
    agenda.journal.flush()
    try agenda.store.withNeededTransaction { () throws(StoreError) in
      _ = try agenda.store.moveElapsed(by: -milliseconds, through: agenda.store.lastRevision)
    }
    agenda.scheduler.rearm()
  }

  /// How many earlier dates the one of this id stands for that is queued or on the screen; nil if there is none.
  fileprivate func missed(_ id: String) -> Int? {
    screenSide.screen.state.entries.first { $0.key.id == id }?.value.due.missed
  }

  /// How many are queued or on the screen.
  fileprivate func duePerID() -> [String: Int] {
    screenSide.screen.state.entries.keys.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
  }
}
