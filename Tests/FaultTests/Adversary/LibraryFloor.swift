// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport

/// Measures libdbus alone: it reads every message, and checks each value of it, before the program sees the message and
/// could refuse it.
///
/// An idle C peer receives a load, and is pinged meanwhile.
final class LibraryFloor: Sendable {
  /// A ping of the peer, and the time until its answer.
  struct Ping: Sendable {
    let time: LateTime
    let peer: ProcessorTimes
  }

  private let peer: IdlePeer
  private let connection: Connection
  /// Sends the loads, and nothing else.
  private let sender: Attacker

  init(on bus: PrivateBus, _ loop: EventLoop, sender: Attacker) async throws {
    self.sender = sender
    peer = try await IdlePeer(on: bus)
    connection = try await bus.connect(on: loop)
  }

  /// The pings while each load is sent once.
  func measure() async throws -> [Attacker.Load: [Ping]] {
    var pings: [Attacker.Load: [Ping]] = [:]
    for load in Attacker.Load.allCases { pings[load] = try await measure(load) }
    return pings
  }

  /// Measures again and again while `body` runs.
  func measure(during body: () async throws -> Void) async throws -> [Attacker.Load: [Ping]] {
    let isOver = Flag()
    let measuring = Task {
      var pings: [Attacker.Load: [Ping]] = [:]
      while !isOver.isSet {
        pings.merge(try await measure()) { $0 + $1 }
        // A sleep is meant: otherwise the loads would be most of what the bus does.
        try await connection.loop.sleep(for: .seconds(5))
      }
      return pings
    }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    isOver.set()
    let pings = try await measuring.value
    try outcome.get()
    return pings
  }

  func close() async { await connection.close() }

  private func measure(_ load: Attacker.Load) async throws -> [Ping] {
    let isOver = Flag()
    return try await withThrowingTaskGroup(of: [Ping].self) { group in
      group.addTask {
        // Also after a failure: the pings go on until then.
        defer { isOver.set() }
        try await self.sender.send(load, to: self.peer.name.text)
        return []
      }
      group.addTask {
        var pings: [Ping] = []
        while !isOver.isSet {
          let (start, before) = (ContinuousClock.now, ProcessorTimes.of(self.peer.program.processID))
          _ = try? await self.connection.call(MethodCall(to: self.peer.name, "/", "org.freedesktop.DBus.Peer", "Ping"))
          let after = ProcessorTimes.of(self.peer.program.processID)
          pings.append(Ping(time: start..<ContinuousClock.now, peer: after - before))
        }
        return pings
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}

extension [LibraryFloor.Ping] {
  /// The longest wait for libdbus: without the time in which the bus was slow or the peer had no processor, as the waits
  /// of honest callers are counted.
  func longest(without lateBus: [LateTime]) -> Duration {
    map { ping in
      let wait = ping.time.upperBound - ping.time.lowerBound
      return Swift.max(.zero, wait - Swift.max(lateBus.time(in: ping.time), ping.peer.waiting))
    }.max() ?? .zero
  }
}
