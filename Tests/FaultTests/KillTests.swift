// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests a center that is killed at random moments, while clients call, dates come and a user clicks.
@Suite(.timeLimit(.minutes(60)))
struct KillTests {
  @Test func `Accepted requests survive kill -9 at random moments`() async throws {
    let rounds = Rounds.count(short: 40, long: 1000)
    try await FaultStand.run { stand in
      // Nil sends the user away.
      let seen = Inbox<ScriptedServer.Posted?>()
      let recorder = Recorder()
      let firstPost = Mutex<ContinuousClock.Instant?>(nil)
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop) { posted in
        recorder.add(posted)
        firstPost.withLock { $0 = $0 ?? .now }
        seen.put(posted)
        return .number
      }
      let user = Task { try await Self.use(server, seen) }
      let client = RandomClient(stand, recorder)
      try await client.listen()
      var (named, shown): ([Duration], [Duration]) = ([], [])

      for _ in 0..<rounds {
        firstPost.withLock { $0 = nil }
        let start = ContinuousClock.now
        let (center, name) = try await stand.startReady()
        named.append(.now - start)
        async let work: Void = client.work(at: name)
        // A sleep is meant: the fault comes at a random moment, also at those that no event marks.
        try await stand.loop.sleep(for: .milliseconds(.random(in: 20...200)))
        try await stand.kill(center)
        recorder.add(.killed(name.text))
        await work
        if let first = firstPost.withLock({ $0 }) { shown.append(first - start) }
      }

      let (center, _) = try await stand.startReady()
      try await Self.waitForPosts(server, recorder)
      // A request whose call was cut off may still be posted: a click on it after the history was read would have no
      // outcome there.
      seen.put(nil)
      try await user.value
      let outcomes = try await Self.outcomes(stand)
      try await stand.end(center)
      for id in stand.acted { recorder.add(.acted(id)) }
      let history = History(events: recorder.events, outcomes: outcomes)
      let found = history.verdict()
      print(
        "faults: \(rounds) kills at random moments: \(found.accepted) accepted, \(found.cancelled) taken back,"
          + " \(found.lost.count) lost, \(found.posts) posts, \(found.excused) doubled by a kill before their note,"
          + " \(found.doubled.count) otherwise; \(outcomes.count) clicks, \(found.acted) done,"
          + " \(found.interrupted) cut short, \(found.actedTwice.count) done twice;"
          + " start to name p50 \(named.percentile(0.5)) p99 \(named.percentile(0.99)),"
          + " to first post p50 \(shown.percentile(0.5)) p99 \(shown.percentile(0.99))")
      #expect(found.isClean, "\(history.story(of: found))")
      #expect(found.accepted > rounds && found.posts > rounds && found.acted > 0)
    }
  }

  /// The user's reaction to each notification: click, let expire, or leave.
  private static func use(_ server: ScriptedServer, _ seen: Inbox<ScriptedServer.Posted?>) async throws {
    while let posted = try await seen.next(within: .seconds(3600)) {
      switch Int.random(in: 0..<10) {
      case 0..<4:
        try? await server.press(posted.number, "go")
        if Bool.random() { try? await server.press(posted.number, "go") }
      case 4..<9: try? await server.tellClosed(posted.number, reason: 1)
      default: break
      }
    }
  }

  /// Waits until every accepted request has been shown.
  private static func waitForPosts(_ server: ScriptedServer, _ recorder: Recorder) async throws {
    var missing = recorder.missing
    while !missing.isEmpty {
      guard let posted = try? await server.posted.next(within: .seconds(20)) else { break }
      missing.remove(posted.summary)
    }
  }

  /// The center's outcome of each click that was made before.
  private static func outcomes(_ stand: FaultStand) async throws -> [String: History.Outcome] {
    // The server's clicks reach the bus before its answer, and so the center before the next call.
    try await stand.pingServer()
    // Actions in progress get their outcome soon, and the center reports it.
    try await stand.watch()
    while true {
      let rows = try await stand.list("History")
      let outcomes = Self.outcomes(rows)
      if let outcomes { return outcomes }
      _ = try await stand.events.next(within: .seconds(20), "outcome") { $0.hasPrefix("Outcome") }
    }
  }

  /// Returns nil while an action is in progress.
  static func outcomes(_ rows: [[String: Value]]) -> [String: History.Outcome]? {
    var outcomes: [String: History.Outcome] = [:]
    for row in rows {
      guard row["action"] != nil, let id = row["id"]?.string else { continue }
      guard let outcome = row["outcome"]?.string, outcome != "running" else { return nil }
      switch outcome {
      case "done": outcomes[id] = .done
      case "failed: interrupted": outcomes[id] = .interrupted
      default: outcomes[id] = .other(outcome)
      }
    }
    return outcomes
  }
}
