// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport

/// Callers that use the center normally while others attack: they request, list, cancel and dismiss.
final class HonestCallers: Sendable {
  /// One call, and the time until its answer.
  struct Call: Sendable {
    let kind: String
    let time: LateTime
    /// How long the center ran meanwhile, and how long it could have run, but had no processor.
    let center: ProcessorTimes
    /// Why it failed; nil if it did not.
    let failure: String?
  }

  private let stand: FaultStand
  private let recorder: Recorder
  private let center: Int32
  private let log = Mutex<[Call]>([])
  private let last = Atomic<Int>(0)
  private let isPaused = Atomic<Bool>(false)

  /// Few enough requests of each app that none is folded into a digest.
  static let apps = (0..<24).map { "honest.\($0)" }

  init(_ stand: FaultStand, _ recorder: Recorder, center processID: Int32) {
    self.stand = stand
    self.recorder = recorder
    center = processID
  }

  /// The start of a call.
  struct Start: Sendable {
    let time: ContinuousClock.Instant
    let center: ProcessorTimes
  }

  func start() -> Start { Start(time: .now, center: .of(center)) }

  /// Records a call that has ended.
  func add(_ kind: String, since start: Start, failure: String? = nil) {
    let call = Call(
      kind: kind, time: start.time..<ContinuousClock.now, center: .of(center) - start.center, failure: failure)
    log.withLock { $0.append(call) }
  }

  var calls: [Call] { log.withLock { $0 } }

  /// Lets ``work(seed:on:)`` return after its next step.
  func pause() { isPaused.store(true, ordering: .relaxed) }

  /// Calls the center over a connection of its own until ``pause()``.
  func work(seed: UInt64, on loop: EventLoop) async throws {
    isPaused.store(false, ordering: .relaxed)
    let connection = try await stand.bus.connect(on: loop)
    var numbers = SeededNumbers(seed: seed)
    while !isPaused.load(ordering: .relaxed) {
      await step(connection, &numbers)
      // A sleep is meant: the rate of the calls, which is that of programs that are no attackers.
      try await loop.sleep(for: .milliseconds(.random(in: 20...120, using: &numbers)))
    }
    await connection.close()
  }

  private func step(_ connection: Connection, _ numbers: inout SeededNumbers) async {
    let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    let (id, app) = ("h\(number)", Self.apps[number % Self.apps.count])
    switch Int.random(in: 0..<20, using: &numbers) {
    case 0..<6: await ask(connection, "now", id, app, due: 0)
    case 6..<11:
      let delay = Int64.random(in: 100...2000, using: &numbers)
      await ask(connection, "soon", id, app, ["in": .string("\(delay)ms")], due: wallMilliseconds() + delay)
    case 11..<13: await takeBack(connection, id, app)
    case 13..<15: await call(connection, "list", "Pending", ["", .properties([:])])
    case 15..<17: await call(connection, "history", "History", [.string(app), .properties(["limit": .uint32(50)])])
    case 17: await call(connection, "history of all", "History", ["", .properties([:])])
    default: await call(connection, "delivered", "Delivered", [.string(app), .properties(["limit": .uint32(50)])])
    }
  }

  private func ask(
    _ connection: Connection, _ kind: String, _ id: String, _ app: String, _ more: [String: Value] = [:], due: Int64
  ) async {
    recorder.add(.tried(id))
    let words = more.merging(["app": .string(app), "actions": stand.button()]) { $1 }
    if await call(connection, kind, "Notify", [FaultStand.request(id, words)]) != nil {
      recorder.add(.accepted(id, due: due))
    }
  }

  private func takeBack(_ connection: Connection, _ id: String, _ app: String) async {
    recorder.add(.tried(id))
    let request = FaultStand.request(id, ["app": .string(app), "in": "1h"])
    guard await call(connection, "later", "Notify", [request]) != nil else { return }
    recorder.add(.accepted(id, due: wallMilliseconds() + 3_000_000))
    recorder.add(.cancelTried(id))
    let count = await call(connection, "cancel", "Cancel", [.string(app), .strings([id])])?.first?.uint32
    if count == 1 { recorder.add(.cancelled(id)) }
  }

  @discardableResult
  private func call(
    _ connection: Connection, _ kind: String, _ member: MemberName, _ arguments: [Value]
  ) async -> [Value]? {
    let start = start()
    do {
      let reply = try await connection.call(
        MethodCall(to: FaultStand.name, FaultStand.path, FaultStand.interface, member, arguments))
      add(kind, since: start)
      return reply
    } catch {
      add(kind, since: start, failure: "\(kind): \(error)")
      return nil
    }
  }
}
