// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests a center that is killed at each step of posting. The server stops time: it withholds its answer, or does not
/// run yet.
@Suite(.timeLimit(.minutes(30)))
struct PostingStepTests {
  enum Step: String, CaseIterable {
    case intentWritten = "after the intent"
    case arrived = "after Notify arrived, before its answer"
    case answered = "as the answer leaves"
    case noted = "after the note"
  }

  @Test(arguments: Step.allCases)
  func `A kill at any step of posting loses no request`(step: Step) async throws {
    let rounds = Rounds.count(short: 4, long: 50)
    try await FaultStand.run { stand in
      let recorder = Recorder()
      for round in 0..<rounds {
        let server = step == .intentWritten ? nil : try await Self.server(stand, recorder, holds: step == .arrived)
        let (center, name) = try await stand.startReady()
        let ids = (0..<5).map { "r\(round).\($0)" }
        try await Self.ask(stand, recorder, ids, isLater: !round.isMultiple(of: 2))
        // The last request has reached its step.
        switch step {
        case .intentWritten: try await Self.awaitDue(stand, ids)
        case .arrived: _ = try await server?.posted.next { $0.summary == ids.last }
        case .answered:
          _ = try await server?.posted.next { $0.summary == ids.last }
          // This answer comes after all earlier ones.
          try await stand.pingServer()
        case .noted:
          _ = try await server?.posted.next { $0.summary == ids.last }
          try await Self.awaitDelivered(stand, ids)
          for id in ids { recorder.add(.noted(id, by: name.text)) }
        }
        try await stand.kill(center)
        recorder.add(.killed(name.text))
        await server?.die()

        try await Self.showWhatIsLeft(stand, recorder, round)
      }
      let history = History(events: recorder.events)
      let found = history.verdict()
      print(
        "faults: killed \(step.rawValue), \(rounds) times: \(found.accepted) accepted, \(found.lost.count) lost,"
          + " \(found.excused) doubled by the kill, \(found.doubled.count) otherwise")
      #expect(found.isClean, "\(history.story(of: found))")
      switch step {
      case .intentWritten, .noted: #expect(found.excused == 0)
      case .arrived: #expect(found.excused == rounds * 5)
      case .answered: break
      }
    }
  }

