// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport

/// Runs a test's body with its own event loop and on it, because sources are confined to their loop. The time limit of
/// the suite cancels the body as well.
func onItsLoop(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
  try await withLoop { loop in
    let test = Task(executorPreference: loop) { try await body(loop) }
    try await withTaskCancellationHandler {
      try await test.value
    } onCancel: {
      test.cancel()
    }
  }
}

/// The same with a bus of its own.
func onItsLoop(
  _ bus: PrivateBus, _ body: @escaping @Sendable (EventLoop, PrivateBus) async throws -> Void
) async throws {
  try await onItsLoop { loop in try await body(loop, bus) }
}

extension EventLoop {
  /// Lets the loop turn until `holds` returns true; throws when the time limit of the suite is over. `holds` does not see
  /// what begins and ends in one turn, such as a short connection: count such things.
  func turn(until holds: () -> Bool) async throws {
    while !holds() {
      try Task.checkCancellation()
      await nextTurn()
    }
  }
}
