// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop

/// Calls a notification server.
actor Client {
  private let server: BusName
  private let loop: EventLoop
  private var missing = 0
  private var whenAllAreHeard: CheckedContinuation<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(server: BusName, loop: EventLoop) {
    self.server = server
    self.loop = loop
  }

  /// The median in microseconds per call.
  func medianOfCalls(of rounds: Int, calls: Int, underWay: Int) async throws -> Double {
    try await median(of: rounds, each: calls) { connection in
      self.missing = calls
      if underWay == 1 {
        try await self.callUntilNoneIsMissing(connection)
      } else {
        try await withThrowingTaskGroup { group in
          for _ in 0..<underWay { group.addTask { try await self.callUntilNoneIsMissing(connection) } }
          try await group.waitForAll()
        }
      }
    }
  }

  /// The median in microseconds per read of a property.
  func medianOfReads(of rounds: Int, reads: Int) async throws -> Double {
    try await median(of: rounds, each: reads) { connection in
      let numbers = RemoteObject(self.server, Numbers.path, Numbers.interface)
      for _ in 0..<reads { _ = try await connection.value(of: Numbers.number, of: numbers) }
    }
  }

  /// The median in microseconds per signal, from the call that asks for all of them to the last one.
  func medianOfSignals(of rounds: Int, signals: Int) async throws -> Double {
    let numbers = RemoteObject(server, Numbers.path, Numbers.interface)
    let rule = MatchRule(
      sender: server, path: Numbers.path, interface: Numbers.interface, member: Numbers.ticked.name)
    // What the peers have, too: a function that is called. A stream would resume this task for each signal.
    var watch: SignalWatch?
    defer { watch?.cancel() }
    return try await median(of: rounds, each: signals) { connection in
      if watch == nil {
        watch = try await connection.listen(
          to: rule, tell: { signal in self.assumeIsolated { $0.heard(signal) } },
          end: { self.assumeIsolated { if $0.missing > 0 { fail("signals", "the bus is gone") } } })
      }
      self.missing = signals
      async let emitting: Void = connection.call(Numbers.emit, of: numbers, UInt32(signals))
      await withCheckedContinuation { self.whenAllAreHeard = $0 }
      try await emitting
    }
  }

  private func heard(_ signal: Signal) {
    guard signal.arguments(as: Numbers.ticked) != nil else { fail("signals", "of another type") }
    missing -= 1
    if missing == 0 {
      whenAllAreHeard?.resume()
      whenAllAreHeard = nil
    }
  }

  private func median(
    of rounds: Int, each count: Int, _ work: (Connection) async throws -> Void
  ) async throws -> Double {
    let connection = try await Connection.open(.session(), on: loop)
    var results: [Double] = []
    for _ in 0...rounds {
      let began = EventLoop.Clock.monotonic.now
      try await work(connection)
      results.append((EventLoop.Clock.monotonic.now - began) / .microseconds(1) / Double(count))
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
