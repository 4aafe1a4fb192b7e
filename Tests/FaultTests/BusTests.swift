// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests a bus that ends and comes back, and a center that is asked to end in the middle of its work.
@Suite(.timeLimit(.minutes(10)))
struct BusTests {
  @Test func `Requests that come due without a bus are shown when it is back`() async throws {
    let folder = try TemporaryFolder()
    let bus = try PrivateBus(in: folder)
    try await FaultStand.run(on: bus) { stand in
      let recorder = Recorder()
      let server = try await ScriptedServer.start(on: bus, stand.loop) { posted in
        recorder.add(posted)
        return .number
      }
      let (center, _) = try await stand.startReady()
      try await stand.notify("shown")
      #expect(try await server.posted.next().summary == "shown")
      // Requests that are due while there is no bus, while it comes back, and after it.
      let due = (1...30).map { "n\($0)" }
      for (index, id) in due.enumerated() { try await stand.notify(id, ["in": .string("\(300 + index * 60)ms")]) }
      bus.kill()
      #expect(center.readErrors(until: "the session bus is gone") != nil)
      #expect(try await stand.owners.next { $0 == nil } == nil)
      let start = ContinuousClock.now
      try await withBus(try PrivateBus(in: folder)) { loop, bus in
        let server = try await ScriptedServer.start(on: bus, loop)
        var missing = Set(due)
        for case .posted(let id, _, _, _) in recorder.events { missing.remove(id) }
        let awaited = missing.count
        while !missing.isEmpty {
          let posted = try await server.posted.next(within: .seconds(20), "\(missing)")
          recorder.add(posted)
          missing.remove(posted.summary)
        }
        let time = [ContinuousClock.now - start].percentile(1)
        _ = try await stand.owners.next(within: .seconds(20)) { $0 != nil }
        try await stand.notify("end")
        while case let posted = try await server.posted.next(), posted.summary != "end" { recorder.add(posted) }
        var before: [History.Event] = (due + ["shown"]).flatMap { [.tried($0), .accepted($0, due: 0)] }
        before += recorder.events
        let found = History(events: before).verdict()
        print(
          "faults: bus killed under \(awaited) pending: \(found.lost.count) lost, \(found.doubled.count) doubled,"
            + " all shown \(time) after it was back")
        #expect(found.isClean, "\(found)")
        try await stand.end(center)
      }
    }
  }

  @Test func `A center that ends in the middle of a burst loses no request`() async throws {
    let rounds = Rounds.count(short: 10, long: 40)
    try await FaultStand.run { stand in
      let recorder = Recorder()
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop) { posted in
        recorder.add(posted)
        return .number
      }
      var ends: [Duration] = []
      for round in 0..<rounds {
        let (center, _) = try await stand.startReady()
        let ids = (0..<300).map { "r\(round).\($0)" }
        for id in ids { recorder.add(.tried(id)) }
        try await stand.call("NotifyMany", [.array(of: .properties, ids.map { FaultStand.request($0) })])
        for id in ids { recorder.add(.accepted(id, due: 0)) }
        for _ in 0..<Int.random(in: 1...200) { _ = try await server.posted.next() }
        let start = ContinuousClock.now
        try await stand.end(center)
        ends.append(.now - start)
      }
      let (center, _) = try await stand.startReady()
      recorder.add(.tried("end"))
      try await stand.notify("end")
      _ = try await server.posted.next { $0.summary == "end" }
      try await stand.end(center)
      let history = History(events: recorder.events)
      let found = history.verdict()
      print(
        "faults: asked to end in a burst, \(rounds) times: \(found.accepted) accepted, \(found.lost.count) lost,"
          + " \(found.doubled.count) doubled; ended after p50 \(ends.percentile(0.5)) p99 \(ends.percentile(0.99))")
      #expect(found.isClean, "\(history.story(of: found))")
    }
  }

  @Test func `A call during the center's end reaches the next center`() async throws {
    let rounds = Rounds.count(short: 10, long: 200)
    let folder = try TemporaryFolder()
    // The bus starts the center, as in a session. Remains of centers that are killed immediately may add up to a burst.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("suzud"), withDestinationPath: FaultStand.programs + "/suzud")
    let bus = try PrivateBus(services: ["dev.suzu.Center": folder.path("suzud") + " --burst 0"], in: folder)
    try await FaultStand.run(on: bus) { stand in
      let server = try await ScriptedServer.start(on: bus, stand.loop)
      var refused = 0
      #expect(try await stand.owners.next() == nil)
      for round in 0..<rounds {
        let requests = (0..<6).map { FaultStand.request("r\(round).\($0)") }
        try await stand.call("NotifyMany", [.array(of: .properties, requests)])
        let reply = try await stand.client.call(.toBus("GetConnectionUnixProcessID", [.string(FaultStand.name.text)]))
        let process = try #require(reply.first?.uint32)
        kill(pid_t(process), round.isMultiple(of: 2) ? SIGTERM : SIGKILL)
        _ = try await stand.owners.next { $0 == nil }
        // Immediately: the previous center may still be writing.
        do { try await stand.notify("next \(round)") } catch {
          refused += 1
          Issue.record("\(error)")
        }
      }
      print("faults: asked behind the end of the last center, \(rounds) times: \(refused) refused")
      _ = try await server.posted.next { $0.summary == "next \(rounds - 1)" }
      let reply = try await stand.client.call(.toBus("GetConnectionUnixProcessID", [.string(FaultStand.name.text)]))
      kill(pid_t(try #require(reply.first?.uint32)), SIGTERM)
      _ = try await stand.owners.next { $0 == nil }
    }
  }
}
