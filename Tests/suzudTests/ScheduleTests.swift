// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import NotificationModel
import TestSupport
import Testing
import Zoneinfo

@testable import suzud

/// Tests the center with real clocks, from a date to the screen.
@Suite(.timeLimit(.minutes(2))) struct ScheduleTests {
  @Test func `A floating date follows the machine to another zone within two seconds`() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("etc"), withIntermediateDirectories: false)
    @Sendable func move(to zone: String) throws {
      let new = folder.path("etc/localtime.new")
      try FileManager.default.createSymbolicLink(
        atPath: new, withDestinationPath: try FixedZones.folder + "/" + zone)
      #expect(rename(new, folder.path("etc/localtime")) == 0)
    }
    try move(to: "Pacific/Auckland")
    let system = SystemZone(
      database: ZoneDatabase(folder: try FixedZones.folder), variable: nil, etc: folder.path("etc"))
    try await CenterStand.run(system: system) { stand in
      let server = try await stand.server()
      // One o'clock in the night after tomorrow in Auckland; far in the future in Honolulu, which is a day behind.
      let honolulu = try ZoneDatabase(folder: try FixedZones.folder).zone(named: "Pacific/Honolulu").rules
      let soon = Instant(Int64(Date().timeIntervalSince1970)).adding(seconds: 36 * 3600)
      let wall = try #require(honolulu.civil(at: soon))
      try await stand.notify("floating", ["at": .string("\(wall.date) \(wall.time)")])
      try await stand.notify("fixed", ["at": .string(soon.description)])
      let before = try await stand.pending()
      try move(to: "Pacific/Honolulu")
      let start = ContinuousClock.now
      var after = before
      while after == before {
        try #require(ContinuousClock.now - start < .seconds(20))
        after = try await stand.pending()
      }
      print("center: a change of zone moved the dates after \(ContinuousClock.now - start)")
      #expect(ContinuousClock.now - start < .seconds(2))
      #expect(after["floating"]?.hasSuffix("-10:00") == true)
      #expect(before["floating"]?.contains("+1") == true)
      #expect(after["floating"]?.prefix(19) == before["floating"]?.prefix(19))
      #expect(after["fixed"].flatMap(Instant.init(rfc3339:)) == before["fixed"].flatMap(Instant.init(rfc3339:)))
      await server.die()
    }
  }

  @Test func `One notification stands for the rest of a burst, and the history keeps each request`() async throws {
    try await CenterStand.run(burst: 20) { stand in
      let server = try await stand.server()
      let words = (0..<500).map { number in
        Value.properties(["app": "test", "id": .string("\(number)"), "title": .string("\(number)"), "in": "10ms"])
      }
      try await stand.call("NotifyMany", [.array(of: .properties, words)])
      var posted: [String] = []
      while posted.last != "… and 480 more" {
        posted.append(try await server.posted.next(within: .seconds(20), "post").summary)
      }
      #expect(posted.filter { !$0.hasPrefix("… and") } == (0..<20).map { "\($0)" })
      let history = try await stand.listing("History")
      #expect(history.count == 500)
      #expect(history.count { $0["state"] == "folded" } == 480)
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  @Test func `The lists show pending, delivered and past requests`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("weekly", ["every": "Mon,Tue,Thu 07:30"])
      try await stand.notify("now", ["actions": actions(action("yes"))])
      let number = try await server.posted.next(within: .seconds(10), "post").number
      #expect(try await stand.next(1) == ["Delivered now"])
      let pending = try await stand.listing("Pending")
      #expect(pending.map { $0["id"] } == ["weekly"])
      #expect(pending.first?["state"] == "pending")
      #expect(pending.first?["every"] == "Mon,Tue,Thu 07:30")
      #expect(pending.first?["next"]?.string?.contains("T07:30:00") == true)
      #expect(try await stand.listing("Delivered").map { $0["id"] } == ["now"])
      try await server.press(number, "yes")
      #expect(try await stand.next(3) == ["Responded now yes", "Closed now withdrawn", "Outcome done"])
      try await stand.settle()
      #expect(try await stand.listing("Delivered").isEmpty)
      let past = try await stand.listing("History")
      #expect(past.map { $0["id"] } == ["now"])
      #expect(past.first?["state"] == "closed")
      #expect(past.first?["action"] == "yes")
      #expect(past.first?["outcome"] == "done")
      // Reads page by page.
      for id in 0..<5 { try await stand.notify("\(id)", ["in": .string("\(id + 1)h")]) }
      let ids = try await stand.all("Pending", ["limit": .uint32(2)]).map { $0["id"]?.string ?? "" }
      #expect(ids.filter { $0 != "weekly" } == ["0", "1", "2", "3", "4"])
    }
  }

  @Test func `A dismissed request leaves the history, and a late click on it does not count`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in ["expired", "kept", "shown"] { try await stand.notify(id, ["actions": actions(action("yes"))]) }
      let numbers = try await server.posted.next(3).map(\.number)
      _ = try await stand.next(3)
      for number in numbers.prefix(2) { try await server.tellClosed(number, reason: 1) }
      #expect(try await stand.next(2) == ["Closed expired expired", "Closed kept expired"])
      // This server keeps no history, so only one was there.
      #expect(try await stand.count("Dismiss", ["expired", "shown"]) == 1)
      #expect(try await stand.next(1) == ["Closed shown withdrawn"])
      #expect(try await stand.count("Dismiss", ["expired", "shown"]) == 0)
      try await server.press(numbers[0], "yes")
      try await server.press(numbers[2], "yes")
      try await server.press(numbers[1], "yes")
      #expect(try await stand.next(2) == ["Responded kept yes", "Outcome done"])
    }
  }

  @Test func `Many requests in one call are all accepted or all refused`() async throws {
    try await CenterStand.run { stand in
      let good: [String: Value] = ["app": "test", "id": "a", "title": "a", "in": "1h"]
      let wrong: [String: Value] = ["app": "test", "id": "b", "title": "b", "at": "2020-01-01 07:30"]
      do {
        try await stand.call("NotifyMany", [.array(of: .properties, [.properties(good), .properties(wrong)])])
        Issue.record("it was taken")
      } catch CallError.refused(let error) {
        #expect(error.name == "dev.suzu.Error.InThePast")
        #expect(error.message.hasPrefix("[1]: 'at'"))
      }
      #expect(try await stand.property("PendingCount") == .uint32(0))
      let ids = try await stand.call("NotifyMany", [.array(of: .properties, [.properties(good), .properties(good)])])
      #expect(ids == [.strings(["a", "a"])])
      #expect(try await stand.property("PendingCount") == .uint32(1))
    }
  }

  @Test func `The next dates are returned, and nothing is stored`() async throws {
    try await CenterStand.run { stand in
      let reply = try await stand.call("Next", [.properties(["every": "15m", "count": .int32(3)]), .uint32(10)])
      guard case .array(_, let dates)? = reply.first else { throw TestFailure("\(reply)") }
      #expect(dates.count == 3)
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }
}

extension CenterStand {
  /// When each pending request is due.
  fileprivate func pending() async throws -> [String: String] {
    try await listing("Pending").reduce(into: [:]) { $0[$1["id"]?.string ?? ""] = $1["next"]?.string }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
    var results: [T] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
