// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport
import Testing

@testable import ConditionSources

/// Tests how often a service is asked whose state cannot be read.
@Suite(.timeLimit(.minutes(1))) struct ServiceFollowerTests {
  private static let name: BusName = "org.example.Service"
  private static let path: ObjectPath = "/org/example/Service"
  private static let interface: InterfaceName = "org.example.Service"
  private static let getState = MethodDescription("GetState", out: ("state", String.self))
  private static let changed = SignalDescription("Changed")

  /// How the service answers, and how often it was asked.
  private final class Answers: Sendable {
    let state = Mutex<String?>(nil)
    let calls = Mutex(0)
  }

  private func service(_ bus: PrivateBus, _ loop: EventLoop, _ answers: Answers) async throws -> Connection {
    let service = try await bus.connect(on: loop)
    try await service.export(
      Interface(
        Self.interface,
        methods: [
          DBus.Method(Self.getState) { _, _ in
            answers.calls.withLock { $0 += 1 }
            guard let state = answers.state.withLock({ $0 }) else { throw RemoteError(.accessDenied, "not for you") }
            return state
          }
        ], signals: [Self.changed]), at: Self.path)
    #expect(try await service.requestName(Self.name) == .owner)
    return service
  }

  /// Follows the service, and returns the readings in the order in which they come.
  private func follow(
    _ session: Connection, _ loop: EventLoop, retries: [Duration]
  ) -> (follower: ServiceFollower, told: Reader<String>) {
    let (lines, line) = AsyncStream<String>.makeStream()
    let follower = ServiceFollower(Self.name, title: "Example", on: .session(session), loop: loop, retries: retries) {
      (service) throws(CallError) in
      line.yield(try await service.call(Self.getState, at: Self.path, Self.interface))
    } lose: {
      line.yield($0)
    }
    follower.follow([MatchRule(sender: Self.name, path: Self.path, interface: Self.interface, member: "Changed")])
    return (follower, Reader(lines))
  }

  @Test func `A service that refuses is asked after each pause, and then only once it announces a change`() async throws
  {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let answers = Answers()
      let service = try await service(bus, loop, answers)
      let thread = await LoopThread(of: loop)
      let session = try await bus.connect(on: loop)
      let pauses: [Duration] = [.milliseconds(10), .milliseconds(20), .milliseconds(30)]
      let start = ContinuousClock.now
      let (follower, told) = follow(session, loop, retries: pauses)
      for _ in 0...pauses.count { #expect(await told.next()?.hasPrefix("Example: ") == true) }
      // The loop measures a pause from the beginning of its turn.
      #expect(ContinuousClock.now - start >= .milliseconds(30))
      // No further attempt is planned; the time limit of the last call may still be.
      let rest = try await Task.detached { try thread.rest() }.value
      #expect(rest ?? .seconds(5) > .seconds(1))
      #expect(answers.calls.withLock { $0 } == 1 + pauses.count)
      answers.state.withLock { $0 = "ready" }
      try await service.emit(Signal(Self.changed, Self.path, Self.interface))
      #expect(await told.next() == "ready")
      #expect(answers.calls.withLock { $0 } == 2 + pauses.count)
      follower.stop()
      await service.close()
    }
  }

  @Test func `A service that refuses at first is read without an announcement`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let answers = Answers()
      let service = try await service(bus, loop, answers)
      let session = try await bus.connect(on: loop)
      let (follower, told) = follow(session, loop, retries: Array(repeating: .milliseconds(1), count: 100))
      var next = await told.next()
      #expect(next?.hasPrefix("Example: ") == true)
      answers.state.withLock { $0 = "ready" }
      while next?.hasPrefix("Example: ") == true { next = await told.next() }
      #expect(next == "ready")
      follower.stop()
      await service.close()
    }
  }

  // What it said was taken for the answer to the next request: 'idle' was refused although logind had started.
  @Test func `A follower that is stopped just after its answer came says nothing`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let answers = Answers()
      answers.state.withLock { $0 = "ready" }
      let service = try await service(bus, loop, answers)
      let session = try await bus.connect(on: loop)
      let object = RemoteObject(try #require(await service.uniqueName), Self.path, Self.interface)
      var follower: ServiceFollower?
      var stopping: Task<Void, Never>?
      let told = Mutex(0)
      let (readings, reading) = AsyncStream<Void>.makeStream()
      follower = ServiceFollower(Self.name, title: "Example", on: .session(session), loop: loop, retries: []) {
        (service) throws(CallError) in
        if told.withLock({ $0 }) > 0 {
          // It is asked the same just before, so that this answer comes just before the follower's.
          var isAsked = false
          stopping = loop.startLater {
            isAsked = true
            _ = try? await session.call(Self.getState, of: object)
            follower?.stop()
          }
          repeat { await Task.yield() } while !isAsked
        }
        try await service.call(Self.getState, at: Self.path, Self.interface)
        told.withLock { $0 += 1 }
        reading.yield()
      } lose: { _ in
        told.withLock { $0 += 1 }
      }
      follower?.follow([])
      await Reader(readings).next()
      follower?.refresh()
      try await loop.turn { stopping != nil }
      await stopping?.value
      _ = try await session.call(Self.getState, of: object)
      #expect(told.withLock { $0 } == 1)
      await service.close()
    }
  }
}
