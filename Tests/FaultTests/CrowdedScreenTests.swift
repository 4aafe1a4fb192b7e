// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

/// Tests a center that finds thousands of notifications of an earlier run on the screen.
@Suite(.timeLimit(.minutes(10)))
struct CrowdedScreenTests {
  private static let many = 8000

  @Test func `Thousands on the screen are restored in short turns, and clicks and calls in between find all of them`()
    async throws
  {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (first, _) = try await stand.startReady([], [:], by: [TurnTests.center, "--burst", "0"])
      try await stand.watch()
      for start in stride(from: 0, to: Self.many, by: 2000) {
        let requests = (start..<start + 2000).map { FaultStand.request("n\($0)", ["actions": stand.button()]) }
        try await stand.call("NotifyMany", [.array(of: .properties, requests)])
      }
      let posted = try await server.posted.next(Self.many, within: .seconds(240))
      for _ in posted { _ = try await stand.events.next { $0.hasPrefix("Delivered") } }
      #expect(try await stand.list("Delivered").count == Self.many)
      try await stand.kill(first)

      let meter = try TurnMeter(in: stand.bus.folder)
      let (second, _) = try await stand.startReady([], meter.variables, by: [TurnTests.center, "--burst", "0"])
      try await stand.watch()
      try await stand.awaitServer()
      // The last one, which is restored last. The server's answer comes behind its signal.
      let last = try #require(posted.last)
      try await server.press(last.number, "go")
      try await server.reach(FaultStand.name)
      let reply = try await stand.call("Dismiss", ["test", .strings([])])
      #expect(reply == [.uint32(UInt32(Self.many - 1))])
      #expect(try await stand.events.next { $0.hasPrefix("Responded") } == "Responded \(last.summary) go")
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(stand.acted.filter { $0 == last.summary }.count == 1)
      #expect(try await stand.list("Delivered").isEmpty)
      let (longest, count) = try meter.take()
      #expect(longest < TurnTests.bound && count > 0)
      try await stand.end(second)
      await server.die()
      print("faults: \(Self.many) on the screen restored, the longest of \(count) turns: \([longest].percentile(1))")
    }
  }
}
