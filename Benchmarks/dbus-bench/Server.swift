// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc

/// A notification server that shows nothing and only counts.
actor Server {
  private let name: BusName
  private let loop: EventLoop
  private var lastNumber: UInt32 = 0
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(name: BusName, loop: EventLoop) {
    self.name = name
    self.loop = loop
  }

  /// Returns when the name is owned; SIGTERM stops the loop.
  func start() async throws {
    try loop.onSignal(SIGTERM) { [loop] in loop.stop() }
    let connection = try await Connection.open(.session(), on: loop)
    try await connection.export(table, at: Notifications.path)
    guard try await connection.requestName(name) == .owner else { fail(name.text, "another program owns it") }
    self.connection = connection
    print("ready")
    fflush(nil)
  }

  private nonisolated var table: Interface {
    Interface(
      Notifications.interface,
      methods: [Method(Notifications.notify) { _, _, _, _, _, _, _, _, _, _ in await self.nextNumber() }])
  }

  private func nextNumber() -> UInt32 {
    lastNumber += 1
    return lastNumber
  }
}
