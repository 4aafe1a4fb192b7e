// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport

/// Measures the bus itself: it has one thread, and passes on nothing else while it handles a message of 60 MiB.
///
/// Two idle peers and the bus are called again and again. While one of these answers is late, every other message is
/// late as well, and the center is not to blame.
final class BusWaits: Sendable {
  private let asker: Connection
  private let peers: [(connection: Connection, name: BusName)]
  private let late = Mutex<[LateTime]>([])
  private let isOver = Atomic<Bool>(false)

  /// A longer answer counts as late.
  private static let usual: Duration = .milliseconds(2)

  init(on bus: PrivateBus, _ loop: EventLoop) async throws {
    asker = try await bus.connect(on: loop)
    var peers: [(Connection, BusName)] = []
    for _ in 0..<2 {
      let connection = try await bus.connect(on: loop)
      // A connection answers pings once it exports an object.
      try await connection.export(Interface("dev.suzu.Test.Idle", methods: []), at: "/idle")
      guard let name = await connection.uniqueName else { throw TestFailure("no name for an idle peer") }
      peers.append((connection, name))
    }
    self.peers = peers
  }

  /// Asks until ``end()``.
  func run() async {
    while !isOver.load(ordering: .relaxed) {
      let start = ContinuousClock.now
      await withTaskGroup { group in
        group.addTask { _ = try? await self.asker.call(.toBus("GetId")) }
        for (_, name) in peers {
          group.addTask {
            _ = try? await self.asker.call(MethodCall(to: name, "/idle", "org.freedesktop.DBus.Peer", "Ping"))
          }
        }
      }
      let end = ContinuousClock.now
      if end - start > Self.usual { late.withLock { $0.append(start..<end) } }
      // A sleep is meant: the rate of the calls, without which they would be a load of their own.
      try? await asker.loop.sleep(for: .milliseconds(3))
    }
    await asker.close()
    for (connection, _) in peers { await connection.close() }
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  /// All times at which the bus was slow, in order; none overlap.
  var times: [LateTime] { late.withLock { $0 } }
}
