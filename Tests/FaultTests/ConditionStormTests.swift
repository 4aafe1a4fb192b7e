// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

/// Tests ten thousand signals that meet a condition, through the whole center, while others call it.
@Suite(.timeLimit(.minutes(3)))
struct ConditionStormTests {
  private static let done = SignalDescription("Done", ("page", String.self))
  /// A center that does nothing else for longer hangs, however busy the machine is.
  private static let longestWait: Duration = .seconds(5)

  private static func row(_ id: String, _ stand: FaultStand) async throws -> [String: Value] {
    try await stand.list("Pending").first { $0["id"]?.string == id } ?? [:]
  }

  @Test func `A storm of signals is one notification and a count, and delays no other`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let meter = try TurnMeter(in: stand.bus.folder)
      let (center, _) = try await stand.startReady([], meter.variables, by: [TurnTests.center, "--burst", "0"])
      try await stand.awaitServer()
      try await stand.notify(
        "storm", ["on": "signal org.example.Printer.Done", "repeat": true, "cooldown": "1h"])
      while try await Self.row("storm", stand)["obstacle"] != nil {}
      _ = try meter.take()

      let printer = try await stand.bus.connect(on: stand.loop)
      let storm = Task {
        let start = ContinuousClock.now
        for number in 0..<10_000 {
          try await printer.emit(Signal(Self.done, "/org/example/Printer", "org.example.Printer", "\(number)"))
        }
        return ContinuousClock.now - start
      }
      // Others call meanwhile, until all signals are counted.
      var (waits, honest) = ([Duration](), 0)
      var folded: Int64 = 0
      while folded < 9_999 {
        let start = ContinuousClock.now
        if waits.count.isMultiple(of: 10) {
          honest += 1
          try await stand.notify("honest \(honest)")
        }
        folded = try await Self.row("storm", stand)["folded"]?.integer ?? 0
        waits.append(ContinuousClock.now - start)
      }
      let sent = try await storm.value
      var shown: [String: Int] = [:]
      while shown.count < honest + 1 {
        let summary = try await server.posted.next(within: .seconds(20), "a notification").summary
        shown[summary, default: 0] += 1
      }
      #expect(shown["storm"] == 1 && shown.values.allSatisfy { $0 == 1 }, "\(shown)")
      #expect(server.posted.waiting.isEmpty)
      let (longest, turns) = try meter.take()
      print(
        "faults: storm: sent in \(sent), \(waits.count) honest calls, \(waits.percentile(0.5)) median and "
          + "\(waits.percentile(1)) at most, longest turn \([longest].percentile(1)) of \(turns)")
      #expect(try #require(waits.max()) < Self.longestWait)
      #expect(longest < TurnTests.bound)
      await printer.close()
      try await stand.end(center)
      await server.die()
    }
  }
}
