// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop

/// Calls a notification server.
actor Client {
  private let server: BusName
  private let loop: EventLoop
  private var missing = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(server: BusName, loop: EventLoop) {
    self.server = server
    self.loop = loop
  }

  /// The median in microseconds per call.
  func median(of rounds: Int, rounds calls: Int, underWay: Int) async throws -> Double {
    let connection = try await Connection.open(.session(), on: loop)
    var results: [Double] = []
    for _ in 0...rounds {
      missing = calls
      let began = EventLoop.Clock.monotonic.now
      if underWay == 1 {
        try await callUntilNoneIsMissing(connection)
      } else {
        try await withThrowingTaskGroup { group in
          for _ in 0..<underWay { group.addTask { try await self.callUntilNoneIsMissing(connection) } }
          try await group.waitForAll()
        }
      }
      results.append((EventLoop.Clock.monotonic.now - began) / .microseconds(1) / Double(calls))
    }
    await connection.close()
    return results.dropFirst().sorted()[rounds / 2]
  }

  private func callUntilNoneIsMissing(_ connection: Connection) async throws {
    while missing > 0 {
      missing -= 1
      // Two actions, and the urgency as a byte.
      _ = try await connection.call(
        Notifications.notify, of: RemoteObject(server, Notifications.path, Notifications.interface), "bench", 0, "",
        "Standup in five minutes", "Room 2, second floor", ["done", "Done", "snooze", "Snooze"],
        ["urgency": .byte(1)], -1, limit: .seconds(20))
    }
  }
}
