// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// The center is killed at random moments, while clients ask, dates come and a user clicks.
@Suite(.timeLimit(.minutes(60)))
struct KillTests {
  @Test func `nothing accepted is lost by kill -9 at random moments`() async throws {
    let rounds = Rounds.count(short: 40, long: 1000)
    try await FaultStand.run { stand in
      let seen = Inbox<ScriptedServer.Posted>()
      let recorder = Recorder()
      let firstPost = Mutex<ContinuousClock.Instant?>(nil)
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop) { posted in
        recorder.add(posted)
        firstPost.withLock { $0 = $0 ?? .now }
        seen.put(posted)
        return .number
      }
      let user = Task { try await Self.use(server, seen) }
      let client = RandomClient(stand, recorder, server)
      let listening = Task { try await client.listen() }
      var (named, shown): ([Duration], [Duration]) = ([], [])

      for _ in 0..<rounds {
        firstPost.withLock { $0 = nil }
        let start = ContinuousClock.now
        let (center, name) = try await stand.startReady()
        named.append(.now - start)
        async let work: Void = client.work(at: name)
        // Not a wait for anything: the moment of the fault.
        try await stand.loop.sleep(for: .milliseconds(.random(in: 20...200)))
        recorder.add(.killed)
        try await stand.kill(center)
        await work
        if let first = firstPost.withLock({ $0 }) { shown.append(first - start) }
      }

      let (center, _) = try await stand.startReady()
      let outcomes = try await Self.finish(stand, server, recorder)
      user.cancel()
      listening.cancel()
      try await stand.end(center)
      for id in stand.acted { recorder.add(.acted(id)) }
      let found = History(events: recorder.events, outcomes: outcomes).verdict()
      print(
        "faults: \(rounds) kills at random moments: \(found.accepted) accepted, \(found.cancelled) taken back,"
          + " \(found.lost.count) lost, \(found.posts) posts, \(found.excused) doubled by a kill before their note,"
          + " \(found.doubled.count) otherwise; \(outcomes.count) clicks, \(found.acted) done,"
          + " \(found.interrupted) cut short, \(found.actedTwice.count) done twice;"
          + " start to name p50 \(named.percentile(0.5)) p99 \(named.percentile(0.99)),"
          + " to first post p50 \(shown.percentile(0.5)) p99 \(shown.percentile(0.99))")
      #expect(found.isClean, "\(found)")
      #expect(found.accepted > rounds && found.posts > rounds && found.acted > 0)
    }
  }

  /// What the user does with what comes: clicks, lets it go, leaves it.
  private static func use(_ server: ScriptedServer, _ seen: Inbox<ScriptedServer.Posted>) async throws {
    while !Task.isCancelled {
      let posted = try await seen.next(within: .seconds(3600))
      switch Int.random(in: 0..<10) {
      case 0..<4:
        try? await server.press(posted.number, "go")
        if Bool.random() { try? await server.press(posted.number, "go") }
      case 4..<9: try? await server.tellClosed(posted.number, reason: 1)
      default: break
      }
    }
  }

  /// Waits until everything has come to the screen, and returns what the center says of each click.
  private static func finish(
    _ stand: FaultStand, _ server: ScriptedServer, _ recorder: Recorder
  ) async throws -> [String: History.Outcome] {
    var missing = recorder.missing
    while !missing.isEmpty {
      guard let posted = try? await server.posted.next(within: .seconds(20)) else { break }
      missing.remove(posted.summary)
    }
    // What is still being done has its outcome soon, and the center tells.
    try await stand.watch()
    while true {
      let rows = try await stand.list("History")
      let outcomes = Self.outcomes(rows)
      if let outcomes { return outcomes }
      _ = try await stand.events.next(within: .seconds(20), "outcome") { $0.hasPrefix("Outcome") }
    }
  }

  /// Nil: something is still being done.
  static func outcomes(_ rows: [[String: Value]]) -> [String: History.Outcome]? {
    var outcomes: [String: History.Outcome] = [:]
    for row in rows {
      guard row["action"] != nil, let id = row["id"]?.string else { continue }
      guard let outcome = row["outcome"]?.string else { return nil }
      switch outcome {
      case "done": outcomes[id] = .done
      case "failed: interrupted": outcomes[id] = .interrupted
      default: outcomes[id] = .other(outcome)
      }
    }
    return outcomes
  }
}

