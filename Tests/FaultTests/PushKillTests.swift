// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

/// Tests pushes, which are shown before they are stored, with a center that is killed in between.
@Suite(.timeLimit(.minutes(60)))
struct PushKillTests {
  @Test func `A push that was shown or answered survives kill -9, and is kept once`() async throws {
    let rounds = Rounds.count(short: 40, long: 1000)
    try await FaultStand.run { stand in
      let recorder = Recorder()
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop) { posted in
        recorder.add(posted)
        return .number
      }
      // Its sender sends it again.
      var open: String?
      for round in 0..<rounds {
        let (center, name) = try await stand.startReady()
        try await stand.awaitServer()
        if let id = open { try await Self.push(id, stand, recorder) }
        let id = "p\(round)"
        async let answer: Void? = try? Self.push(id, stand, recorder)
        // A sleep is meant: the fault comes at a random moment, also at those that no event marks.
        try await stand.loop.sleep(for: .microseconds(.random(in: 0...8000)))
        try await stand.kill(center)
        recorder.add(.killed(name.text))
        // Half of those that were not answered are left to the center.
        open = await answer == nil && round.isMultiple(of: 2) ? id : nil
      }

      let (center, _) = try await stand.startReady()
      try await stand.awaitServer()
      if let id = open { try await Self.push(id, stand, recorder) }
      var missing = recorder.missing
      while !missing.isEmpty, let posted = try? await server.posted.next(within: .seconds(20)) {
        missing.remove(posted.summary)
      }
      let kept = try await stand.list("History").compactMap { $0["title"]?.string }
      try await stand.end(center)
      let history = History(events: recorder.events)
      let found = history.verdict()
      var known: Set<String> = []
      for event in recorder.events {
        if case .posted(let id, _, _, _) = event { known.insert(id) }
        if case .accepted(let id, _) = event { known.insert(id) }
      }
      print(
        "faults: \(rounds) kills around a push: \(found.accepted) answered, \(known.count) kept,"
          + " \(found.lost.count) lost, \(found.posts) posts, \(found.excused) doubled by a kill before their note,"
          + " \(found.doubled.count) otherwise")
      #expect(found.isClean, "\(history.story(of: found))")
      #expect(known.subtracting(kept).isEmpty && Set(kept).count == kept.count, "\(kept)")
      #expect(found.accepted >= rounds / 2 && found.posts >= rounds / 2)
    }
  }

  private static func push(_ id: String, _ stand: FaultStand, _ recorder: Recorder) async throws {
    recorder.add(.tried(id))
    let alert: Value = .properties(["title": .string(id)])
    try await stand.call(
      "Push",
      ["test", .properties(["aps": .properties(["alert": alert])]), .properties(["id": .string(id)])])
    recorder.add(.accepted(id, due: 0))
  }
}
