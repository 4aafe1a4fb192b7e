// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests that only one center has a name and a store.
@Suite(.timeLimit(.minutes(10)))
struct TwoCentersTests {
  @Test func `One of twenty concurrent centers stays, and each other one says why it ends`() async throws {
    let rounds = Rounds.count(short: 2, long: 20)
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      var slowest: Duration = .zero
      for round in 0..<rounds {
        let start = ContinuousClock.now
        let centers = try (0..<20).map { _ in try stand.start() }
        _ = try await stand.owners.next(within: .seconds(30), "center") { $0 != nil }
        let reply = try await stand.client.call(.toBus("GetConnectionUnixProcessID", [.string(FaultStand.name.text)]))
        let process = try #require(reply.first?.uint32)
        let winner = try #require(centers.first { $0.processID == Int32(process) })
        for center in centers where center !== winner {
          #expect(center.waitForExit(within: 30) == 69)
          expectOneLine(center)
        }
        slowest = max(slowest, .now - start)
        #expect(winner.isRunning && !winner.errors.contains("error"), "\(winner.errors)")
        let ids = (0..<20).map { "r\(round).\($0)" }
        try await stand.call(
          "NotifyMany", [.array(of: .properties, ids.map { FaultStand.request($0, ["in": "50ms"]) })])
        #expect(try await server.posted.next(20).map(\.summary) == ids)
        try await stand.notify("end \(round)")
        #expect(try await server.posted.next().summary == "end \(round)")
        try await stand.end(winner)
      }
      print("faults: 20 centers at once, \(rounds) times: 1 stayed, 19 ended with 69 within \([slowest].percentile(1))")
    }
  }

  @Test func `A center whose session has ended makes way for the next session's`() async throws {
    let home = try TemporaryFolder()
    let first = try PrivateBus()
    let store = ["XDG_DATA_HOME": home.path("data")]
    try await FaultStand.run { stand in
      let old = try stand.start([], store.merging(["DBUS_SESSION_BUS_ADDRESS": first.address]) { $1 })
      try await withBus(first) { loop, bus in
        let client = try await bus.connect(on: loop)
        for await owner in try await client.owners(of: FaultStand.name) where owner != nil { break }
        await client.close()
      }
      first.kill()
      let new = try stand.start([], store)
      _ = try await stand.owners.next(within: .seconds(30), "center") { $0 != nil }
      #expect(old.waitForExit() == 69)
      #expect(old.errors.contains("another session has begun"), "\(old.errors)")
      #expect(new.isRunning && !new.errors.contains("error"), "\(new.errors)")
      try await stand.end(new)
    }
  }

  @Test func `A second center of the same home on another bus ends at once and changes no file`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady()
      try await stand.notify("later", ["in": "1500ms"])
      let other = try PrivateBus()
      try await withBus(other) { loop, other in
        let stranger = try await ScriptedServer.start(on: other, loop)
        for _ in 0..<3 {
          let start = ContinuousClock.now
          let second = try stand.start([], ["DBUS_SESSION_BUS_ADDRESS": other.address])
          #expect(second.waitForExit() == 69)
          expectOneLine(second)
          #expect(second.errors.contains("\(center.processID)"), "\(second.errors)")
          print("faults: a second center of one home, on another bus: ended after \([.now - start].percentile(1))")
        }
        #expect(try await server.posted.next().summary == "later")
        try await stand.notify("end")
        #expect(try await server.posted.next().summary == "end")
        #expect(stranger.posted.waiting.isEmpty)
      }
      try await stand.end(center)
      // Nothing had to be repaired.
      let (again, _) = try await stand.startReady()
      #expect(!again.errors.contains("damaged"))
      #expect(try await stand.list("History").count == 2)
      try await stand.end(again)
    }
  }

  private func expectOneLine(_ center: RunningProgram) {
    let lines = center.errors.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasPrefix("suzud: error: another center"), "\(center.errors)")
  }
}