/// A client that asks for this and that until the center is gone.
private final class RandomClient: Sendable {
  private let stand: FaultStand
  private let recorder: Recorder
  private let server: ScriptedServer
  private let last = Atomic<Int>(0)
  /// What may be taken back.
  private let later = Mutex<[String]>([])
  /// What the center told of as delivered, and a later call has not yet proved to be written down.
  private let told = Mutex<[String]>([])

  init(_ stand: FaultStand, _ recorder: Recorder, _ server: ScriptedServer) {
    self.stand = stand
    self.recorder = recorder
    self.server = server
  }

  func listen() async throws {
    while !Task.isCancelled {
      let words = try await stand.events.next(within: .seconds(3600)).split(separator: " ")
      if words.first == "Delivered", words.count > 1 { told.withLock { $0.append(String(words[1])) } }
    }
  }

  func work(at center: BusName) async {
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          do {
            try await self.stand.watch()
            for _ in 0..<15 { try await self.step() }
          } catch {
            // The center is gone; what was under way is neither accepted nor refused.
          }
        }
      }
    }
  }

  private func step() async throws {
    // What was delivered before a call is asked for was written before that is answered: the journal is in order.
    let delivered = told.withLock { told in
      defer { told = [] }
      return told
    }
    switch Int.random(in: 0..<10) {
    case 0..<4: try await notify()
    case 4..<7: try await notifyLater()
    case 7: try await notifyMany()
    default: try await cancel()
    }
    for id in delivered { recorder.add(.noted(id)) }
  }

  private func makeID() -> String { "n\(last.wrappingAdd(1, ordering: .relaxed).newValue)" }

  private func notify() async throws {
    let id = makeID()
    recorder.add(.tried(id))
    try await stand.notify(id, ["actions": stand.button()])
    recorder.add(.accepted(id, due: 0))
  }

  private func delayed(_ id: String) -> (request: Value, due: Int64) {
    let delay = Int64.random(in: 50...500)
    let request = FaultStand.request(id, ["actions": stand.button(), "in": .string("\(delay)ms")])
    return (request, wallMilliseconds() + delay)
  }

  private func notifyLater() async throws {
    let id = makeID()
    recorder.add(.tried(id))
    let (request, due) = delayed(id)
    try await stand.call("Notify", [request])
    recorder.add(.accepted(id, due: due))
    later.withLock { $0 = ($0 + [id]).suffix(20) }
  }

  private func notifyMany() async throws {
    var (requests, dues): ([Value], [(String, Int64)]) = ([], [])
    for part in 0..<5 {
      let id = makeID()
      recorder.add(.tried(id))
      let (request, due) = delayed(id)
      requests.append(part.isMultiple(of: 2) ? request : FaultStand.request(id, ["actions": stand.button()]))
      dues.append((id, part.isMultiple(of: 2) ? due : 0))
    }
    try await stand.call("NotifyMany", [.array(of: .properties, requests)])
    for (id, due) in dues { recorder.add(.accepted(id, due: due)) }
  }

  private func cancel() async throws {
    let id = later.withLock { later -> String? in
      guard let index = later.indices.randomElement() else { return nil }
      return later.remove(at: index)
    }
    guard let id else { return }
    recorder.add(.cancelTried(id))
    guard try await stand.cancel([id]) == 1 else { return }
    // What the center posted before it answered us reaches the server before this does: the bus keeps the order.
    try await stand.client.call(
      MethodCall(
        to: ScriptedServer.busName, "/org/freedesktop/Notifications", "org.freedesktop.DBus.Peer", "Ping"))
    recorder.add(.cancelled(id))
  }
}