  @Test(arguments: [true, false])
  func `A kill as Notify arrives loses no request whose condition was met`(isNoteInMemory: Bool) async throws {
    let rounds = Rounds.count(short: 8, long: 200)
    try await FaultStand.run { stand in
      let session = try isNoteInMemory ? FileManager.default.temporaryFolderInMemory() : nil
      defer { if let session { try? FileManager.default.removeItem(atPath: session) } }
      // Without a folder of the session, the note is beside the database.
      let variables = ["XDG_RUNTIME_DIR": session ?? ""]
      let recorder = Recorder()
      try stand.bus.folder.write("", to: "there")
      for round in 0..<rounds {
        let victim = Mutex<RunningProgram?>(nil)
        // The center may have committed its record then, or only noted it.
        let server = try await ScriptedServer.start(on: stand.bus, stand.loop) { posted in
          victim.withLock { $0.take()?.kill() }
          recorder.add(posted)
          return .hold
        }
        let (center, name) = try await stand.startReady(["--burst", "0"], variables)
        try await stand.awaitServer()
        victim.withLock { $0 = center }
        let id = "r\(round)"
        recorder.add(.tried(id))
        // The kill may come before the answer.
        try? await stand.notify(id, ["on": .string("file '\(stand.bus.folder.path("there"))'"), "now": true])
        _ = try await server.posted.next { $0.summary == id }
        recorder.add(.accepted(id, due: 0))
        _ = try await stand.owners.next(within: .seconds(10), "end of the center") { $0 == nil }
        recorder.add(.killed(name.text))
        await server.die()

        try await Self.showWhatIsLeft(stand, recorder, round, variables)
      }
      if let session { #expect(try FileManager.default.contentsOfDirectory(atPath: session + "/suzu").count == 1) }
      let history = History(events: recorder.events)
      let found = history.verdict()
      print(
        "faults: killed as Notify of a met condition arrived, \(rounds) times: \(found.lost.count) lost,"
          + " \(found.excused) doubled by the kill, \(found.doubled.count) otherwise")
      #expect(found.isClean && found.excused == rounds, "\(history.story(of: found))")
    }
  }

  @Test(arguments: [true, false])
  func `A cancelled request stays cancelled if the center is killed right after the answer`(isPosted: Bool) async throws
  {
    let rounds = Rounds.count(short: 10, long: 100)
    try await FaultStand.run { stand in
      let recorder = Recorder()
      for round in 0..<rounds {
        // Due and waiting for a server, or sent to one that has not answered.
        let server = isPosted ? try await Self.server(stand, recorder, holds: true) : nil
        let (center, name) = try await stand.startReady()
        let ids = (0..<5).map { "r\(round).\($0)" }
        try await Self.ask(stand, recorder, ids, isLater: false)
        _ = try await server?.posted.next { $0.summary == ids.last }
        for id in ids { recorder.add(.cancelTried(id)) }
        #expect(try await stand.cancel(ids) == 5)
        center.kill()
        for id in ids { recorder.add(.cancelled(id)) }
        recorder.add(.killed(name.text))
        _ = try await stand.owners.next { $0 == nil }
        await server?.die()

        try await Self.showWhatIsLeft(stand, recorder, round)
      }
      let history = History(events: recorder.events)
      let found = history.verdict()
      print(
        "faults: killed behind the answer to Cancel, \(rounds) times, \(isPosted ? "while posted" : "while waiting"):"
          + " \(found.cancelled) taken back, \(found.undead.count) shown all the same")
      #expect(found.isClean, "\(history.story(of: found))")
    }
  }

  private static func server(
    _ stand: FaultStand, _ recorder: Recorder, holds: Bool
  ) async throws -> ScriptedServer {
    try await ScriptedServer.start(on: stand.bus, stand.loop) { posted in
      recorder.add(posted)
      return holds ? .hold : .number
    }
  }

  private static func ask(_ stand: FaultStand, _ recorder: Recorder, _ ids: [String], isLater: Bool) async throws {
    for id in ids { recorder.add(.tried(id)) }
    let due = isLater ? wallMilliseconds() + 50 : 0
    let requests = ids.map { FaultStand.request($0, isLater ? ["in": "50ms"] : [:]) }
    try await stand.call("NotifyMany", [.array(of: .properties, requests)])
    for id in ids { recorder.add(.accepted(id, due: due)) }
  }

  /// Returns once the intents are written: each query is answered after the requests that were due before it.
  private static func awaitDue(_ stand: FaultStand, _ ids: [String]) async throws {
    try await awaitHistory(stand, ids) { $0 == "due" }
  }

  private static func awaitDelivered(_ stand: FaultStand, _ ids: [String]) async throws {
    try await awaitHistory(stand, ids) { $0 == "delivered" }
  }

  private static func awaitHistory(
    _ stand: FaultStand, _ ids: [String], _ fits: (String?) -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
      let rows = try await stand.list("History").filter { fits($0["state"]?.string) }
      if Set(ids).isSubset(of: rows.compactMap { $0["id"]?.string }) { return }
    }
    throw TestFailure("\(ids) did not come so far")
  }

  /// Starts the next center and a server that answers; ends both once everything that the killed center left is shown.
  private static func showWhatIsLeft(
    _ stand: FaultStand, _ recorder: Recorder, _ round: Int, _ variables: [String: String] = [:]
  ) async throws {
    let server = try await server(stand, recorder, holds: false)
    let (center, _) = try await stand.startReady(["--burst", "0"], variables)
    try await expectQuiet(stand, server, recorder, "end \(round)")
    try await stand.end(center)
    await server.die()
  }

  /// Notifications that an earlier center left are sent before new ones: the queue is in order.
  private static func expectQuiet(
    _ stand: FaultStand, _ server: ScriptedServer, _ recorder: Recorder, _ id: String
  ) async throws {
    recorder.add(.tried(id))
    try await stand.notify(id)
    recorder.add(.accepted(id, due: 0))
    _ = try await server.posted.next { $0.summary == id }
  }
}

extension FileManager {
  /// A new folder of this user alone on a file system without a disk.
  fileprivate func temporaryFolderInMemory() throws -> String {
    let path = "/dev/shm/suzu-test-" + UUID().uuidString.prefix(8)
    try createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return path
  }
}
