// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs what waits for somebody else on a thread of its own: the runtime's few threads are what the other side may need.
public func offPool<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

extension RunningProgram {
  /// The next line of its output; nil after some seconds, or at the end.
  public func line() async throws -> String? { try await offPool { self.readLine() } }

  /// Its exit status; nil where it has not ended after some seconds.
  public func exit() async throws -> Int32? { try await offPool { self.waitForExit() } }
}
