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
  private let peer: IdlePeer
  private let connection: Connection
  private let isOver = Mutex(false)

  init(on bus: PrivateBus, _ loop: EventLoop) async throws {
    peer = try await IdlePeer(on: bus)
    connection = try await bus.connect(on: loop)
  }

  /// The times of the pings while `attacker` sends the load.
  func measure(_ load: Attacker.Load, by attacker: Attacker) async throws -> [LateTime] {
    try await withThrowingTaskGroup(of: [LateTime].self) { group in
      group.addTask {
        // Also after a failure: the pings go on until then.
        defer { self.isOver.withLock { $0 = true } }
        try await attacker.send(load, to: self.peer.name.text)
        return []
      }
      group.addTask {
        var pings: [LateTime] = []
        while !self.isOver.withLock({ $0 }) {
          let start = ContinuousClock.now
          _ = try? await self.connection.call(MethodCall(to: self.peer.name, "/", "org.freedesktop.DBus.Peer", "Ping"))
          pings.append(start..<ContinuousClock.now)
        }
        await self.connection.close()
        return pings
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}
