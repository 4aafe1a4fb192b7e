// SPDX-License-Identifier: Apache-2.0
public import EventLoop
public import TestStage

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
