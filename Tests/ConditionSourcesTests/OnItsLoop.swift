// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport

/// Runs a test's body with its own event loop and on it, because sources are confined to their loop.
func onItsLoop(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
  try await withLoop { loop in
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      loop.perform {
        loop.startLater {
          do {
            try await body(loop)
            continuation.resume()
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    }
  }
}

/// The same with a bus of its own.
func onItsLoop(
  _ bus: PrivateBus, _ body: @escaping @Sendable (EventLoop, PrivateBus) async throws -> Void
) async throws {
  try await onItsLoop { loop in try await body(loop, bus) }
}
