// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop

/// Runs a test's body with its own event loop, and stops the loop afterwards.
public func withLoop<T: Sendable>(
  _ body: @Sendable (EventLoop) async throws -> T
) async throws -> T {
  let loop = try EventLoop.onOwnThread(named: "test")
  defer { loop.stopAndWait() }
  return try await body(loop)
}

/// Runs a test's body with its own bus and event loop.
public func withBus<T: Sendable>(
  _ bus: PrivateBus, _ body: @Sendable (EventLoop, PrivateBus) async throws -> T
) async throws -> T {
  try await withLoop { loop in try await body(loop, bus) }
}

extension PrivateBus {
  /// Connects to this bus.
  public func connect(
    on loop: EventLoop, _ options: Connection.Options = Connection.Options()
  ) async throws -> Connection {
    try await Connection.open(BusAddress(address), on: loop, options: options)
  }
}
